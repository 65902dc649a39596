-- As before, with one search in the index for each tender: the plan comes from when the table was empty, and a join read all of it
-- until the first ANALYZE.
CREATE OR REPLACE FUNCTION save_tenders_together(
    p_events JSON, p_states JSON, p_publications JSON, p_logged BOOLEAN, p_ids TEXT[], p_versions BIGINT[]
) RETURNS TEXT[] LANGUAGE plpgsql AS $$
DECLARE
    locked INTEGER;
BEGIN
    PERFORM FROM unnest(p_ids, p_versions) AS expected(id, version) CROSS JOIN LATERAL (
        SELECT FROM tender WHERE tender.id = expected.id AND tender.version = expected.version LIMIT 1 FOR UPDATE SKIP LOCKED
    ) AS free;
    GET DIAGNOSTICS locked = ROW_COUNT;
    IF locked < cardinality(p_ids) THEN
        RETURN NULL;
    END IF;
    RETURN save_tenders(p_events, p_states, p_publications, p_logged);
END
$$;
