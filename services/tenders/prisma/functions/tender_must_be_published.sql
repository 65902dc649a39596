-- Refuses a change that raised public_rev without a publication, which would be missing from the feed.
CREATE FUNCTION tender_must_be_published() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (
        SELECT FROM tender JOIN tender_feed ON tender_feed.tender_id = tender.id AND tender_feed.rev = tender.public_rev
        WHERE tender.id = NEW.id
    ) THEN
        RAISE EXCEPTION 'tender % was changed without being published', NEW.id;
    END IF;
    RETURN NULL;
END
$$;
