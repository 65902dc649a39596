-- The last stamp of the feed. A sequence, because its state lies outside transaction snapshots: whoever holds the lock of feed_tick sees
-- the newest value under any isolation level.
CREATE SEQUENCE "feed_clock" AS BIGINT MINVALUE 0 START 0;

-- A page of the feed reads listed tenders only, in its three modes. The entry is in the index: the rows of a page lie anywhere in the table
-- (docs/performance.md).
CREATE INDEX "tender_feed_all" ON "tender_feed"("stamp") INCLUDE ("entry") WHERE "listed";
CREATE INDEX "tender_feed_real" ON "tender_feed"("stamp") INCLUDE ("entry") WHERE "listed" AND NOT "is_test";
CREATE INDEX "tender_feed_test" ON "tender_feed"("stamp") INCLUDE ("entry") WHERE "listed" AND "is_test";

-- The scheduler reads tenders with a deadline, and most tenders are over.
CREATE INDEX "tender_due" ON "tender"("due_at") WHERE "due_at" IS NOT NULL;

CREATE CONSTRAINT TRIGGER "tender_published" AFTER INSERT OR UPDATE OF "public_rev" ON "tender"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION "tender_must_be_published"();
