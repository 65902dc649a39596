-- AlterTable
ALTER TABLE "auction" ADD COLUMN     "ahead_micros" BIGINT NOT NULL DEFAULT 0;

-- CreateTable
CREATE TABLE "task" (
    "auction_id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "shard" SMALLINT NOT NULL,
    "due_at" BIGINT NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "last_error" TEXT,

    CONSTRAINT "task_pkey" PRIMARY KEY ("auction_id","kind")
);

-- CreateTable
CREATE TABLE "tender_reading" (
    "tender_id" TEXT NOT NULL,
    "requested" INTEGER NOT NULL DEFAULT 1,
    "due_at" BIGINT,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "note" TEXT,

    CONSTRAINT "tender_reading_pkey" PRIMARY KEY ("tender_id")
);

-- CreateTable
CREATE TABLE "follow" (
    "name" TEXT NOT NULL,
    "offset" TEXT,
    "read_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "follow_pkey" PRIMARY KEY ("name")
);

-- CreateIndex
CREATE INDEX "task_shard_due_at_idx" ON "task"("shard", "due_at");

-- CreateIndex
CREATE INDEX "tender_reading_due_at_idx" ON "tender_reading"("due_at");

-- CreateIndex
CREATE INDEX "auction_tender_id_idx" ON "auction"("tender_id");
