-- CreateTable
CREATE TABLE "idempotency" (
    "key_hash" TEXT NOT NULL,
    "body_hash" TEXT NOT NULL,
    "started_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "answer" BYTEA,

    CONSTRAINT "idempotency_pkey" PRIMARY KEY ("key_hash")
);

-- CreateIndex
CREATE INDEX "idempotency_started_at_idx" ON "idempotency"("started_at");
