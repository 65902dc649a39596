-- Saves tenders of several writers in one transaction, as save_tenders does, but waits for none of their rows. Returns null, and saves
-- nothing, when a row is locked or has another version than the expected one: then the caller saves each by itself.
CREATE FUNCTION save_tenders_together(
    p_events JSON, p_envelopes TEXT[],
    p_states JSON, p_documents TEXT[], p_surroundings TEXT[], p_facts TEXT[],
    p_publications JSON, p_heads TEXT[], p_tails TEXT[], p_logged BOOLEAN, p_ids TEXT[], p_versions BIGINT[]
) RETURNS TEXT[] LANGUAGE plpgsql AS $$
DECLARE
    locked INTEGER;
BEGIN
    -- One search in the index for each tender, also with a plan from when the table was empty. The arrays stand in subselects, so that
    -- PostgreSQL plans once and not for each length of them (docs/decisions/0151-one-plan-for-all-values.md).
    PERFORM FROM unnest((SELECT p_ids), (SELECT p_versions)) AS expected(id, version) CROSS JOIN LATERAL (
        SELECT FROM tender WHERE tender.id = expected.id AND tender.version = expected.version LIMIT 1 FOR UPDATE SKIP LOCKED
    ) AS free;
    GET DIAGNOSTICS locked = ROW_COUNT;
    IF locked < cardinality(p_ids) THEN
        RETURN NULL;
    END IF;
    RETURN save_tenders(p_events, p_envelopes, p_states, p_documents, p_surroundings, p_facts, p_publications, p_heads, p_tails,
        p_logged);
END
$$;
