-- Refuses a change that raised public_rev without a publication, which would be missing from the feed. A draft that was never listed is
-- not in the feed: its view tells.
CREATE FUNCTION tender_must_be_published() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (
        SELECT FROM tender
        WHERE id = NEW.id AND public_rev = coalesce((SELECT rev FROM tender_feed WHERE tender_id = NEW.id),
            (SELECT rev FROM tender_view WHERE tender_id = NEW.id))
    ) THEN
        RAISE EXCEPTION 'tender % was changed without being published', NEW.id;
    END IF;
    RETURN NULL;
END
$$;
