-- CreateTable
CREATE TABLE "auction" (
    "id" TEXT NOT NULL,
    "tender_id" TEXT NOT NULL,
    "lot_id" TEXT,
    "shard" SMALLINT NOT NULL,
    "seq" INTEGER NOT NULL,
    "phase" TEXT NOT NULL,
    "start_at" BIGINT NOT NULL,
    "due_at" BIGINT,
    "ahead_micros" BIGINT NOT NULL DEFAULT 0,
    "outages_seen" INTEGER NOT NULL,
    "state" TEXT NOT NULL,
    "test" BOOLEAN NOT NULL,
    "number" TEXT,
    "updated_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "auction_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "auction_event" (
    "auction_id" TEXT NOT NULL,
    "seq" INTEGER NOT NULL,
    "type" TEXT NOT NULL,
    "at" BIGINT NOT NULL,
    "recorded_at" TIMESTAMPTZ(6) NOT NULL,
    "epoch" BIGINT,
    "actor" TEXT NOT NULL,
    "data" TEXT NOT NULL,

    CONSTRAINT "auction_event_pkey" PRIMARY KEY ("auction_id","seq")
);

-- CreateTable
CREATE TABLE "lease" (
    "shard" SMALLINT NOT NULL,
    "holder" UUID,
    "epoch" BIGINT NOT NULL,
    "until" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "lease_pkey" PRIMARY KEY ("shard")
);

-- CreateTable
CREATE TABLE "replica" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "started_at" TIMESTAMPTZ(6) NOT NULL,
    "alive_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "replica_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "outage" (
    "number" INTEGER NOT NULL,
    "away_from" BIGINT NOT NULL,
    "away_until" BIGINT NOT NULL,

    CONSTRAINT "outage_pkey" PRIMARY KEY ("number")
);

-- CreateTable
CREATE TABLE "task" (
    "auction_id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "shard" SMALLINT NOT NULL,
    "due_at" BIGINT NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "last_error" TEXT,

    CONSTRAINT "task_pkey" PRIMARY KEY ("auction_id","kind")
);

-- CreateTable
CREATE TABLE "tender_reading" (
    "tender_id" TEXT NOT NULL,
    "requested" INTEGER NOT NULL DEFAULT 1,
    "due_at" BIGINT,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "note" TEXT,

    CONSTRAINT "tender_reading_pkey" PRIMARY KEY ("tender_id")
);

-- CreateTable
CREATE TABLE "follow" (
    "name" TEXT NOT NULL,
    "offset" TEXT,
    "read_at" TIMESTAMPTZ(6) NOT NULL,
    "stopped_at" TIMESTAMPTZ(6),
    "stopped_by" TEXT,
    "stopped_reason" TEXT,

    CONSTRAINT "follow_pkey" PRIMARY KEY ("name")
);

-- CreateIndex
CREATE INDEX "auction_shard_due_at_idx" ON "auction"("shard", "due_at");

-- CreateIndex
CREATE INDEX "auction_start_at_id_idx" ON "auction"("start_at", "id");

-- CreateIndex
CREATE INDEX "auction_number_idx" ON "auction"("number");

-- CreateIndex
CREATE INDEX "auction_phase_start_at_idx" ON "auction"("phase", "start_at");

-- CreateIndex
CREATE INDEX "auction_tender_id_idx" ON "auction"("tender_id");

-- CreateIndex
CREATE INDEX "replica_alive_at_idx" ON "replica"("alive_at");

-- CreateIndex
CREATE INDEX "task_shard_due_at_idx" ON "task"("shard", "due_at");

-- CreateIndex
CREATE INDEX "tender_reading_due_at_idx" ON "tender_reading"("due_at");

-- Refuses to change or delete an event of an auction, by the room or by hand. Only the owner of the table can remove the triggers.
CREATE FUNCTION "auction_event_is_append_only"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the table auction_event is append-only: % refused', TG_OP;
END;
$$;

-- Microseconds since 1970, as instants are stored.
CREATE FUNCTION "micros"("at" timestamptz) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
  SELECT (extract(epoch FROM "at") * 1000000)::bigint
$$;

-- The 64 shards, which nobody leads yet.
INSERT INTO "lease" ("shard", "epoch", "until") SELECT shard, 0, '-infinity' FROM generate_series(0, 63) AS shard;

CREATE TRIGGER "auction_event_append_only" BEFORE UPDATE OR DELETE ON "auction_event"
  FOR EACH ROW EXECUTE FUNCTION "auction_event_is_append_only"();
CREATE TRIGGER "auction_event_no_truncate" BEFORE TRUNCATE ON "auction_event"
  FOR EACH STATEMENT EXECUTE FUNCTION "auction_event_is_append_only"();
