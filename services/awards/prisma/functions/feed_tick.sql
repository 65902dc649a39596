-- The next stamp of the feed, in microseconds since 1970 UTC. Stamps are in commit order: the lock is held to the end of the transaction
-- and is the last one it takes, so a reader who has seen a stamp never misses a smaller one (http.md 1.8).
CREATE FUNCTION feed_tick() RETURNS BIGINT LANGUAGE plpgsql AS $$
DECLARE
    next_stamp BIGINT;
BEGIN
    PERFORM pg_advisory_xact_lock(7270738001);
    SELECT greatest((extract(epoch FROM clock_timestamp()) * 1000000)::BIGINT, last_value + 1) INTO next_stamp FROM feed_clock;
    PERFORM setval('feed_clock', next_stamp);
    RETURN next_stamp;
END
$$;
