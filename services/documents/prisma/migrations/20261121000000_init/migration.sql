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

CREATE TABLE "replica" (
    "kind" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "version" BIGINT NOT NULL,
    "facts" TEXT NOT NULL,
    "updated_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "replica_pkey" PRIMARY KEY ("kind","id")
);
