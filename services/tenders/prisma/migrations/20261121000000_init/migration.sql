-- A tender as its owner service knows it. `document` is the canonical public document without dateModified and
-- next_check, as JSON text: numbers keep the digits they were stored with.
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
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "tender_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "tender_tender_id_key" ON "tender"("tender_id");

-- What GET /tenders/{id} answers, as ready text with its envelope.
CREATE TABLE "tender_view" (
    "tender_id" TEXT NOT NULL,
    "rev" BIGINT NOT NULL,
    "body" TEXT NOT NULL,

    CONSTRAINT "tender_view_pkey" PRIMARY KEY ("tender_id")
);

-- The feed: one row a tender, at the place of its last published change.
CREATE TABLE "tender_feed" (
    "tender_id" TEXT NOT NULL,
    "stamp" BIGINT NOT NULL,
    "rev" BIGINT NOT NULL,
    "listed" BOOLEAN NOT NULL,
    "is_test" BOOLEAN NOT NULL,
    "entry" TEXT NOT NULL,
    "fast_fields" TEXT NOT NULL,

    CONSTRAINT "tender_feed_pkey" PRIMARY KEY ("tender_id")
);
CREATE UNIQUE INDEX "tender_feed_stamp_key" ON "tender_feed"("stamp");
CREATE INDEX "tender_feed_all" ON "tender_feed"("stamp") WHERE "listed";
CREATE INDEX "tender_feed_real" ON "tender_feed"("stamp") WHERE "listed" AND NOT "is_test";
CREATE INDEX "tender_feed_test" ON "tender_feed"("stamp") WHERE "listed" AND "is_test";

-- The last stamp given out, in microseconds since 1970 UTC. A sequence, because its state lies outside transaction
-- snapshots: whoever holds the lock sees the newest value under any isolation level.
CREATE SEQUENCE "feed_clock" AS BIGINT MINVALUE 0 START 0;

-- The next stamp. The lock is held to the end of the transaction and is the last one it takes, so stamps are in commit
-- order: a reader who saw X will never be owed anything below X.
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

-- A stamp as clients see it: service zone, six digits, 32 characters.
CREATE FUNCTION feed_text(stamp BIGINT) RETURNS TEXT LANGUAGE sql STABLE SET timezone = 'Europe/Kyiv' AS $$
    SELECT to_char(timestamptz 'epoch' + stamp * interval '1 microsecond', 'YYYY-MM-DD"T"HH24:MI:SS.USTZH:TZM')
$$;

-- Puts a tender at the end of the feed and stores what the public sees, joining the two halves around dateModified.
CREATE FUNCTION publish_tender(
    p_id TEXT, p_rev BIGINT, p_listed BOOLEAN, p_is_test BOOLEAN, p_head TEXT, p_tail TEXT, p_fast_fields TEXT
) RETURNS TEXT LANGUAGE plpgsql AS $$
DECLARE
    next_stamp BIGINT := feed_tick();
    modified TEXT := feed_text(next_stamp);
BEGIN
    INSERT INTO tender_view (tender_id, rev, body) VALUES (p_id, p_rev, p_head || modified || p_tail)
        ON CONFLICT (tender_id) DO UPDATE SET rev = excluded.rev, body = excluded.body;
    INSERT INTO tender_feed (tender_id, stamp, rev, listed, is_test, entry, fast_fields)
        VALUES (p_id, next_stamp, p_rev, p_listed, p_is_test,
            '{"id":"' || p_id || '","dateModified":"' || modified || '"}', p_fast_fields)
        ON CONFLICT (tender_id) DO UPDATE SET stamp = excluded.stamp, rev = excluded.rev, listed = excluded.listed,
            is_test = excluded.is_test, entry = excluded.entry, fast_fields = excluded.fast_fields;
    RETURN modified;
END
$$;

-- State, events and the public view of one tender in one round trip. p_expected 0 creates; another value must be the
-- stored version, else serialization_failure, upon which the caller reads again and decides again.
CREATE FUNCTION save_tender(
    p_id TEXT, p_tender_id TEXT, p_expected BIGINT, p_version BIGINT, p_owner TEXT, p_owner_token_hash TEXT,
    p_transfer_hash TEXT, p_document TEXT, p_facts TEXT,
    p_event_ids UUID[], p_subjects TEXT[], p_envelopes TEXT[], p_reply_tos TEXT[],
    p_listed BOOLEAN, p_is_test BOOLEAN, p_head TEXT, p_tail TEXT, p_fast_fields TEXT
) RETURNS TEXT LANGUAGE plpgsql AS $$
DECLARE
    next_rev BIGINT := 1;
BEGIN
    IF p_expected = 0 THEN
        INSERT INTO tender (id, tender_id, version, public_rev, owner, owner_token_hash, transfer_hash, document, facts)
            VALUES (p_id, p_tender_id, p_version, 1, p_owner, p_owner_token_hash, p_transfer_hash, p_document, p_facts);
    ELSE
        UPDATE tender SET version = p_version, public_rev = public_rev + 1, owner = p_owner,
            owner_token_hash = p_owner_token_hash, transfer_hash = p_transfer_hash, document = p_document, facts = p_facts
            WHERE id = p_id AND version = p_expected RETURNING public_rev INTO next_rev;
        IF NOT FOUND THEN
            RAISE EXCEPTION 'tender % is not at version %', p_id, p_expected USING ERRCODE = 'serialization_failure';
        END IF;
    END IF;
    INSERT INTO outbox (id, subject, envelope, reply_to)
        SELECT * FROM unnest(p_event_ids, p_subjects, p_envelopes, p_reply_tos);
    RETURN publish_tender(p_id, next_rev, p_listed, p_is_test, p_head, p_tail, p_fast_fields);
END
$$;

-- A change that raised public_rev and forgot to publish must fail, rather than be missing from the feed.
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
CREATE CONSTRAINT TRIGGER tender_published AFTER INSERT OR UPDATE OF public_rev ON tender
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION tender_must_be_published();

CREATE TABLE "outbox" (
    "position" BIGSERIAL NOT NULL,
    "id" UUID NOT NULL,
    "subject" TEXT NOT NULL,
    "envelope" TEXT NOT NULL,
    "reply_to" TEXT,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "sent_at" TIMESTAMPTZ(6),

    CONSTRAINT "outbox_pkey" PRIMARY KEY ("position")
);
CREATE UNIQUE INDEX "outbox_id_key" ON "outbox"("id");
CREATE INDEX "outbox_unsent" ON "outbox"("position") WHERE "sent_at" IS NULL;

CREATE TABLE "inbox" (
    "durable" TEXT NOT NULL,
    "event_id" UUID NOT NULL,
    "received_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "inbox_pkey" PRIMARY KEY ("durable","event_id")
);
CREATE INDEX "inbox_received_at_idx" ON "inbox"("received_at");

CREATE TABLE "dead_letter" (
    "id" BIGSERIAL NOT NULL,
    "durable" TEXT NOT NULL,
    "event_id" UUID,
    "subject" TEXT NOT NULL,
    "envelope" TEXT NOT NULL,
    "error" TEXT NOT NULL,
    "attempts" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "replayed_at" TIMESTAMPTZ(6),

    CONSTRAINT "dead_letter_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "replica" (
    "kind" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "version" BIGINT NOT NULL,
    "facts" TEXT NOT NULL,
    "updated_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "replica_pkey" PRIMARY KEY ("kind","id")
);
