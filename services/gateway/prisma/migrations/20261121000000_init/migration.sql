-- Whoever has credentials: a broker, or a component of the system.
CREATE TABLE "broker" (
    "name" TEXT NOT NULL,
    "group" TEXT NOT NULL,
    "levels" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "broker_pkey" PRIMARY KEY ("name")
);

-- SHA-256 in hex of the API keys, never the keys. A revoked row stays, so that its key can never come back.
CREATE TABLE "broker_key" (
    "key_hash" CHAR(64) NOT NULL,
    "broker" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "revoked_at" TIMESTAMPTZ(6),

    CONSTRAINT "broker_key_pkey" PRIMARY KEY ("key_hash")
);
CREATE INDEX "broker_key_broker_idx" ON "broker_key"("broker");
ALTER TABLE "broker_key" ADD CONSTRAINT "broker_key_broker_fkey" FOREIGN KEY ("broker") REFERENCES "broker"("name") ON DELETE RESTRICT ON UPDATE CASCADE;

CREATE TABLE "outbox" (
    "position" BIGSERIAL NOT NULL,
    "id" UUID NOT NULL,
    "subject" TEXT NOT NULL,
    "envelope" TEXT NOT NULL,
    "reply_to" TEXT,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "sent_at" TIMESTAMPTZ(6),

    CONSTRAINT "outbox_pkey" PRIMARY KEY ("position")
);
CREATE UNIQUE INDEX "outbox_id_key" ON "outbox"("id");
CREATE INDEX "outbox_unsent" ON "outbox"("position") WHERE "sent_at" IS NULL;

CREATE TABLE "inbox" (
    "durable" TEXT NOT NULL,
    "event_id" UUID NOT NULL,
    "received_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "inbox_pkey" PRIMARY KEY ("durable","event_id")
);
CREATE INDEX "inbox_received_at_idx" ON "inbox"("received_at");

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
