-- CreateTable
CREATE TABLE "broker" (
    "name" TEXT NOT NULL,
    "group" TEXT NOT NULL,
    "levels" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "broker_pkey" PRIMARY KEY ("name")
);

-- CreateTable
CREATE TABLE "broker_key" (
    "key_hash" CHAR(64) NOT NULL,
    "broker" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "revoked_at" TIMESTAMPTZ(6),

    CONSTRAINT "broker_key_pkey" PRIMARY KEY ("key_hash")
);

-- CreateTable
CREATE TABLE "idempotency" (
    "key_hash" TEXT NOT NULL,
    "body_hash" TEXT NOT NULL,
    "first_used_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "started_at" TIMESTAMPTZ(6) DEFAULT CURRENT_TIMESTAMP,
    "answer" BYTEA,

    CONSTRAINT "idempotency_pkey" PRIMARY KEY ("key_hash")
);

-- CreateIndex
CREATE INDEX "broker_key_broker_idx" ON "broker_key"("broker");

-- CreateIndex
CREATE INDEX "idempotency_first_used_at_idx" ON "idempotency"("first_used_at");

-- AddForeignKey
ALTER TABLE "broker_key" ADD CONSTRAINT "broker_key_broker_fkey" FOREIGN KEY ("broker") REFERENCES "broker"("name") ON DELETE RESTRICT ON UPDATE CASCADE;
