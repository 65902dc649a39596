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
