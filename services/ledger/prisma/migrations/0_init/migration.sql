-- CreateTable
CREATE TABLE "head" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "size" BIGINT NOT NULL DEFAULT 0,
    "root" BYTEA NOT NULL,
    "edge" BYTEA[],
    "note" TEXT NOT NULL DEFAULT '',
    "published" BIGINT NOT NULL DEFAULT 0,
    "position" BIGINT NOT NULL DEFAULT 0,
    "number" BIGINT,
    "epoch" BIGINT,
    "redaction" BIGINT NOT NULL DEFAULT 0,
    "phase" TEXT NOT NULL DEFAULT 'listing',
    "halted" TEXT,
    "blind_check" BYTEA NOT NULL,

    CONSTRAINT "head_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "leaf" (
    "index" BIGINT NOT NULL,
    "tender" UUID,
    "rev" BIGINT,
    "position" BIGINT,
    "kind" TEXT NOT NULL,
    "hash" BYTEA NOT NULL,
    "redacted_by" BIGINT,

    CONSTRAINT "leaf_pkey" PRIMARY KEY ("index")
);

-- CreateTable
CREATE TABLE "open_entry" (
    "index" BIGINT NOT NULL,
    "text" TEXT NOT NULL,

    CONSTRAINT "open_entry_pkey" PRIMARY KEY ("index")
);

-- CreateTable
CREATE TABLE "checkpoint" (
    "size" BIGINT NOT NULL,
    "note" TEXT NOT NULL,
    "at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "checkpoint_pkey" PRIMARY KEY ("size")
);

-- CreateTable
CREATE TABLE "cosignature" (
    "size" BIGINT NOT NULL,
    "witness" TEXT NOT NULL,
    "line" TEXT NOT NULL,

    CONSTRAINT "cosignature_pkey" PRIMARY KEY ("size","witness")
);

-- CreateTable
CREATE TABLE "upload" (
    "path" TEXT NOT NULL,
    "bytes" BYTEA NOT NULL,

    CONSTRAINT "upload_pkey" PRIMARY KEY ("path")
);

-- CreateIndex
CREATE INDEX "leaf_tender_index_idx" ON "leaf"("tender", "index");

CREATE INDEX "leaf_restore" ON "leaf"("index") WHERE "kind" = 'restore';

ALTER TABLE "head" ADD CONSTRAINT "head_is_one" CHECK ("id" = 1);
ALTER TABLE "head" ADD CONSTRAINT "head_phase" CHECK ("phase" IN ('listing', 'begins', 'follows'));

-- What is in the log stays as it is, also for the owner of the tables. A superuser may change it; verifiers then see it.
REVOKE UPDATE, DELETE, TRUNCATE ON "leaf" FROM CURRENT_USER;
GRANT UPDATE ("redacted_by") ON "leaf" TO CURRENT_USER;
REVOKE UPDATE, TRUNCATE ON "open_entry" FROM CURRENT_USER;
