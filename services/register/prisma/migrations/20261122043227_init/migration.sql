-- CreateTable
CREATE TABLE "follow" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "position" BIGINT NOT NULL,
    "epoch" INTEGER NOT NULL,
    "horizon" BIGINT NOT NULL,
    "archived_to" BIGINT,
    "backfill" TEXT,
    "followed_from" BIGINT NOT NULL,

    CONSTRAINT "follow_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "epoch_void" (
    "epoch" INTEGER NOT NULL,
    "restored_to" BIGINT NOT NULL,
    "began" BIGINT NOT NULL,

    CONSTRAINT "epoch_void_pkey" PRIMARY KEY ("epoch")
);

-- CreateTable
CREATE TABLE "tender" (
    "id" UUID NOT NULL,
    "number" TEXT,
    "position" BIGINT NOT NULL,
    "rev" BIGINT NOT NULL,
    "created" BIGINT NOT NULL,
    "listed" BOOLEAN NOT NULL,
    "is_test" BOOLEAN NOT NULL,
    "complete" BOOLEAN NOT NULL,
    "status" TEXT NOT NULL,
    "method" TEXT NOT NULL,
    "buyer" TEXT,
    "currency" TEXT,
    "amount" DECIMAL,
    "cpv" INTEGER[],
    "regions" TEXT[],
    "buyer_region" TEXT,
    "enquiry_end" BIGINT,
    "tender_start" BIGINT,
    "tender_end" BIGINT,
    "bids" INTEGER,
    "contracted" DECIMAL,
    "title" TEXT,
    "title_en" TEXT,
    "text_hash" BYTEA,

    CONSTRAINT "tender_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "tender_body" (
    "id" UUID NOT NULL,
    "body" TEXT NOT NULL,

    CONSTRAINT "tender_body_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "tender_words" (
    "id" UUID NOT NULL,
    "words" tsvector NOT NULL,

    CONSTRAINT "tender_words_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "word" (
    "word" TEXT NOT NULL,
    "tenders" INTEGER NOT NULL,

    CONSTRAINT "word_pkey" PRIMARY KEY ("word")
);

-- CreateTable
CREATE TABLE "party" (
    "n" BIGSERIAL NOT NULL,
    "scheme" TEXT NOT NULL,
    "code" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "folded" TEXT NOT NULL,
    "tenders" INTEGER NOT NULL,

    CONSTRAINT "party_pkey" PRIMARY KEY ("n")
);

-- CreateTable
CREATE TABLE "key_count" (
    "key" TEXT NOT NULL,
    "tenders" INTEGER NOT NULL,

    CONSTRAINT "key_count_pkey" PRIMARY KEY ("key")
);

-- CreateTable
CREATE TABLE "revision" (
    "position" BIGINT NOT NULL,
    "previous" BIGINT,
    "id" UUID NOT NULL,
    "rev" BIGINT NOT NULL,
    "previous_of_tender" BIGINT,
    "listed" BOOLEAN NOT NULL,
    "is_test" BOOLEAN NOT NULL,
    "void" BOOLEAN NOT NULL DEFAULT false,
    "flags" INTEGER NOT NULL DEFAULT 0,
    "causes" BIGINT NOT NULL,
    "changed" TEXT[],
    "status" TEXT,
    "method" TEXT,
    "buyer" TEXT,
    "currency" TEXT,
    "amount" DECIMAL,
    "cpv" INTEGER[],
    "regions" TEXT[],
    "bytes" INTEGER NOT NULL,
    "digest" BYTEA,

    CONSTRAINT "revision_pkey" PRIMARY KEY ("position")
);

-- CreateTable
CREATE TABLE "revision_text" (
    "position" BIGINT NOT NULL,
    "text" TEXT NOT NULL,

    CONSTRAINT "revision_text_pkey" PRIMARY KEY ("position")
);

-- CreateTable
CREATE TABLE "revision_pack" (
    "id" UUID NOT NULL,
    "first_rev" BIGINT NOT NULL,
    "last_rev" BIGINT NOT NULL,
    "raw_bytes" INTEGER NOT NULL,
    "pack" BYTEA NOT NULL,

    CONSTRAINT "revision_pack_pkey" PRIMARY KEY ("id","first_rev")
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
CREATE INDEX "tender_number_idx" ON "tender"("number");

-- CreateIndex
CREATE INDEX "tender_buyer_created_id_idx" ON "tender"("buyer", "created", "id");

-- CreateIndex
CREATE INDEX "tender_status_created_id_idx" ON "tender"("status", "created", "id");

-- CreateIndex
CREATE UNIQUE INDEX "tender_position_key" ON "tender"("position");

-- CreateIndex
CREATE UNIQUE INDEX "party_scheme_code_key" ON "party"("scheme", "code");

-- CreateIndex
CREATE INDEX "revision_id_rev_idx" ON "revision"("id", "rev");

-- CreateIndex
CREATE INDEX "dead_letter_replayed_at_durable_event_id_idx" ON "dead_letter"("replayed_at", "durable", "event_id");

-- CreateIndex
CREATE INDEX "audit_act_idx" ON "audit"("act");

-- CreateIndex
CREATE INDEX "audit_at_idx" ON "audit"("at");

-- Trusted: the owner of the database may create it.
CREATE EXTENSION IF NOT EXISTS pg_trgm;

-- One for each order of lists (register.md 10.1).
CREATE INDEX "tender_by_created" ON "tender"("is_test", "created", "id") WHERE "listed";
CREATE INDEX "tender_by_end" ON "tender"("is_test", "tender_end", "id") WHERE "listed";
CREATE INDEX "tender_by_amount" ON "tender"("is_test", "currency", "amount", "id") WHERE "listed";
CREATE INDEX "tender_by_position" ON "tender"("is_test", "position") WHERE "listed";

CREATE INDEX "tender_words_gin" ON "tender_words" USING gin ("words");
CREATE INDEX "word_trgm" ON "word" USING gin ("word" gin_trgm_ops);
CREATE INDEX "party_trgm" ON "party" USING gin ("folded" gin_trgm_ops);

-- Room for updates in the page of the row: each revision rewrites both rows.
ALTER TABLE "tender" SET (fillfactor = 80);
ALTER TABLE "tender_body" SET (fillfactor = 80);
-- Packs are compressed already.
ALTER TABLE "revision_pack" ALTER COLUMN "pack" SET STORAGE EXTERNAL;

-- No row of the log is changed or deleted, by this service or by hand. Only the owner of the table can remove the triggers.
CREATE FUNCTION "audit_is_append_only"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the table audit is append-only: % refused', TG_OP;
END;
$$;

CREATE TRIGGER "audit_append_only" BEFORE UPDATE OR DELETE ON "audit"
  FOR EACH ROW EXECUTE FUNCTION "audit_is_append_only"();

CREATE TRIGGER "audit_no_truncate" BEFORE TRUNCATE ON "audit"
  FOR EACH STATEMENT EXECUTE FUNCTION "audit_is_append_only"();
