-- CreateTable
CREATE TABLE "follow" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "position" BIGINT NOT NULL,
    "epoch" INTEGER NOT NULL,
    "horizon" BIGINT NOT NULL,
    "archived_to" BIGINT,
    "backfill" TEXT,
    "followed_from" BIGINT NOT NULL,
    "head" BIGINT NOT NULL DEFAULT 0,
    "heard_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

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
    "summary" TEXT,

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
    "tests" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "party_pkey" PRIMARY KEY ("n")
);

-- CreateTable
CREATE TABLE "tender_contribution" (
    "id" UUID NOT NULL,
    "contribution" TEXT NOT NULL,

    CONSTRAINT "tender_contribution_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "statistic" (
    "cube" TEXT NOT NULL,
    "period" TEXT NOT NULL,
    "is_test" BOOLEAN NOT NULL,
    "method" TEXT NOT NULL,
    "cpv" TEXT NOT NULL,
    "region" TEXT NOT NULL,
    "buyer" TEXT NOT NULL,
    "currency" TEXT NOT NULL,
    "tenders" INTEGER NOT NULL,
    "amount" DECIMAL NOT NULL,
    "opened" INTEGER NOT NULL,
    "bids" BIGINT NOT NULL,
    "single" INTEGER NOT NULL,
    "active" INTEGER NOT NULL,
    "complete" INTEGER NOT NULL,
    "unsuccessful" INTEGER NOT NULL,
    "cancelled" INTEGER NOT NULL,
    "expected" DECIMAL NOT NULL,
    "contracted" DECIMAL NOT NULL,
    "signed" INTEGER NOT NULL,
    "amended" INTEGER NOT NULL,
    "terminated" INTEGER NOT NULL,
    "present" DECIMAL NOT NULL,
    "paid" DECIMAL NOT NULL,
    "dated" INTEGER NOT NULL,
    "days" BIGINT NOT NULL,
    "buckets" INTEGER[],

    CONSTRAINT "statistic_pkey" PRIMARY KEY ("cube","period","is_test","method","cpv","region","buyer","currency")
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
CREATE TABLE "webhook" (
    "id" UUID NOT NULL,
    "broker" TEXT NOT NULL,
    "url" TEXT NOT NULL,
    "filter" TEXT NOT NULL,
    "expand" BOOLEAN NOT NULL,
    "concurrency" INTEGER NOT NULL,
    "description" TEXT,
    "status" TEXT NOT NULL,
    "suspended" BOOLEAN NOT NULL DEFAULT false,
    "verified" BOOLEAN NOT NULL DEFAULT false,
    "position" BIGINT NOT NULL,
    "redelivered_to" BIGINT NOT NULL DEFAULT 0,
    "version" INTEGER NOT NULL DEFAULT 1,
    "failures" INTEGER NOT NULL DEFAULT 0,
    "failing_since" BIGINT,
    "circuit_at" BIGINT,
    "tries" INTEGER NOT NULL DEFAULT 0,
    "next_at" BIGINT,
    "last_success" BIGINT,
    "last_error" TEXT,
    "lease_owner" TEXT,
    "lease_until" TIMESTAMPTZ(6),
    "created" BIGINT NOT NULL,
    "modified" BIGINT NOT NULL,

    CONSTRAINT "webhook_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "webhook_secret" (
    "id" BIGSERIAL NOT NULL,
    "webhook" UUID NOT NULL,
    "key_id" TEXT NOT NULL,
    "sealed" BYTEA NOT NULL,
    "valid_until" BIGINT,

    CONSTRAINT "webhook_secret_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "webhook_parked" (
    "webhook" UUID NOT NULL,
    "position" BIGINT NOT NULL,
    "tender" UUID NOT NULL,
    "attempts" INTEGER NOT NULL,
    "next_at" BIGINT,
    "dead_at" BIGINT,
    "redelivery" BOOLEAN NOT NULL,
    "last_error" TEXT,

    CONSTRAINT "webhook_parked_pkey" PRIMARY KEY ("webhook","position")
);

-- CreateTable
CREATE TABLE "webhook_range" (
    "id" BIGSERIAL NOT NULL,
    "webhook" UUID NOT NULL,
    "position" BIGINT NOT NULL,
    "up_to" BIGINT NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "next_at" BIGINT,

    CONSTRAINT "webhook_range_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "webhook_attempt" (
    "webhook" UUID NOT NULL,
    "n" BIGSERIAL NOT NULL,
    "type" TEXT NOT NULL,
    "position" BIGINT,
    "at" BIGINT NOT NULL,
    "status" INTEGER,
    "error" TEXT,
    "milliseconds" INTEGER NOT NULL,
    "attempt" INTEGER NOT NULL,

    CONSTRAINT "webhook_attempt_pkey" PRIMARY KEY ("webhook","n")
);

-- CreateTable
CREATE TABLE "export_run" (
    "name" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "mode" TEXT NOT NULL,
    "position_from" BIGINT,
    "position_to" BIGINT NOT NULL,
    "seq_from" BIGINT,
    "seq_to" BIGINT,
    "epoch" INTEGER,
    "state" TEXT NOT NULL DEFAULT 'open',
    "asked" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "finished" TIMESTAMPTZ(6),
    "retry_at" TIMESTAMPTZ(6),
    "error" TEXT,
    "archived" TIMESTAMPTZ(6),

    CONSTRAINT "export_run_pkey" PRIMARY KEY ("name")
);

-- CreateTable
CREATE TABLE "export_file" (
    "name" TEXT NOT NULL,
    "n" INTEGER NOT NULL,
    "key" TEXT NOT NULL,
    "lines" INTEGER NOT NULL DEFAULT 0,
    "bytes" BIGINT NOT NULL DEFAULT 0,
    "raw_bytes" BIGINT NOT NULL DEFAULT 0,
    "sha256" TEXT,
    "first" BIGINT,
    "last" BIGINT,
    "walked_to" BIGINT,
    "zstd_bytes" BIGINT,
    "zstd_sha256" TEXT,

    CONSTRAINT "export_file_pkey" PRIMARY KEY ("name","n")
);

-- CreateTable
CREATE TABLE "redaction" (
    "id" BIGSERIAL NOT NULL,
    "tender" UUID NOT NULL,
    "pointer" TEXT NOT NULL,
    "first_rev" BIGINT NOT NULL,
    "last_rev" BIGINT NOT NULL,
    "by" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "files_at" TIMESTAMPTZ(6),
    "retry_at" TIMESTAMPTZ(6),
    "error" TEXT,

    CONSTRAINT "redaction_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "redaction_text" (
    "id" BIGINT NOT NULL,
    "tender" UUID NOT NULL,
    "rev" BIGINT NOT NULL,
    "position" BIGINT NOT NULL,
    "member" TEXT NOT NULL,
    "sha256" BYTEA NOT NULL,
    "bytes" INTEGER NOT NULL,

    CONSTRAINT "redaction_text_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "redaction_file" (
    "redaction" BIGINT NOT NULL,
    "name" TEXT NOT NULL,
    "n" INTEGER NOT NULL,
    "former_key" TEXT,
    "done" BOOLEAN NOT NULL,

    CONSTRAINT "redaction_file_pkey" PRIMARY KEY ("redaction","name","n")
);

-- CreateTable
CREATE TABLE "ocds_release" (
    "seq" BIGSERIAL NOT NULL,
    "ocid" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "date" TIMESTAMPTZ(3) NOT NULL,
    "tag" TEXT[],
    "hash" TEXT NOT NULL,
    "body" TEXT,
    "bytes" INTEGER,
    "inserted_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "position" BIGINT,

    CONSTRAINT "ocds_release_pkey" PRIMARY KEY ("seq")
);

-- CreateTable
CREATE TABLE "ocds_pack" (
    "ocid" TEXT NOT NULL,
    "first_seq" BIGINT NOT NULL,
    "last_seq" BIGINT NOT NULL,
    "raw_bytes" INTEGER NOT NULL,
    "pack" BYTEA NOT NULL,

    CONSTRAINT "ocds_pack_pkey" PRIMARY KEY ("ocid","first_seq")
);

-- CreateTable
CREATE TABLE "ocds_record" (
    "ocid" TEXT NOT NULL,
    "tender_id" UUID NOT NULL,
    "last_seq" BIGINT NOT NULL,
    "date" TIMESTAMPTZ(3) NOT NULL,
    "hash" TEXT NOT NULL,
    "snapshot" TEXT NOT NULL,
    "compiled" TEXT NOT NULL,

    CONSTRAINT "ocds_record_pkey" PRIMARY KEY ("ocid")
);

-- CreateTable
CREATE TABLE "ocds_position" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "position" BIGINT NOT NULL,
    "heard_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "ocds_position_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "tender_buyer_created_id_idx" ON "tender"("buyer", "created", "id");

-- CreateIndex
CREATE INDEX "tender_status_created_id_idx" ON "tender"("status", "created", "id");

-- CreateIndex
CREATE UNIQUE INDEX "tender_position_key" ON "tender"("position");

-- CreateIndex
CREATE UNIQUE INDEX "party_scheme_code_key" ON "party"("scheme", "code");

-- CreateIndex
CREATE INDEX "statistic_buyer_period_idx" ON "statistic"("buyer", "period");

-- CreateIndex
CREATE INDEX "revision_id_rev_idx" ON "revision"("id", "rev");

-- CreateIndex
CREATE INDEX "webhook_broker_idx" ON "webhook"("broker");

-- CreateIndex
CREATE INDEX "webhook_status_lease_until_idx" ON "webhook"("status", "lease_until");

-- CreateIndex
CREATE INDEX "webhook_secret_webhook_idx" ON "webhook_secret"("webhook");

-- CreateIndex
CREATE INDEX "webhook_parked_webhook_dead_at_position_idx" ON "webhook_parked"("webhook", "dead_at", "position");

-- CreateIndex
CREATE INDEX "webhook_range_webhook_idx" ON "webhook_range"("webhook");

-- CreateIndex
CREATE INDEX "export_run_state_position_to_idx" ON "export_run"("state", "position_to");

-- CreateIndex
CREATE INDEX "redaction_tender_idx" ON "redaction"("tender");

-- CreateIndex
CREATE INDEX "redaction_file_name_idx" ON "redaction_file"("name");

-- CreateIndex
CREATE INDEX "ocds_release_date_idx" ON "ocds_release"("date");

-- CreateIndex
CREATE INDEX "ocds_release_position_seq_idx" ON "ocds_release"("position", "seq");

-- CreateIndex
CREATE UNIQUE INDEX "ocds_release_ocid_id_key" ON "ocds_release"("ocid", "id");

-- CreateIndex
CREATE UNIQUE INDEX "ocds_release_ocid_date_key" ON "ocds_release"("ocid", "date");

-- CreateIndex
CREATE UNIQUE INDEX "ocds_record_tender_id_key" ON "ocds_record"("tender_id");

-- CreateIndex
CREATE UNIQUE INDEX "ocds_record_last_seq_key" ON "ocds_record"("last_seq");

-- Trigrams of the dictionaries (register.md 6.3). Trusted: the owner of the database may create it.
CREATE EXTENSION IF NOT EXISTS pg_trgm;

-- One for each order of lists (register.md 10.1), which show listed tenders only.
CREATE INDEX "tender_by_created" ON "tender"("is_test", "created", "id") WHERE "listed";
CREATE INDEX "tender_by_end" ON "tender"("is_test", "tender_end", "id") WHERE "listed";
CREATE INDEX "tender_by_amount" ON "tender"("is_test", "currency", "amount", "id") WHERE "listed";
CREATE INDEX "tender_by_position" ON "tender"("is_test", "position") WHERE "listed";

-- Numbers are looked up whatever the case of their letters (register.md 6.1).
CREATE INDEX "tender_by_number" ON "tender"(lower("number")) WHERE "listed";

CREATE INDEX "tender_words_gin" ON "tender_words" USING gin ("words");
CREATE INDEX "word_trgm" ON "word" USING gin ("word" gin_trgm_ops);
CREATE INDEX "party_trgm" ON "party" USING gin ("folded" gin_trgm_ops);
-- For prefixes of words, whatever the locale.
CREATE INDEX "word_prefix" ON "word"("word" text_pattern_ops);

-- Releases that may be packed.
CREATE INDEX "ocds_release_unpacked" ON "ocds_release" ("inserted_at", "seq") WHERE "body" IS NOT NULL;

-- Room for updates in the page of the row: each revision rewrites both rows.
ALTER TABLE "tender" SET (fillfactor = 80);
ALTER TABLE "tender_body" SET (fillfactor = 80);

-- Packs are compressed already.
ALTER TABLE "revision_pack" ALTER COLUMN "pack" SET STORAGE EXTERNAL;
ALTER TABLE "ocds_pack" ALTER COLUMN "pack" SET STORAGE EXTERNAL;
