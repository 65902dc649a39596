-- Data of events that are too large for a message of NATS. Consumers request it by the event's id.
CREATE TABLE "event_data" (
    "id" UUID NOT NULL,
    "attributes" TEXT NOT NULL,
    "data" BYTEA NOT NULL,
    "sha256" TEXT NOT NULL,
    "published_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "event_data_pkey" PRIMARY KEY ("id")
);
-- Not compressed: a part is read without the rest.
ALTER TABLE "event_data" ALTER COLUMN "data" SET STORAGE EXTERNAL;
CREATE INDEX "event_data_published_at_idx" ON "event_data"("published_at");
