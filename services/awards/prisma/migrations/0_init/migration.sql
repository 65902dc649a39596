-- CreateTable
CREATE TABLE "awarding" (
    "tender_id" TEXT NOT NULL,
    "version" BIGINT NOT NULL,
    "document" TEXT NOT NULL,
    "inner" TEXT NOT NULL,
    "due_at" BIGINT,

    CONSTRAINT "awarding_pkey" PRIMARY KEY ("tender_id")
);

-- CreateTable
CREATE TABLE "contract_place" (
    "contract_id" TEXT NOT NULL,
    "tender_id" TEXT NOT NULL,

    CONSTRAINT "contract_place_pkey" PRIMARY KEY ("contract_id")
);

-- The scheduler reads awardings with a deadline only, and most have none.
CREATE INDEX "awarding_due" ON "awarding"("due_at") WHERE "due_at" IS NOT NULL;

-- Finds the bids of a tender: any of its bidders may complain of an award.
CREATE INDEX "replica_bid_tender" ON "kit"."replica"(("facts"::json ->> 'tenderId')) WHERE "kind" = 'bid';
