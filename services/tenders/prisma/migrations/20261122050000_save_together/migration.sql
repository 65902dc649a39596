-- Saves tenders of several writers in one transaction, which waits for none of their rows: null, and nothing saved, when a row is
-- locked or has another version than the expected one. Then each is saved by itself.
CREATE FUNCTION save_tenders_together(
    p_events JSON, p_states JSON, p_publications JSON, p_logged BOOLEAN, p_ids TEXT[], p_versions BIGINT[]
) RETURNS TEXT[] LANGUAGE plpgsql AS $$
DECLARE
    locked INTEGER;
BEGIN
    PERFORM FROM tender JOIN unnest(p_ids, p_versions) AS expected(id, version)
        ON expected.id = tender.id AND expected.version = tender.version FOR UPDATE OF tender SKIP LOCKED;
    GET DIAGNOSTICS locked = ROW_COUNT;
    IF locked < cardinality(p_ids) THEN
        RETURN NULL;
    END IF;
    RETURN save_tenders(p_events, p_states, p_publications, p_logged);
END
$$;
