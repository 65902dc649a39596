-- CreateTable
CREATE TABLE "export_run" (
    "name" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "mode" TEXT NOT NULL,
    "position_from" BIGINT,
    "position_to" BIGINT NOT NULL,
    "epoch" INTEGER,
    "state" TEXT NOT NULL DEFAULT 'open',
    "asked" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "finished" TIMESTAMPTZ(6),
    "retry_at" TIMESTAMPTZ(6),
    "error" TEXT,

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

    CONSTRAINT "export_file_pkey" PRIMARY KEY ("name","n")
);

-- CreateIndex
CREATE INDEX "export_run_state_position_to_idx" ON "export_run"("state", "position_to");
