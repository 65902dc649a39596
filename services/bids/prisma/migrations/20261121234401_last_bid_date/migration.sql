-- The latest date given to a bid of the tender, in microseconds since 1970 of the tender's time. Writers read it under the lock
-- of the row, so that dates follow the order of registration on all replicas. Null until the first write of this release.
ALTER TABLE "bidding" ADD COLUMN "last_date" BIGINT;
