import type { Stack } from '@procurement/local-stack/stack';
import pg from 'pg';
import { measureInTurns } from './load.ts';
import { OLDER_SEGMENTS, type BenchmarkRow } from './row.ts';

const TENDER_COUNT = 1_000_000;

// Only the table of the feed: a page reads no other table.
const FILL = `INSERT INTO tender_feed (tender_id, stamp, rev, listed, is_test, entry, fast_fields)
  SELECT md5(n::text), n, 1, true, false,
    '{"id":"' || md5(n::text) || '","dateModified":"' || feed_text(n) || '"}', '{}'
  FROM generate_series(1000000000000000, 1000000000000000 + ${TENDER_COUNT} - 1) AS n`;

/** The first page of the feed against pages deep in a million tenders, and against the first page on older segments. */
export async function feedRows(stack: Stack): Promise<BenchmarkRow[]> {
  const client = new pg.Client({ connectionString: stack.databaseUrl('tenders') });
  await client.connect();
  await client.query(FILL);
  await client.query('ANALYZE tender_feed');
  await client.end();
  const page = (offset: string) => ({ url: `${stack.gatewayUrl}/api/2.5/tenders?limit=100&offset=${offset}` });
  const rates = await measureInTurns({
    first: { url: `${stack.gatewayUrl}/api/2.5/tenders?limit=100` },
    middle: page('1000000000.500000'),
    end: page('1000000000.999800'),
    '2.3': { url: `${stack.gatewayUrl}/api/2.3/tenders?limit=100` },
    '0': { url: `${stack.gatewayUrl}/api/0/tenders?limit=100` },
    '0.1': { url: `${stack.gatewayUrl}/api/0.1/tenders?limit=100` },
  });
  const slowest = Math.max(rates.first.perSecond / rates.middle.perSecond, rates.first.perSecond / rates.end.perSecond);
  const rate = (name: keyof typeof rates): string => `${Math.round(rates[name].perSecond)}/s`;
  return [
    {
      what: 'feed page of 100 deep in a million tenders, times slower than the first',
      ratio: slowest,
      atMost: 1.2,
      figures: `first ${rate('first')}, middle ${rate('middle')}, end ${rate('end')}`,
    },
    ...OLDER_SEGMENTS.map((segment) => ({
      what: `feed page of 100, ${segment} against 2.5`,
      ratio: rates[segment].perSecond / rates.first.perSecond,
      atLeast: 0.6,
      figures: `${rate(segment)} of ${rate('first')}`,
    })),
  ];
}
