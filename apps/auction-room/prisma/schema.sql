-- The 64 shards, which nobody leads yet.
INSERT INTO "lease" ("shard", "epoch", "until") SELECT shard, 0, '-infinity' FROM generate_series(0, 63) AS shard;

CREATE TRIGGER "auction_event_append_only" BEFORE UPDATE OR DELETE ON "auction_event"
  FOR EACH ROW EXECUTE FUNCTION "auction_event_is_append_only"();
CREATE TRIGGER "auction_event_no_truncate" BEFORE TRUNCATE ON "auction_event"
  FOR EACH STATEMENT EXECUTE FUNCTION "auction_event_is_append_only"();
