-- CreateTable
CREATE TABLE "auction_slot" (
    "tender_id" TEXT NOT NULL,
    "lot_id" TEXT NOT NULL,
    "mode" TEXT NOT NULL,
    "day" DATE,
    "stream" INTEGER,
    "slot" TIME(0),
    "planned_start" TIMESTAMPTZ(6) NOT NULL,
    "confirmed" BOOLEAN NOT NULL DEFAULT false,
    "planned_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "auction_slot_pkey" PRIMARY KEY ("tender_id","lot_id")
);

-- CreateIndex
CREATE UNIQUE INDEX "auction_slot_mode_day_stream_slot_key" ON "auction_slot"("mode", "day", "stream", "slot");
