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
CREATE TABLE "redaction_file" (
    "redaction" BIGINT NOT NULL,
    "name" TEXT NOT NULL,
    "n" INTEGER NOT NULL,
    "former_key" TEXT,
    "done" BOOLEAN NOT NULL,

    CONSTRAINT "redaction_file_pkey" PRIMARY KEY ("redaction","name","n")
);

-- CreateIndex
CREATE INDEX "redaction_tender_idx" ON "redaction"("tender");

-- CreateIndex
CREATE INDEX "redaction_file_name_idx" ON "redaction_file"("name");
