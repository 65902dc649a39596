-- CreateTable
CREATE TABLE "tender" (
    "id" TEXT NOT NULL,
    "tender_id" TEXT NOT NULL,
    "version" BIGINT NOT NULL,
    "public_rev" BIGINT NOT NULL,
    "owner" TEXT NOT NULL,
    "owner_token_hash" TEXT NOT NULL,
    "transfer_hash" TEXT NOT NULL,
    "document" TEXT NOT NULL,
    "facts" TEXT NOT NULL,
    "private_state" TEXT NOT NULL,
    "view_hash" TEXT NOT NULL,
    "due_at" BIGINT,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "tender_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "tender_view" (
    "tender_id" TEXT NOT NULL,
    "rev" BIGINT NOT NULL,
    "body" TEXT NOT NULL,

    CONSTRAINT "tender_view_pkey" PRIMARY KEY ("tender_id")
);

-- CreateTable
CREATE TABLE "tender_feed" (
    "tender_id" TEXT NOT NULL,
    "stamp" BIGINT NOT NULL,
    "rev" BIGINT NOT NULL,
    "listed" BOOLEAN NOT NULL,
    "is_test" BOOLEAN NOT NULL,
    "entry" TEXT NOT NULL,
    "fast_fields" TEXT NOT NULL,
    "revision" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "tender_feed_pkey" PRIMARY KEY ("tender_id")
);

-- CreateTable
CREATE TABLE "transfer" (
    "id" TEXT NOT NULL,
    "broker" TEXT NOT NULL,
    "token_hash" TEXT NOT NULL,
    "transfer_hash" TEXT NOT NULL,
    "at" BIGINT NOT NULL,
    "used_for" TEXT,

    CONSTRAINT "transfer_pkey" PRIMARY KEY ("id")
);

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
CREATE UNIQUE INDEX "tender_tender_id_key" ON "tender"("tender_id");

-- CreateIndex
CREATE UNIQUE INDEX "tender_feed_stamp_key" ON "tender_feed"("stamp");

-- CreateIndex
CREATE INDEX "transfer_at_idx" ON "transfer"("at");

-- CreateIndex
CREATE UNIQUE INDEX "tender_publication_number_key" ON "tender_publication"("number");

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

-- A stamp as clients see it in dateModified: time zone of the service, six digits, 32 characters.
CREATE FUNCTION feed_text(stamp BIGINT) RETURNS TEXT LANGUAGE sql STABLE SET timezone = 'Europe/Kyiv' AS $$
    SELECT to_char(timestamptz 'epoch' + stamp * interval '1 microsecond', 'YYYY-MM-DD"T"HH24:MI:SS.USTZH:TZM')
$$;

-- The next stamp of the feed, in microseconds since 1970 UTC. Stamps are in commit order: the lock is held to the end of the transaction
-- and is the last one it takes, so a reader who has seen a stamp never misses a smaller one (http.md 1.8).
CREATE FUNCTION feed_tick() RETURNS BIGINT LANGUAGE plpgsql AS $$
DECLARE
    next_stamp BIGINT;
BEGIN
    PERFORM pg_advisory_xact_lock(7270738001);
    SELECT greatest((extract(epoch FROM clock_timestamp()) * 1000000)::BIGINT, last_value + 1) INTO next_stamp FROM feed_clock;
    PERFORM setval('feed_clock', next_stamp);
    RETURN next_stamp;
END
$$;

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

-- The last stamp of the feed. A sequence, because its state lies outside transaction snapshots: whoever holds the lock of feed_tick sees
-- the newest value under any isolation level.
CREATE SEQUENCE "feed_clock" AS BIGINT MINVALUE 0 START 0;

-- A page of the feed reads listed tenders only, in its three modes. The entry is in the index: the rows of a page lie anywhere in the table
-- (docs/performance.md).
CREATE INDEX "tender_feed_all" ON "tender_feed"("stamp") INCLUDE ("entry") WHERE "listed";
CREATE INDEX "tender_feed_real" ON "tender_feed"("stamp") INCLUDE ("entry") WHERE "listed" AND NOT "is_test";
CREATE INDEX "tender_feed_test" ON "tender_feed"("stamp") INCLUDE ("entry") WHERE "listed" AND "is_test";

-- The scheduler reads tenders with a deadline, and most tenders are over.
CREATE INDEX "tender_due" ON "tender"("due_at") WHERE "due_at" IS NOT NULL;

CREATE CONSTRAINT TRIGGER "tender_published" AFTER INSERT OR UPDATE OF "public_rev" ON "tender"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION "tender_must_be_published"();
