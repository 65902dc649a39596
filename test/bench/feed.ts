import type { Stack } from '@procurement/local-stack/stack';
import pg from 'pg';
import { broker } from '../support/broker.ts';
import { measureInTurns } from './load.ts';
import { hopRows, segmentRows } from './reads.ts';
import { startReference } from './reference-server.ts';
import type { BenchmarkRow } from './row.ts';

const TENDER_COUNT = 1_000_000;
/** Crawlers are at different positions. */
const OFFSET_COUNT = 400;

// Only the table of the feed: a page reads no other table.
const FILL = `INSERT INTO tender_feed (tender_id, stamp, rev, listed, is_test, entry, fast_fields)
  SELECT md5(n::text), n, 1, true, false,
    '{"id":"' || md5(n::text) || '","dateModified":"' || feed_text(n) || '"}', '{}'
  FROM generate_series(1000000000000000, 1000000000000000 + ${TENDER_COUNT} - 1) AS n`;

/** The first page of the feed against pages deep in a million tenders; pages at many positions against the bare hop, and in older segments. */
export async function feedRows(stack: Stack): Promise<BenchmarkRow[]> {
  const client = new pg.Client({ connectionString: stack.databaseUrl('tenders') });
  await client.connect();
  await client.query(FILL);
  // Autovacuum would do it later.
  await client.query('VACUUM ANALYZE tender_feed');
  await client.end();
  const page = (offset: string) => ({ url: `${stack.gatewayUrl}/api/2.5/tenders?limit=100&offset=${offset}` });
  const rates = await measureInTurns({
    first: { url: `${stack.gatewayUrl}/api/2.5/tenders?limit=100` },
    middle: page('1000000000.500000'),
    end: page('1000000000.999800'),
  });
  const slowest = Math.max(rates.first.perSecond / rates.middle.perSecond, rates.first.perSecond / rates.end.perSecond);
  const rate = (name: keyof typeof rates): string => `${Math.round(rates[name].perSecond)}/s`;
  const paths = Array.from({ length: OFFSET_COUNT }, (_, n) => {
    const micros = String(Math.floor((n * (TENDER_COUNT - 1_000)) / OFFSET_COUNT)).padStart(6, '0');
    return `/tenders?limit=100&offset=1000000000.${micros}`;
  });
  const pages = { what: `feed page of 100 at ${OFFSET_COUNT} positions`, paths };
  const reference = await startReference((await broker(stack.gatewayUrl, undefined, '2.5').get(paths[0] ?? '')).text);
  try {
    return [
      {
        what: 'feed page of 100 deep in a million tenders, times slower than the first',
        ratio: slowest,
        atMost: 1.2,
        figures: `first ${rate('first')}, middle ${rate('middle')}, end ${rate('end')}`,
      },
      ...(await hopRows(stack, reference, pages)),
      ...(await segmentRows(stack, pages)),
    ];
  } finally {
    await reference.stop();
  }
}
