-- Saves events, states and publications of several tenders in one round trip, and returns the date of each publication. A tender whose
-- public view did not change has no publication. `expected` is the stored version, or 0 for a new tender; another version is a
-- serialization_failure, upon which the caller reads again and decides again.
-- The first publication takes the lock of the feed, after everything that can be written before it, and holds it to the commit: the
-- commit must follow at once.
-- Long texts are arrays beside the rows, in their order: inside JSON each quote of a text would be escaped.
CREATE FUNCTION save_tenders(
    p_events JSON, p_envelopes TEXT[],
    p_states JSON, p_documents TEXT[], p_private_states TEXT[], p_facts TEXT[],
    p_publications JSON, p_heads TEXT[], p_tails TEXT[], p_logged BOOLEAN
) RETURNS TEXT[] LANGUAGE plpgsql AS $$
DECLARE
    given RECORD;
    modified TEXT[] := '{}';
BEGIN
    INSERT INTO kit.outbox (id, subject, envelope, reply_to)
        SELECT id, subject, envelope, reply_to
        FROM ROWS FROM (json_to_recordset(p_events) AS (id UUID, subject TEXT, "replyTo" TEXT), unnest(p_envelopes))
            AS event(id, subject, reply_to, envelope);
    FOR given IN SELECT * FROM ROWS FROM (
        json_to_recordset(p_states) AS (
            id TEXT, "tenderId" TEXT, expected BIGINT, version BIGINT, rev BIGINT, owner TEXT, "ownerTokenHash" TEXT,
            "transferHash" TEXT, "viewHash" TEXT, "dueAt" BIGINT
        ), unnest(p_documents), unnest(p_private_states), unnest(p_facts)
    ) AS state(
        id, tender_id, expected, version, rev, owner, owner_token_hash, transfer_hash, view_hash, due_at,
        document, private_state, facts
    ) LOOP
        IF given.expected = 0 THEN
            INSERT INTO tender (id, tender_id, version, public_rev, owner, owner_token_hash, transfer_hash, document,
                    private_state, facts, view_hash, due_at)
                VALUES (given.id, given.tender_id, given.version, given.rev, given.owner, given.owner_token_hash,
                    given.transfer_hash, given.document, given.private_state, given.facts, given.view_hash, given.due_at);
        ELSE
            UPDATE tender SET version = given.version, public_rev = given.rev, owner = given.owner,
                owner_token_hash = given.owner_token_hash, transfer_hash = given.transfer_hash, document = given.document,
                private_state = given.private_state, facts = given.facts, view_hash = given.view_hash, due_at = given.due_at
                WHERE id = given.id AND version = given.expected;
            IF NOT FOUND THEN
                RAISE EXCEPTION 'tender % is not at version %', given.id, given.expected USING ERRCODE = 'serialization_failure';
            END IF;
        END IF;
    END LOOP;
    IF p_logged THEN
        INSERT INTO tender_publication_text (tender_id, version, head, tail)
            SELECT id, version, head, tail
            FROM ROWS FROM (
                json_to_recordset(p_publications) AS (id TEXT, version BIGINT, listed BOOLEAN), unnest(p_heads), unnest(p_tails)
            ) AS publication(id, version, listed, head, tail) WHERE listed;
    END IF;
    FOR given IN SELECT * FROM ROWS FROM (
        json_to_recordset(p_publications) AS (
            id TEXT, version BIGINT, rev BIGINT, listed BOOLEAN, "isTest" BOOLEAN, "fastFields" TEXT, causes BIGINT
        ), unnest(p_heads), unnest(p_tails)
    ) AS publication(id, version, rev, listed, is_test, fast_fields, causes, head, tail) LOOP
        modified := array_append(modified, publish_tender(given.id, given.version, given.rev, given.listed, given.is_test,
            given.head, given.tail, given.fast_fields, given.causes, p_logged));
    END LOOP;
    RETURN modified;
END
$$;
