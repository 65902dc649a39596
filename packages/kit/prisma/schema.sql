-- The relay reads unsent rows only, and most rows are sent.
CREATE INDEX "outbox_unsent" ON "outbox"("position") WHERE "sent_at" IS NULL;

-- Not compressed: a part is read without the rest.
ALTER TABLE "event_data" ALTER COLUMN "data" SET STORAGE EXTERNAL;

-- Held freezes are few of all rows, and looked for every 20 s (docs/decisions/0060-freezes.md).
CREATE INDEX "decision_freeze_frozen" ON "decision_freeze" ("frozen_at") WHERE "frozen_at" IS NOT NULL;

CREATE TRIGGER "audit_append_only" BEFORE UPDATE OR DELETE ON "audit"
  FOR EACH ROW EXECUTE FUNCTION "audit_is_append_only"();
CREATE TRIGGER "audit_no_truncate" BEFORE TRUNCATE ON "audit"
  FOR EACH STATEMENT EXECUTE FUNCTION "audit_is_append_only"();
