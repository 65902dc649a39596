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
