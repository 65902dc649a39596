-- Puts a tender at the end of the feed, stores the text that the public sees, and adds the publication to the log. Returns its date.
-- Holds the lock of the feed from `feed_tick` on. Each statement after it has a snapshot that is younger than the lock (READ COMMITTED),
-- so that it reads the newest stamp and number.
-- A draft that was never listed has a view only: nobody follows it, so it takes no place in the feed and waits for no other writer.
CREATE FUNCTION publish_tender(
    p_id TEXT, p_version BIGINT, p_rev BIGINT, p_listed BOOLEAN, p_is_test BOOLEAN, p_head TEXT, p_tail TEXT,
    p_fast_fields TEXT, p_causes BIGINT, p_logged BOOLEAN
) RETURNS TEXT LANGUAGE plpgsql AS $$
DECLARE
    is_followed BOOLEAN := p_listed OR EXISTS (SELECT FROM tender_feed WHERE tender_id = p_id);
    next_stamp BIGINT := CASE WHEN is_followed THEN feed_tick() ELSE (extract(epoch FROM clock_timestamp()) * 1000000)::BIGINT END;
    modified TEXT := feed_text(next_stamp);
    next_body TEXT := p_head || modified || p_tail;
    last_stamp BIGINT;
    last_number BIGINT;
    next_revision INTEGER;
BEGIN
    IF is_followed AND p_logged THEN
        SELECT (SELECT max(stamp) FROM tender_feed), (SELECT max(number) FROM tender_publication) INTO last_stamp, last_number;
    END IF;
    INSERT INTO tender_view (tender_id, rev, body) VALUES (p_id, p_rev, next_body)
        ON CONFLICT (tender_id) DO UPDATE SET rev = excluded.rev, body = excluded.body;
    IF NOT is_followed THEN
        RETURN modified;
    END IF;
    INSERT INTO tender_feed (tender_id, stamp, rev, listed, is_test, entry, fast_fields, revision)
        VALUES (p_id, next_stamp, p_rev, p_listed, p_is_test,
            '{"id":"' || p_id || '","dateModified":"' || modified || '"}', p_fast_fields, (p_listed AND p_logged)::INTEGER)
        ON CONFLICT (tender_id) DO UPDATE SET stamp = excluded.stamp, rev = excluded.rev, listed = excluded.listed,
            is_test = excluded.is_test, entry = excluded.entry, fast_fields = excluded.fast_fields,
            revision = tender_feed.revision + excluded.revision
        RETURNING revision INTO next_revision;
    IF p_logged AND p_listed THEN
        INSERT INTO tender_publication
                (stamp, previous, tender_id, version, rev, listed, is_test, causes, number, revision, sha256)
            VALUES (next_stamp, coalesce(last_stamp, 0), p_id, p_version, p_rev, TRUE, p_is_test, p_causes,
                coalesce(last_number, 0) + 1, next_revision, sha256(convert_to(next_body, 'UTF8')));
    ELSIF p_logged THEN
        INSERT INTO tender_publication (stamp, previous, tender_id, version, rev, listed, is_test, causes)
            VALUES (next_stamp, coalesce(last_stamp, 0), p_id, p_version, p_rev, FALSE, p_is_test, p_causes);
    END IF;
    RETURN modified;
END
$$;
