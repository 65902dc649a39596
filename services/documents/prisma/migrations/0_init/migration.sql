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
CREATE TABLE "tender_documents" (
    "tender_id" TEXT NOT NULL,
    "version" BIGINT NOT NULL DEFAULT 0,
    "bids_opened" BOOLEAN NOT NULL DEFAULT false,
    "freeze_number" BIGINT,
    "frozen_at" TIMESTAMPTZ(6),
    "freeze_version" BIGINT,
    "bids_erased" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "tender_documents_pkey" PRIMARY KEY ("tender_id")
);

-- CreateIndex
CREATE INDEX "document_version_tender_id_position_idx" ON "document_version"("tender_id", "position");

-- CreateIndex
CREATE INDEX "document_version_document_id_position_idx" ON "document_version"("document_id", "position");

-- CreateIndex
CREATE INDEX "document_version_parent_kind_parent_id_position_idx" ON "document_version"("parent_kind", "parent_id", "position");

-- CreateIndex
CREATE INDEX "document_version_file_id_idx" ON "document_version"("file_id");

-- AddForeignKey
ALTER TABLE "document_version" ADD CONSTRAINT "document_version_file_id_fkey" FOREIGN KEY ("file_id") REFERENCES "file"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- The clean-up looks at files that no document refers to, which are few.
CREATE INDEX "file_unreferenced" ON "file"("created_at") WHERE NOT "referenced";

-- Held freezes are few of all rows, and looked for every 20 s (docs/decisions/0060-freezes.md).
CREATE INDEX "tender_documents_frozen" ON "tender_documents" ("frozen_at") WHERE "frozen_at" IS NOT NULL;
