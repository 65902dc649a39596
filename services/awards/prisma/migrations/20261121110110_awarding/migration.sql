-- All awards and contracts of one tender, changed together: a decision about one award makes, cancels and ends others.
-- `document` (public) and `inner` (owners, opened bids) are JSON text: numbers keep the digits they were stored with.
-- `due_at` is when the clock has to act, in microseconds of real time.
CREATE TABLE "awarding" (
    "tender_id" TEXT NOT NULL,
    "version" BIGINT NOT NULL,
    "document" TEXT NOT NULL,
    "inner" TEXT NOT NULL,
    "due_at" BIGINT,

    CONSTRAINT "awarding_pkey" PRIMARY KEY ("tender_id")
);
CREATE INDEX "awarding_due" ON "awarding"("due_at") WHERE "due_at" IS NOT NULL;

-- To which tender a contract belongs, for the addresses that name the contract alone.
CREATE TABLE "contract_place" (
    "contract_id" TEXT NOT NULL,
    "tender_id" TEXT NOT NULL,

    CONSTRAINT "contract_place_pkey" PRIMARY KEY ("contract_id")
);

-- Whose the bids of a tender are: any of its bidders may complain of an award.
CREATE INDEX "replica_bid_tender" ON "replica"(("facts"::json ->> 'tenderId')) WHERE "kind" = 'bid';
