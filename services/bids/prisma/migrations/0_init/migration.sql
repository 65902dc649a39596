-- CreateTable
CREATE TABLE "bid" (
    "id" TEXT NOT NULL,
    "tender_id" TEXT NOT NULL,
    "position" BIGSERIAL NOT NULL,
    "version" BIGINT NOT NULL,
    "status" TEXT NOT NULL,
    "owner" TEXT NOT NULL,
    "owner_token_hash" TEXT NOT NULL,
    "transfer_hash" TEXT NOT NULL,
    "document" TEXT,
    "sealed" BYTEA,
    "closed" BYTEA,
    "closed_version" BIGINT,
    "withdrawn_version" BIGINT,
    "lots" TEXT[],
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "bid_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "seal" (
    "tender_id" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "opened" TEXT,

    CONSTRAINT "seal_pkey" PRIMARY KEY ("tender_id")
);

-- CreateTable
CREATE TABLE "bidding" (
    "tender_id" TEXT NOT NULL,
    "phase" TEXT NOT NULL DEFAULT 'open',
    "version" BIGINT NOT NULL DEFAULT 0,
    "last_date" BIGINT,
    "links_version" BIGINT,
    "freeze_number" BIGINT,
    "frozen_at" TIMESTAMPTZ(6),
    "freeze_version" BIGINT,

    CONSTRAINT "bidding_pkey" PRIMARY KEY ("tender_id")
);

-- CreateTable
CREATE TABLE "bidding_result" (
    "tender_id" TEXT NOT NULL,
    "lot_id" TEXT NOT NULL,
    "at" TEXT NOT NULL,

    CONSTRAINT "bidding_result_pkey" PRIMARY KEY ("tender_id","lot_id")
);

-- CreateIndex
CREATE INDEX "bid_tender_id_position_idx" ON "bid"("tender_id", "position");

-- The phases are the words of the domain: a wrong one would open or close a tender unseen.
ALTER TABLE "bidding" ADD CONSTRAINT "bidding_phase_known" CHECK ("phase" IN ('open', 'sealed', 'opened', 'erased'));

-- A text is stored once: clear or encrypted.
ALTER TABLE "bid" ADD CONSTRAINT "bid_text_once" CHECK (num_nonnulls("document", "sealed") = 1);

-- Encrypted bytes do not compress.
ALTER TABLE "bid" ALTER COLUMN "sealed" SET STORAGE EXTERNAL;
ALTER TABLE "bid" ALTER COLUMN "closed" SET STORAGE EXTERNAL;

-- Held freezes are few of all rows, and looked for every 20 s (docs/decisions/0060-freezes.md).
CREATE INDEX "bidding_frozen" ON "bidding" ("frozen_at") WHERE "frozen_at" IS NOT NULL;
