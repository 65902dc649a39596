-- AlterTable
ALTER TABLE "tender_feed" ADD COLUMN     "revision" INTEGER NOT NULL DEFAULT 0;

-- CreateTable
CREATE TABLE "tender_publication" (
    "stamp" BIGINT NOT NULL,
    "previous" BIGINT NOT NULL,
    "tender_id" TEXT NOT NULL,
    "version" BIGINT NOT NULL,
    "rev" BIGINT NOT NULL,
    "listed" BOOLEAN NOT NULL,
    "is_test" BOOLEAN NOT NULL,
    "causes" BIGINT NOT NULL,
    "number" BIGINT,
    "revision" INTEGER,
    "sha256" BYTEA,

    CONSTRAINT "tender_publication_pkey" PRIMARY KEY ("stamp")
);

-- CreateTable
CREATE TABLE "tender_publication_text" (
    "tender_id" TEXT NOT NULL,
    "version" BIGINT NOT NULL,
    "head" TEXT NOT NULL,
    "tail" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "tender_publication_text_pkey" PRIMARY KEY ("tender_id","version")
);

-- CreateTable
CREATE TABLE "feed_epoch" (
    "epoch" BIGINT NOT NULL,
    "restored_to" BIGINT NOT NULL,
    "began" BIGINT NOT NULL,

    CONSTRAINT "feed_epoch_pkey" PRIMARY KEY ("epoch")
);

-- CreateIndex
CREATE UNIQUE INDEX "tender_publication_number_key" ON "tender_publication"("number");

-- Puts a tender at the end of the feed, stores what the public sees, and adds the publication to the log. Runs under the lock of
-- the feed from its first expression on. Each statement has a snapshot that is younger than the lock (READ COMMITTED), so that it
-- reads the newest stamp and number.
CREATE FUNCTION publish_tender(
    p_id TEXT, p_version BIGINT, p_rev BIGINT, p_listed BOOLEAN, p_is_test BOOLEAN, p_head TEXT, p_tail TEXT,
    p_fast_fields TEXT, p_causes BIGINT, p_logged BOOLEAN
) RETURNS TEXT LANGUAGE plpgsql AS $$
DECLARE
    next_stamp BIGINT := feed_tick();
    modified TEXT := feed_text(next_stamp);
    next_body TEXT := p_head || modified || p_tail;
    last_stamp BIGINT;
    last_number BIGINT;
    next_revision INTEGER;
BEGIN
    IF p_logged THEN
        SELECT (SELECT max(stamp) FROM tender_feed), (SELECT max(number) FROM tender_publication) INTO last_stamp, last_number;
    END IF;
    INSERT INTO tender_view (tender_id, rev, body) VALUES (p_id, p_rev, next_body)
        ON CONFLICT (tender_id) DO UPDATE SET rev = excluded.rev, body = excluded.body;
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

-- Events, states and publications of several tenders in one round trip. The lock of the feed is taken by the first publication,
-- after everything that can be written before it, and held to the commit, so the commit must follow at once. An `expected` version
-- of 0 creates; another must be the stored one, else serialization_failure, upon which the caller reads again and decides again.
-- A tender whose view did not change has no publication. Gives the date of each publication.
CREATE FUNCTION save_tenders(p_events JSON, p_states JSON, p_publications JSON, p_logged BOOLEAN)
RETURNS TEXT[] LANGUAGE plpgsql AS $$
DECLARE
    given RECORD;
    modified TEXT[] := '{}';
BEGIN
    INSERT INTO outbox (id, subject, envelope, reply_to)
        SELECT id, subject, envelope, "replyTo"
        FROM json_to_recordset(p_events) AS event(id UUID, subject TEXT, envelope TEXT, "replyTo" TEXT);
    FOR given IN SELECT * FROM json_to_recordset(p_states) AS state(
        id TEXT, "tenderId" TEXT, expected BIGINT, version BIGINT, rev BIGINT, owner TEXT, "ownerTokenHash" TEXT,
        "transferHash" TEXT, document TEXT, surroundings TEXT, facts TEXT, "viewHash" TEXT, "dueAt" BIGINT
    ) LOOP
        IF given.expected = 0 THEN
            INSERT INTO tender (id, tender_id, version, public_rev, owner, owner_token_hash, transfer_hash, document,
                    surroundings, facts, view_hash, due_at)
                VALUES (given.id, given."tenderId", given.version, given.rev, given.owner, given."ownerTokenHash",
                    given."transferHash", given.document, given.surroundings, given.facts, given."viewHash", given."dueAt");
        ELSE
            UPDATE tender SET version = given.version, public_rev = given.rev, owner = given.owner,
                owner_token_hash = given."ownerTokenHash", transfer_hash = given."transferHash", document = given.document,
                surroundings = given.surroundings, facts = given.facts, view_hash = given."viewHash", due_at = given."dueAt"
                WHERE id = given.id AND version = given.expected;
            IF NOT FOUND THEN
                RAISE EXCEPTION 'tender % is not at version %', given.id, given.expected USING ERRCODE = 'serialization_failure';
            END IF;
        END IF;
    END LOOP;
    IF p_logged THEN
        INSERT INTO tender_publication_text (tender_id, version, head, tail)
            SELECT id, version, head, tail
            FROM json_to_recordset(p_publications) AS publication(id TEXT, version BIGINT, head TEXT, tail TEXT);
    END IF;
    FOR given IN SELECT * FROM json_to_recordset(p_publications) AS publication(
        id TEXT, version BIGINT, rev BIGINT, listed BOOLEAN, "isTest" BOOLEAN, head TEXT, tail TEXT, "fastFields" TEXT, causes BIGINT
    ) LOOP
        modified := array_append(modified, publish_tender(given.id, given.version, given.rev, given.listed, given."isTest",
            given.head, given.tail, given."fastFields", given.causes, p_logged));
    END LOOP;
    RETURN modified;
END
$$;

-- For replicas of the release before, until none runs: their publications are logged too, with the cause `baseline` (not known).
CREATE OR REPLACE FUNCTION save_tenders(
    p_event_ids UUID[], p_subjects TEXT[], p_envelopes TEXT[], p_reply_tos TEXT[],
    p_ids TEXT[], p_tender_ids TEXT[], p_expected BIGINT[], p_versions BIGINT[], p_owners TEXT[],
    p_owner_token_hashes TEXT[], p_transfer_hashes TEXT[], p_documents TEXT[], p_surroundings TEXT[], p_facts TEXT[],
    p_view_hashes TEXT[], p_due_ats BIGINT[], p_publish BOOLEAN[], p_listed BOOLEAN[], p_is_test BOOLEAN[],
    p_heads TEXT[], p_tails TEXT[], p_fast_fields TEXT[]
) RETURNS TEXT[] LANGUAGE plpgsql AS $$
DECLARE
    revs BIGINT[];
    events JSON;
    states JSON;
    publications JSON;
    dates TEXT[];
    modified TEXT[] := '{}';
    published INTEGER := 0;
BEGIN
    -- The callers have locked the rows.
    SELECT array_agg(coalesce(tender.public_rev, 0) + given.publish::INTEGER ORDER BY n) INTO revs
        FROM unnest(p_ids, p_publish) WITH ORDINALITY AS given(id, publish, n) LEFT JOIN tender ON tender.id = given.id;
    SELECT json_agg(json_build_object('id', id, 'subject', subject, 'envelope', envelope, 'replyTo', reply_to) ORDER BY n)
        INTO events
        FROM unnest(p_event_ids, p_subjects, p_envelopes, p_reply_tos) WITH ORDINALITY AS given(id, subject, envelope, reply_to, n);
    SELECT json_agg(json_build_object('id', p_ids[n], 'tenderId', p_tender_ids[n], 'expected', p_expected[n],
            'version', p_versions[n], 'rev', revs[n], 'owner', p_owners[n], 'ownerTokenHash', p_owner_token_hashes[n],
            'transferHash', p_transfer_hashes[n], 'document', p_documents[n], 'surroundings', p_surroundings[n],
            'facts', p_facts[n], 'viewHash', p_view_hashes[n], 'dueAt', p_due_ats[n]) ORDER BY n)
        INTO states FROM generate_subscripts(p_ids, 1) AS n;
    SELECT json_agg(json_build_object('id', p_ids[n], 'version', p_versions[n], 'rev', revs[n], 'listed', p_listed[n],
            'isTest', p_is_test[n], 'head', p_heads[n], 'tail', p_tails[n], 'fastFields', p_fast_fields[n],
            'causes', 1 << 18) ORDER BY n)
        INTO publications FROM generate_subscripts(p_ids, 1) AS n WHERE p_publish[n];
    dates := save_tenders(coalesce(events, '[]'), states, coalesce(publications, '[]'), TRUE);
    FOR n IN 1 .. cardinality(p_ids) LOOP
        IF p_publish[n] THEN
            published := published + 1;
            modified := array_append(modified, dates[published]);
        ELSE
            modified := array_append(modified, NULL);
        END IF;
    END LOOP;
    RETURN modified;
END
$$;

-- Begins an epoch unless it, or a later one, has begun. The second look is under the lock of the feed.
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
