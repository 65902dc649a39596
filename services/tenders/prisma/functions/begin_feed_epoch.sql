-- Records a restore that lost commits: begins the epoch unless it, or a later one, has begun. The second look is under the lock of
-- the feed.
CREATE FUNCTION begin_feed_epoch(p_epoch BIGINT) RETURNS VOID LANGUAGE plpgsql AS $$
DECLARE
    next_stamp BIGINT;
BEGIN
    IF EXISTS (SELECT FROM feed_epoch WHERE epoch >= p_epoch) THEN
        RETURN;
    END IF;
    next_stamp := feed_tick();
    INSERT INTO feed_epoch (epoch, restored_to, began)
        SELECT p_epoch, coalesce((SELECT max(stamp) FROM tender_feed), 0), next_stamp
        WHERE NOT EXISTS (SELECT FROM feed_epoch WHERE epoch >= p_epoch);
END
$$;
