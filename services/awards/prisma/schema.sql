-- The scheduler reads awardings with a deadline only, and most have none.
CREATE INDEX "awarding_due" ON "awarding"("due_at") WHERE "due_at" IS NOT NULL;

-- Finds the bids of a tender: any of its bidders may complain of an award.
CREATE INDEX "replica_bid_tender" ON "kit"."replica"(("facts"::json ->> 'tenderId')) WHERE "kind" = 'bid';
