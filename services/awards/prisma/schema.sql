-- The scheduler reads awardings with a deadline only, and most have none.
CREATE INDEX "awarding_due" ON "awarding"("due_at") WHERE "due_at" IS NOT NULL;

-- Finds the bids of a tender: any of its bidders may complain of an award.
CREATE INDEX "replica_bid_tender" ON "replica"(("facts"::json ->> 'tenderId')) WHERE "kind" = 'bid';

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
