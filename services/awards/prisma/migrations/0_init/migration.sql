-- CreateTable
CREATE TABLE "awarding" (
    "tender_id" TEXT NOT NULL,
    "version" BIGINT NOT NULL,
    "document" TEXT NOT NULL,
    "inner" TEXT NOT NULL,
    "due_at" BIGINT,

    CONSTRAINT "awarding_pkey" PRIMARY KEY ("tender_id")
);

-- CreateTable
CREATE TABLE "contract_place" (
    "contract_id" TEXT NOT NULL,
    "tender_id" TEXT NOT NULL,

    CONSTRAINT "contract_place_pkey" PRIMARY KEY ("contract_id")
);

-- CreateTable
CREATE TABLE "contract_view" (
    "contract_id" TEXT NOT NULL,
    "view_hash" TEXT NOT NULL,
    "body" TEXT NOT NULL,

    CONSTRAINT "contract_view_pkey" PRIMARY KEY ("contract_id")
);

-- CreateTable
CREATE TABLE "contract_feed" (
    "contract_id" TEXT NOT NULL,
    "stamp" BIGINT NOT NULL,
    "is_test" BOOLEAN NOT NULL,
    "entry" TEXT NOT NULL,
    "fast_fields" TEXT NOT NULL,

    CONSTRAINT "contract_feed_pkey" PRIMARY KEY ("contract_id")
);

-- CreateIndex
CREATE UNIQUE INDEX "contract_feed_stamp_key" ON "contract_feed"("stamp");

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

-- Puts contracts at the end of their feed, in the order given, and stores the text that the public sees. Contracts of which the public
-- sees what it saw are left out, unless `p_always`. The caller holds the locks of their awardings. The first publication takes the lock
-- of the feed, after everything else that the transaction writes, and holds it to the commit: the commit must follow at once.
CREATE FUNCTION publish_contracts(
    p_contracts JSON, p_heads TEXT[], p_tails TEXT[], p_always BOOLEAN
) RETURNS VOID LANGUAGE plpgsql AS $$
DECLARE
    given RECORD;
    next_stamp BIGINT;
    modified TEXT;
BEGIN
    FOR given IN SELECT * FROM ROWS FROM (
        json_to_recordset(p_contracts) AS (id TEXT, "isTest" BOOLEAN, "viewHash" TEXT, "fastFields" TEXT),
        unnest(p_heads), unnest(p_tails)
    ) AS contract(id, is_test, view_hash, fast_fields, head, tail)
        WHERE p_always OR NOT EXISTS (
            SELECT FROM contract_view AS before WHERE before.contract_id = contract.id AND before.view_hash = contract.view_hash
        )
    LOOP
        next_stamp := feed_tick();
        modified := feed_text(next_stamp);
        INSERT INTO contract_view (contract_id, view_hash, body)
            VALUES (given.id, given.view_hash, given.head || modified || given.tail)
            ON CONFLICT (contract_id) DO UPDATE SET view_hash = excluded.view_hash, body = excluded.body;
        INSERT INTO contract_feed (contract_id, stamp, is_test, entry, fast_fields)
            VALUES (given.id, next_stamp, given.is_test,
                '{"id":"' || given.id || '","dateModified":"' || modified || '"}', given.fast_fields)
            ON CONFLICT (contract_id) DO UPDATE SET stamp = excluded.stamp, is_test = excluded.is_test, entry = excluded.entry,
                fast_fields = excluded.fast_fields;
    END LOOP;
END
$$;

-- The scheduler reads awardings with a deadline only, and most have none.
CREATE INDEX "awarding_due" ON "awarding"("due_at") WHERE "due_at" IS NOT NULL;

-- Finds the bids of a tender: any of its bidders may complain of an award.
CREATE INDEX "replica_bid_tender" ON "kit"."replica"(("facts"::json ->> 'tenderId')) WHERE "kind" = 'bid';

-- The last stamp of the feed. A sequence, because its state lies outside transaction snapshots: whoever holds the lock of feed_tick sees
-- the newest value under any isolation level.
CREATE SEQUENCE "feed_clock" AS BIGINT MINVALUE 0 START 0;

-- A page of the feed reads the contracts of one mode; all of them are in the order of "contract_feed_stamp_key".
CREATE INDEX "contract_feed_real" ON "contract_feed"("stamp") WHERE NOT "is_test";
CREATE INDEX "contract_feed_test" ON "contract_feed"("stamp") WHERE "is_test";
