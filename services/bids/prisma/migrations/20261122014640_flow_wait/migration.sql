-- CreateTable
CREATE TABLE "flow_wait" (
    "flow" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "version" BIGINT NOT NULL,
    "asked" INTEGER NOT NULL DEFAULT 0,
    "waiting_since" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "ask_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "flow_wait_pkey" PRIMARY KEY ("flow","id")
);

-- CreateIndex
CREATE INDEX "flow_wait_ask_at_idx" ON "flow_wait"("ask_at");

-- CreateIndex
CREATE INDEX "flow_wait_waiting_since_idx" ON "flow_wait"("waiting_since");
