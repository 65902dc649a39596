import type { Stack } from '@procurement/local-stack/stack';
import pg from 'pg';
import { broker } from '../support/broker.ts';
import { publish } from '../support/published-tender.ts';
import { minimalTender } from '../support/request-bodies.ts';
import { measureInTurns } from './load.ts';
import { followingRows } from './following.ts';
import type { BenchmarkRow } from './row.ts';
import { streamRows } from './streams.ts';

const TENDER_COUNT = 50_000;
const CONNECTIONS = 8;
const IDS = 100;

/** Tenders before all others, with three of 3,000 words each, one of which every second tender has. */
const fill = (from: number, to: number): readonly string[] => [
  `CREATE TEMP TABLE made AS SELECT md5('bench' || n)::uuid AS id, 1000000000000000 + n AS position, n,
    'рідке' || n % 3000 AS rare, 'слово' || n % 50 AS usual FROM generate_series(${from}, ${to}) AS n`,
  `INSERT INTO tender (id, number, position, rev, created, listed, is_test, complete, status, method, buyer, currency, amount, cpv,
      regions, tender_end, title, indexed, counted, summary)
    SELECT id, 'UA-2001-09-09-' || lpad(n::text, 7, '0'), position, 1, position, true, false, true,
      (ARRAY['complete', 'unsuccessful', 'active.tendering'])[n % 3 + 1], 'belowThreshold', 'UA-EDR-' || n % 5000, 'UAH', n % 100000,
      ARRAY[30197630 + n % 7], ARRAY['UA-' || 10 + n % 25], position, rare || ' ' || usual || ' часте', position, position, '{}'
    FROM made`,
  `INSERT INTO tender_body SELECT id, '{"data":{"id":"' || replace(id::text, '-', '') || '","title":"' || rare || '","description":"'
    || repeat('опис ', 300) || '"}}' FROM made`,
  `INSERT INTO tender_words SELECT id, (quote_literal(rare) || ':1A ' || quote_literal(usual) || ':2A '
    || CASE WHEN n % 2 = 0 THEN '''часте'':3B ' ELSE '' END || '''=method:belowThreshold''')::tsvector FROM made`,
  `INSERT INTO word SELECT word, ndoc FROM ts_stat('SELECT words FROM tender_words') WHERE word NOT LIKE '=%'
    ON CONFLICT (word) DO UPDATE SET tenders = excluded.tenders`,
  `INSERT INTO key_count SELECT word, ndoc FROM ts_stat('SELECT words FROM tender_words') WHERE word LIKE '=%'
    ON CONFLICT (key) DO UPDATE SET tenders = excluded.tenders`,
  'ANALYZE tender, tender_body, tender_words, word, key_count',
];

/** Rare and usual words, one that half of the tenders have, filters only, facets, a prefix, no hit. */
const QUERIES: readonly string[] = [
  ...Array.from({ length: 20 }, (_, n) => `q=рідке${n * 97}`),
  ...Array.from({ length: 10 }, (_, n) => `q=слово${n} часте`),
  ...Array.from({ length: 5 }, (_, n) => `q=часте -слово${n}&sort=-created`),
  ...Array.from({ length: 5 }, (_, n) => `q=часте&limit=${n + 20}`),
  ...Array.from({ length: 10 }, (_, n) => `status=complete&region=UA-${n + 10}&createdFrom=2001-01-01`),
  ...Array.from({ length: 5 }, (_, n) => `q=слово${n}&facets=status,cpv,buyer&total=1`),
  'q=рідке1*',
  'q=немаєтакого',
  'q="слово1 часте"',
];

export interface RegisterSizes {
  readonly tenders?: number | undefined;
  readonly readers?: number | undefined;
}

/** Following, streams, search and lookup; the searches are over `tenders` generated ones. */
export async function registerRows(stack: Stack, { tenders, readers }: RegisterSizes): Promise<BenchmarkRow[]> {
  const following = await followingRows(stack);
  const streams = await streamRows(stack, readers);
  const reads = await readRows(stack, tenders ?? TENDER_COUNT);
  return [...following, ...streams, ...reads];
}

async function readRows(stack: Stack, tenders: number): Promise<BenchmarkRow[]> {
  const { path } = await publish(broker(stack.gatewayUrl, 'broker1', '2.5'), minimalTender());
  const base = `${stack.gatewayUrl}/api/2.5`;
  const search = {
    url: `${base}/search`,
    connections: CONNECTIONS,
    paths: QUERIES.map((query) => `/api/2.5/search?${encodeURI(query)}`),
  };
  const few = Math.ceil(tenders / 10);
  await generate(stack, 1, few);
  const { search: searchOfFew } = await measureInTurns({ search });
  const ids = await generate(stack, few + 1, tenders);
  const lookup = (count: number): string => `${base}/lookup?ids=${ids.slice(0, count).join()}`;
  const deep = await pageAddress(`${base}/search?sort=-created&limit=20`, 50);
  const rates = await measureInTurns({
    tender: { url: base + path, connections: CONNECTIONS, first: true },
    search,
    firstPage: { url: `${base}/search?sort=-created&limit=20`, connections: CONNECTIONS },
    deepPage: { url: deep, connections: CONNECTIONS },
    one: { url: lookup(1), connections: CONNECTIONS },
    hundred: { url: lookup(IDS), connections: CONNECTIONS },
  });
  const of = ({ perSecond, p50Ms, p975Ms, p99Ms }: (typeof rates)['search']): string =>
    `${Math.round(perSecond)}/s, p50 ${p50Ms} ms, p97.5 ${p975Ms} ms, p99 ${p99Ms} ms`;
  return [
    {
      what: `search of ${tenders} tenders, mix of ${QUERIES.length} queries, p97.5 against that of one tender (B6: p95)`,
      ratio: rates.search.p975Ms / Math.max(1, rates.tender.p975Ms),
      atMost: 15,
      figures: `${of(rates.search)}; one tender ${of(rates.tender)}`,
    },
    {
      what: `search of ${tenders} tenders, p97.5 against that of ${few} (B7: p95)`,
      ratio: rates.search.p975Ms / Math.max(1, searchOfFew.p975Ms),
      atMost: 2,
      figures: `${of(rates.search)}; ${few} tenders ${of(searchOfFew)}`,
    },
    {
      what: 'search: page 50 of -created, times slower than page 1 (B8)',
      ratio: rates.firstPage.perSecond / rates.deepPage.perSecond,
      atMost: 1.2,
      figures: `${of(rates.firstPage)}; page 50 ${of(rates.deepPage)}`,
    },
    {
      what: 'lookup of 100 ids, times slower than of one (B8)',
      ratio: rates.one.perSecond / rates.hundred.perSecond,
      atMost: 10,
      figures: `${of(rates.one)}; 100 ids ${of(rates.hundred)}`,
    },
  ];
}

/** Returns ids of some of the generated tenders. */
async function generate(stack: Stack, from: number, to: number): Promise<readonly string[]> {
  const client = new pg.Client({ connectionString: stack.databaseUrl('register') });
  await client.connect();
  try {
    for (const statement of fill(from, to)) await client.query(statement);
    const { rows } = await client.query<{ id: string }>(
      `SELECT replace(id::text, '-', '') AS id FROM made ORDER BY id LIMIT ${IDS}`,
    );
    return rows.map(({ id }) => id);
  } finally {
    await client.end();
  }
}

async function pageAddress(first: string, page: number): Promise<string> {
  let url = first;
  for (let n = 1; n < page; n += 1) {
    const { next_page: next } = (await (await fetch(url)).json()) as { next_page: { path: string } };
    url = new URL(next.path, first).href;
  }
  return url;
}
