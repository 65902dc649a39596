import { bidEvents } from '@procurement/contracts/events/bid.events';
import { selectKeys, sqlFactSource, type FactSource } from '@procurement/kit/messaging/repair/fact-pages';
import type pg from 'pg';
import { z } from 'zod';
import type { DocumentsClient } from './documents-client.ts';
import { FACT_COLUMNS, readFacts } from './bid.row.ts';
import { TEXT_BYTES, type BidTexts } from './bid-texts.ts';
import { readOpenedBids } from './bidding.store.ts';
import { readClosedSets } from './seals.store.ts';

// Facts of a bid are ids, mostly those of its lots.
const BID_KEYS = `SELECT id AS key, 300 + 35 * cardinality(lots) AS bytes FROM bid WHERE id > $1 ORDER BY id LIMIT $2`;
const BIDS = `SELECT ${FACT_COLUMNS} FROM bid WHERE id = ANY($1::text[])`;
const EXISTING_BIDS = 'SELECT id AS key FROM bid WHERE id = ANY($1::text[])';
const keysOfPhases = (phases: string): string => `SELECT tender_id AS key, (SELECT coalesce(sum(${TEXT_BYTES}), 0)
    FROM bid WHERE bid.tender_id = bidding.tender_id) + 350 AS bytes
  FROM bidding WHERE tender_id > $1 AND phase IN (${phases}) ORDER BY tender_id LIMIT $2`;
const BIDDINGS = 'SELECT tender_id AS id, version FROM bidding WHERE tender_id = ANY($1::text[])';
/** Keys are `<tender>/<lot>`. Compared by their parts, so that the primary key of the table is used. */
export const RESULT_KEYS = `SELECT tender_id || '/' || lot_id AS key, 200 AS bytes FROM bidding_result
  WHERE (tender_id, lot_id) > (split_part($1, '/', 1), split_part($1, '/', 2)) ORDER BY tender_id, lot_id LIMIT $2`;
const RESULTS = `SELECT tender_id AS id, lot_id AS lot, at, version FROM unnest($1::text[]) AS wanted (key)
  JOIN bidding_result ON tender_id = split_part(key, '/', 1) AND lot_id = split_part(key, '/', 2) JOIN bidding USING (tender_id)`;

const Version = z.coerce.number().int();
const BiddingRow = z.object({ id: z.string(), version: Version });
const ResultRow = BiddingRow.extend({ lot: z.string(), at: z.string() });

/** What this service says in its events, for all bids and tenders. Of sealed bids no more than the events say. */
export function factSources(
  pool: pg.Pool,
  { documents, texts }: { readonly documents: Pick<DocumentsClient, 'bidDocuments'>; readonly texts: BidTexts },
): Readonly<Record<string, FactSource>> {
  async function biddings(tenderIds: readonly string[]): Promise<readonly z.infer<typeof BiddingRow>[]> {
    return z
      .array(BiddingRow)
      .parse((await pool.query({ name: 'facts-biddings', text: BIDDINGS, values: [tenderIds] })).rows);
  }

  return {
    'bid.changed': sqlFactSource(pool, {
      schema: bidEvents['bid.changed'].schema,
      name: 'bid-changed',
      keysSql: BID_KEYS,
      factsSql: BIDS,
      existingSql: EXISTING_BIDS,
      read(row) {
        const data = readFacts(row);
        return { subject: data.tenderId, version: data.version, data };
      },
    }),
    'bid.set-sealed': {
      schema: bidEvents['bid.set-sealed'].schema,
      keys: async (after, max) =>
        selectKeys(pool, { name: 'bid-set-sealed', keysSql: keysOfPhases(`'sealed', 'opened'`) }, after, max),
      async facts(tenderIds) {
        const sets = await readClosedSets(pool, tenderIds);
        const rows = await biddings(tenderIds);
        return rows.map(({ id, version }) => ({ subject: id, version, data: { id, bids: [], ...sets.get(id) } }));
      },
    },
    'bid.opened': {
      schema: bidEvents['bid.opened'].schema,
      keys: async (after, max) =>
        selectKeys(pool, { name: 'bid-opened', keysSql: keysOfPhases(`'opened'`) }, after, max),
      async facts(tenderIds) {
        const sets = await readClosedSets(pool, tenderIds);
        const withBids = [...sets].filter(([, set]) => set.bids.length > 0);
        const documentsByTender = await Promise.all(
          withBids.map(async ([id, set]) =>
            documents.bidDocuments({ id, bids: set.bids.map((bid) => bid.id), opened: true }),
          ),
        );
        const bids = await readOpenedBids(pool, tenderIds, {
          documents: Object.assign({}, ...documentsByTender),
          texts,
        });
        const rows = await biddings(tenderIds);
        return rows.map(({ id, version }) => {
          const data = { id, bids: bids.get(id) ?? [], seal: sets.get(id)?.seal };
          return { subject: id, version, data };
        });
      },
    },
    'bid.results-applied': sqlFactSource(pool, {
      schema: bidEvents['bid.results-applied'].schema,
      name: 'bid-results-applied',
      keysSql: RESULT_KEYS,
      factsSql: RESULTS,
      read(row) {
        const { id, lot, at, version } = ResultRow.parse(row);
        return { subject: id, version, data: { id, at, ...(lot === '' ? {} : { lot }) } };
      },
    }),
  };
}
