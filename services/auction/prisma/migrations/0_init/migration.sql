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

-- CreateTable
CREATE TABLE "auction_version" (
    "tender_id" TEXT NOT NULL,
    "lot_id" TEXT NOT NULL,
    "version" BIGINT NOT NULL,

    CONSTRAINT "auction_version_pkey" PRIMARY KEY ("tender_id","lot_id")
);

-- CreateTable
CREATE TABLE "auction_address" (
    "tender_id" TEXT NOT NULL,
    "lot_id" TEXT NOT NULL,
    "bid_id" TEXT NOT NULL,
    "url" TEXT NOT NULL,
    "published_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "auction_address_pkey" PRIMARY KEY ("tender_id","lot_id","bid_id")
);

-- CreateTable
CREATE TABLE "auction_result" (
    "tender_id" TEXT NOT NULL,
    "lot_id" TEXT NOT NULL,
    "results" TEXT NOT NULL,
    "reported_at" TEXT NOT NULL,
    "recorded_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "auction_result_pkey" PRIMARY KEY ("tender_id","lot_id")
);

-- CreateTable
CREATE TABLE "auction_task" (
    "tender_id" TEXT NOT NULL,
    "lot_id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "due_at" BIGINT NOT NULL,
    "correlation_id" TEXT NOT NULL,

    CONSTRAINT "auction_task_pkey" PRIMARY KEY ("tender_id","lot_id","kind")
);

-- CreateIndex
CREATE UNIQUE INDEX "auction_slot_mode_day_stream_slot_key" ON "auction_slot"("mode", "day", "stream", "slot");

-- CreateIndex
CREATE INDEX "auction_task_due_at_idx" ON "auction_task"("due_at");
