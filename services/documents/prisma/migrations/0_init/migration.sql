-- CreateTable
CREATE TABLE "document_version" (
    "id" TEXT NOT NULL,
    "position" BIGSERIAL NOT NULL,
    "document_id" TEXT NOT NULL,
    "tender_id" TEXT NOT NULL,
    "parent_kind" TEXT NOT NULL,
    "parent_id" TEXT NOT NULL,
    "file_id" TEXT NOT NULL,
    "record" TEXT NOT NULL,
    "broker" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "document_version_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "file" (
    "id" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "origin" TEXT NOT NULL,
    "owner" TEXT NOT NULL,
    "expected_md5" TEXT,
    "md5" TEXT,
    "sha256" TEXT,
    "bytes" BIGINT,
    "format" TEXT,
    "title" TEXT,
    "referenced" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "claimed_at" TIMESTAMPTZ(6),
    "stored_at" TIMESTAMPTZ(6),

    CONSTRAINT "file_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "shelf" (
    "tender_id" TEXT NOT NULL,
    "version" BIGINT NOT NULL DEFAULT 0,
    "bids_opened" BOOLEAN NOT NULL DEFAULT false,
    "fence_number" BIGINT,
    "fence_held_at" TIMESTAMPTZ(6),
    "fence_version" BIGINT,
    "bids_erased" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "shelf_pkey" PRIMARY KEY ("tender_id")
);

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
    "whole_version" BIGINT,
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
    "leased_by" TEXT,
    "leased_until" TIMESTAMPTZ(6),

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
CREATE INDEX "document_version_tender_id_position_idx" ON "document_version"("tender_id", "position");

-- CreateIndex
CREATE INDEX "document_version_document_id_position_idx" ON "document_version"("document_id", "position");

-- CreateIndex
CREATE INDEX "document_version_parent_kind_parent_id_position_idx" ON "document_version"("parent_kind", "parent_id", "position");

-- CreateIndex
CREATE INDEX "document_version_file_id_idx" ON "document_version"("file_id");

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

-- AddForeignKey
ALTER TABLE "document_version" ADD CONSTRAINT "document_version_file_id_fkey" FOREIGN KEY ("file_id") REFERENCES "file"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- Refuses to change or delete a row of the log, by this service or by hand. Only the owner of the table can remove the triggers.
CREATE FUNCTION "audit_is_append_only"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the table audit is append-only: % refused', TG_OP;
END;
$$;

-- The clean-up looks at files that no document refers to, which are few.
CREATE INDEX "file_unreferenced" ON "file"("created_at") WHERE NOT "referenced";

-- Held fences are few of all rows, and looked for every 20 s (docs/decisions/0060-cancellation-fence.md).
CREATE INDEX "shelf_fence_held" ON "shelf" ("fence_held_at") WHERE "fence_held_at" IS NOT NULL;

-- The relay reads unsent rows only, and most rows are sent.
CREATE INDEX "outbox_unsent" ON "outbox"("position") WHERE "sent_at" IS NULL;

-- Not compressed: a part is read without the rest.
ALTER TABLE "event_data" ALTER COLUMN "data" SET STORAGE EXTERNAL;

CREATE TRIGGER "audit_append_only" BEFORE UPDATE OR DELETE ON "audit"
  FOR EACH ROW EXECUTE FUNCTION "audit_is_append_only"();
CREATE TRIGGER "audit_no_truncate" BEFORE TRUNCATE ON "audit"
  FOR EACH STATEMENT EXECUTE FUNCTION "audit_is_append_only"();
