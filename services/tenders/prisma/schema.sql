-- The last stamp of the feed. A sequence, because its state lies outside transaction snapshots: whoever holds the lock of feed_tick sees
-- the newest value under any isolation level.
CREATE SEQUENCE "feed_clock" AS BIGINT MINVALUE 0 START 0;

-- A page of the feed reads listed tenders only, in its three modes.
CREATE INDEX "tender_feed_all" ON "tender_feed"("stamp") WHERE "listed";
CREATE INDEX "tender_feed_real" ON "tender_feed"("stamp") WHERE "listed" AND NOT "is_test";
CREATE INDEX "tender_feed_test" ON "tender_feed"("stamp") WHERE "listed" AND "is_test";

-- The scheduler reads tenders with a deadline, and most tenders are over.
CREATE INDEX "tender_due" ON "tender"("due_at") WHERE "due_at" IS NOT NULL;

CREATE CONSTRAINT TRIGGER "tender_published" AFTER INSERT OR UPDATE OF "public_rev" ON "tender"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION "tender_must_be_published"();

-- The relay reads unsent rows only, and most rows are sent.
CREATE INDEX "outbox_unsent" ON "outbox"("position") WHERE "sent_at" IS NULL;

-- Not compressed: a part is read without the rest.
ALTER TABLE "event_data" ALTER COLUMN "data" SET STORAGE EXTERNAL;

-- Held fences are few of all rows, and looked for every 20 s (docs/decisions/0060-cancellation-fence.md).
CREATE INDEX "fence_fence_held" ON "fence" ("fence_held_at") WHERE "fence_held_at" IS NOT NULL;

CREATE TRIGGER "audit_append_only" BEFORE UPDATE OR DELETE ON "audit"
  FOR EACH ROW EXECUTE FUNCTION "audit_is_append_only"();
CREATE TRIGGER "audit_no_truncate" BEFORE TRUNCATE ON "audit"
  FOR EACH STATEMENT EXECUTE FUNCTION "audit_is_append_only"();
