import {
  auctionEvents,
  type AuctionFinished,
  type AuctionPlanned,
  type AuctionUrlsPublished,
} from '@procurement/contracts/events/auction.events';
import { formatLocalDate } from '@procurement/contracts/reading/instant';
import { sqlFactSource, type Fact, type FactSource } from '@procurement/kit/messaging/repair/fact-pages';
import type pg from 'pg';
import { z } from 'zod';
import { NO_BID } from './hand-off.row.ts';
import { NO_LOT } from './plans.row.ts';
import { InstantColumn } from './instant-column.ts';

// The key is `<tender>/<lot>`. Compared by its parts, so that the primary keys of the tables are used.
const keysSql = (
  table: string,
): string => `SELECT DISTINCT tender_id, lot_id, tender_id || '/' || lot_id AS key, 300 AS bytes
  FROM ${table} WHERE (tender_id, lot_id) > (split_part($1, '/', 1), split_part($1, '/', 2)) ORDER BY tender_id, lot_id LIMIT $2`;
// The version in the same statement: it must not be newer than the content.
const factsSql = (table: string, columns: string, group = ''): string => `SELECT fact.tender_id AS "tenderId",
    fact.lot_id AS "lotId", numbered.version, ${columns}
  FROM unnest($1::text[]) AS wanted (key)
  JOIN ${table} AS fact ON fact.tender_id = split_part(key, '/', 1) AND fact.lot_id = split_part(key, '/', 2)
  JOIN auction_version AS numbered ON numbered.tender_id = fact.tender_id AND numbered.lot_id = fact.lot_id ${group}`;

const PLANNED = factsSql('auction_slot', '(extract(epoch FROM planned_start) * 1000000)::bigint AS start');
const ADDRESSES = factsSql(
  'auction_address',
  `max(url) FILTER (WHERE bid_id = '${NO_BID}') AS url`,
  'GROUP BY fact.tender_id, fact.lot_id, numbered.version',
);
const RESULTS = factsSql('auction_result', 'reported_at AS at');
const EXISTING_RESULTS = `SELECT key FROM unnest($1::text[]) AS wanted (key)
  JOIN auction_result ON tender_id = split_part(key, '/', 1) AND lot_id = split_part(key, '/', 2)`;

const Row = z.object({ tenderId: z.string(), lotId: z.string(), version: z.coerce.number().int() });
const PlannedRow = Row.extend({ start: InstantColumn });
const AddressRow = Row.extend({ url: z.string().nullable() });
const ResultRow = Row.extend({ at: z.string() });

/** What every fact of an auction has. */
function head({ tenderId, lotId, version }: z.infer<typeof Row>) {
  return { id: tenderId, ...(lotId === NO_LOT ? {} : { lot: lotId }), version };
}

function fact(data: AuctionPlanned | AuctionUrlsPublished | AuctionFinished): Fact {
  return { subject: data.id, version: data.version, data };
}

/** The planned start, the address and the end of every auction, at the number of its last fact. */
export function factSources(pool: pg.Pool): Readonly<Record<string, FactSource>> {
  return {
    'auction.planned': sqlFactSource(pool, {
      schema: auctionEvents['auction.planned'].schema,
      name: 'auction-planned',
      keysSql: keysSql('auction_slot'),
      factsSql: PLANNED,
      read(given) {
        const row = PlannedRow.parse(given);
        return fact({ ...head(row), startDate: formatLocalDate(row.start) });
      },
    }),
    'auction.urls-published': sqlFactSource(pool, {
      schema: auctionEvents['auction.urls-published'].schema,
      name: 'auction-urls',
      keysSql: keysSql('auction_address'),
      factsSql: ADDRESSES,
      read(given) {
        const row = AddressRow.parse(given);
        return fact({ ...head(row), ...(row.url === null ? {} : { auctionUrl: row.url }) });
      },
    }),
    'auction.finished': sqlFactSource(pool, {
      schema: auctionEvents['auction.finished'].schema,
      name: 'auction-finished',
      keysSql: keysSql('auction_result'),
      factsSql: RESULTS,
      existingSql: EXISTING_RESULTS,
      read(given) {
        const row = ResultRow.parse(given);
        return fact({ ...head(row), at: row.at });
      },
    }),
  };
}
