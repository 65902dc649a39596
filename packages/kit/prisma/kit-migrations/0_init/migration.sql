-- CreateTable
CREATE TABLE "outbox" (
    "position" BIGSERIAL NOT NULL,
    "id" UUID NOT NULL,
    "subject" TEXT NOT NULL,
    "envelope" TEXT NOT NULL,
    "reply_to" TEXT,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "sent_at" TIMESTAMPTZ(6),

    CONSTRAINT "outbox_pkey" PRIMARY KEY ("position")
);

-- CreateTable
CREATE TABLE "event_data" (
    "id" UUID NOT NULL,
    "attributes" TEXT NOT NULL,
    "data" BYTEA NOT NULL,
    "sha256" TEXT NOT NULL,
    "published_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "event_data_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "inbox" (
    "durable" TEXT NOT NULL,
    "event_id" UUID NOT NULL,
    "received_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "inbox_pkey" PRIMARY KEY ("durable","event_id")
);

-- CreateTable
CREATE TABLE "dead_letter" (
    "id" BIGSERIAL NOT NULL,
    "durable" TEXT NOT NULL,
    "event_id" UUID,
    "subject" TEXT NOT NULL,
    "envelope" TEXT NOT NULL,
    "error" TEXT NOT NULL,
    "attempts" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "replayed_at" TIMESTAMPTZ(6),

    CONSTRAINT "dead_letter_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "replica" (
    "kind" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "version" BIGINT NOT NULL,
    "facts" TEXT NOT NULL,
    "updated_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "replica_pkey" PRIMARY KEY ("kind","id")
);

-- CreateTable
CREATE TABLE "consumer_position" (
    "durable" TEXT NOT NULL,
    "slot" INTEGER NOT NULL,
    "stream_created_at" TEXT NOT NULL,
    "applied_seq" BIGINT NOT NULL,
    "applied_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "consumer_position_pkey" PRIMARY KEY ("durable","slot")
);

-- CreateTable
CREATE TABLE "consumer_check" (
    "durable" TEXT NOT NULL,
    "stream_created_at" TEXT NOT NULL,
    "verified_seq" BIGINT NOT NULL,
    "checked_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "repair" TEXT,
    "reason" TEXT,
    "requested_at" TIMESTAMPTZ(6),
    "cursor" TEXT,
    "until_seq" BIGINT,
    "applied" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "consumer_check_pkey" PRIMARY KEY ("durable")
);

-- CreateTable
CREATE TABLE "flow_wait" (
    "flow" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "version" BIGINT NOT NULL,
    "asked" INTEGER NOT NULL DEFAULT 0,
    "waiting_since" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "ask_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "flow_wait_pkey" PRIMARY KEY ("flow","id")
);

-- CreateTable
CREATE TABLE "decision_freeze" (
    "id" TEXT NOT NULL,
    "freeze_number" BIGINT,
    "frozen_at" TIMESTAMPTZ(6),
    "freeze_version" BIGINT,

    CONSTRAINT "decision_freeze_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "begun_freeze" (
    "id" TEXT NOT NULL,
    "number" BIGINT NOT NULL,
    "open" BOOLEAN NOT NULL,
    "begun_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "begun_freeze_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "clock_failure" (
    "id" TEXT NOT NULL,
    "attempts" INTEGER NOT NULL,
    "due_at" BIGINT NOT NULL,
    "error" TEXT NOT NULL,
    "failed_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "clock_failure_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "audit" (
    "id" BIGSERIAL NOT NULL,
    "act" UUID NOT NULL,
    "at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "actor" TEXT NOT NULL,
    "actor_group" TEXT NOT NULL,
    "method" TEXT NOT NULL,
    "route" TEXT NOT NULL,
    "objects" TEXT NOT NULL,
    "request_id" TEXT NOT NULL,
    "outcome" TEXT NOT NULL,
    "status" INTEGER,
    "before_hash" TEXT,
    "after_hash" TEXT,

    CONSTRAINT "audit_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "outbox_id_key" ON "outbox"("id");

-- CreateIndex
CREATE INDEX "event_data_published_at_idx" ON "event_data"("published_at");

-- CreateIndex
CREATE INDEX "inbox_received_at_idx" ON "inbox"("received_at");

-- CreateIndex
CREATE INDEX "dead_letter_replayed_at_durable_event_id_idx" ON "dead_letter"("replayed_at", "durable", "event_id");

-- CreateIndex
CREATE INDEX "flow_wait_ask_at_idx" ON "flow_wait"("ask_at");

-- CreateIndex
CREATE INDEX "flow_wait_waiting_since_idx" ON "flow_wait"("waiting_since");

-- CreateIndex
CREATE INDEX "audit_act_idx" ON "audit"("act");

-- CreateIndex
CREATE INDEX "audit_at_idx" ON "audit"("at");

-- Refuses to change or delete a row of the log, by a service or by hand. Only the owner of the table can remove the triggers.
CREATE FUNCTION audit_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the table audit is append-only: % refused', TG_OP;
END;
$$;

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
