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
