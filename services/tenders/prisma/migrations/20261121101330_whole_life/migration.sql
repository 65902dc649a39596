-- What a tender waits for, and what its siblings told of it. `surroundings` is JSON text like `document`; `view_hash` tells
-- whether a change shows at all; `due_at` is when the clock has to act, in microseconds of real time.
ALTER TABLE "tender" ADD COLUMN     "due_at" BIGINT,
ADD COLUMN     "surroundings" TEXT NOT NULL DEFAULT '{}',
ADD COLUMN     "view_hash" TEXT NOT NULL DEFAULT '';

-- Tenders that were stored before are looked at once, which computes when they are due.
UPDATE "tender" SET "due_at" = 0;

CREATE INDEX "tender_due" ON "tender"("due_at") WHERE "due_at" IS NOT NULL;

DROP FUNCTION save_tender(TEXT, TEXT, BIGINT, BIGINT, TEXT, TEXT, TEXT, TEXT, TEXT, UUID[], TEXT[], TEXT[], TEXT[],
    BOOLEAN, BOOLEAN, TEXT, TEXT, TEXT);

-- State and the public view of one tender; `save_tenders` stores the events with it. p_expected 0
-- creates; another value must be the stored version, else serialization_failure, upon which the caller reads again and
-- decides again. A change that does not show (p_publish false) leaves view and feed alone and gives null.
CREATE FUNCTION save_tender(
    p_id TEXT, p_tender_id TEXT, p_expected BIGINT, p_version BIGINT, p_owner TEXT, p_owner_token_hash TEXT,
    p_transfer_hash TEXT, p_document TEXT, p_surroundings TEXT, p_facts TEXT, p_view_hash TEXT, p_due_at BIGINT,
    p_publish BOOLEAN, p_listed BOOLEAN, p_is_test BOOLEAN, p_head TEXT, p_tail TEXT, p_fast_fields TEXT
) RETURNS TEXT LANGUAGE plpgsql AS $$
DECLARE
    next_rev BIGINT := 1;
BEGIN
    IF p_expected = 0 THEN
        INSERT INTO tender (id, tender_id, version, public_rev, owner, owner_token_hash, transfer_hash, document,
                surroundings, facts, view_hash, due_at)
            VALUES (p_id, p_tender_id, p_version, 1, p_owner, p_owner_token_hash, p_transfer_hash, p_document,
                p_surroundings, p_facts, p_view_hash, p_due_at);
    ELSE
        UPDATE tender SET version = p_version, public_rev = public_rev + p_publish::INT, owner = p_owner,
            owner_token_hash = p_owner_token_hash, transfer_hash = p_transfer_hash, document = p_document,
            surroundings = p_surroundings, facts = p_facts, view_hash = p_view_hash, due_at = p_due_at
            WHERE id = p_id AND version = p_expected RETURNING public_rev INTO next_rev;
        IF NOT FOUND THEN
            RAISE EXCEPTION 'tender % is not at version %', p_id, p_expected USING ERRCODE = 'serialization_failure';
        END IF;
    END IF;
    IF NOT p_publish THEN
        RETURN NULL;
    END IF;
    RETURN publish_tender(p_id, next_rev, p_listed, p_is_test, p_head, p_tail, p_fast_fields);
END
$$;

-- Several tenders, their events first, in one round trip. The feed's lock is taken by the first that shows and held to the
-- commit, so the commit must follow at once.
CREATE FUNCTION save_tenders(
    p_event_ids UUID[], p_subjects TEXT[], p_envelopes TEXT[], p_reply_tos TEXT[],
    p_ids TEXT[], p_tender_ids TEXT[], p_expected BIGINT[], p_versions BIGINT[], p_owners TEXT[],
    p_owner_token_hashes TEXT[], p_transfer_hashes TEXT[], p_documents TEXT[], p_surroundings TEXT[], p_facts TEXT[],
    p_view_hashes TEXT[], p_due_ats BIGINT[], p_publish BOOLEAN[], p_listed BOOLEAN[], p_is_test BOOLEAN[],
    p_heads TEXT[], p_tails TEXT[], p_fast_fields TEXT[]
) RETURNS TEXT[] LANGUAGE plpgsql AS $$
DECLARE
    modified TEXT[] := '{}';
BEGIN
    INSERT INTO outbox (id, subject, envelope, reply_to)
        SELECT * FROM unnest(p_event_ids, p_subjects, p_envelopes, p_reply_tos);
    FOR n IN 1 .. cardinality(p_ids) LOOP
        modified := array_append(modified, save_tender(p_ids[n], p_tender_ids[n], p_expected[n], p_versions[n],
            p_owners[n], p_owner_token_hashes[n], p_transfer_hashes[n], p_documents[n], p_surroundings[n], p_facts[n],
            p_view_hashes[n], p_due_ats[n], p_publish[n], p_listed[n], p_is_test[n], p_heads[n], p_tails[n],
            p_fast_fields[n]));
    END LOOP;
    RETURN modified;
END
$$;
