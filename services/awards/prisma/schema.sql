-- The scheduler reads awardings with a deadline only, and most have none.
CREATE INDEX "awarding_due" ON "awarding"("due_at") WHERE "due_at" IS NOT NULL;

-- Finds the bids of a tender: any of its bidders may complain of an award.
CREATE INDEX "replica_bid_tender" ON "kit"."replica"(("facts"::json ->> 'tenderId')) WHERE "kind" = 'bid';

-- The last stamp of the feed. A sequence, because its state lies outside transaction snapshots: whoever holds the lock of feed_tick sees
-- the newest value under any isolation level.
CREATE SEQUENCE "feed_clock" AS BIGINT MINVALUE 0 START 0;

-- A page of the feed reads the contracts of one mode; all of them are in the order of "contract_feed_stamp_key".
CREATE INDEX "contract_feed_real" ON "contract_feed"("stamp") WHERE NOT "is_test";
CREATE INDEX "contract_feed_test" ON "contract_feed"("stamp") WHERE "is_test";
