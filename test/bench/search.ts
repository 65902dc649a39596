import type { Stack } from '@procurement/local-stack/stack';
import { broker } from '../support/broker.ts';
import { publish } from '../support/published-tender.ts';
import { minimalTender } from '../support/request-bodies.ts';
import {
  generatedRegion,
  generatedWord,
  generateTenders,
  pickedWord,
  readGeneratedWords,
} from './generated-tenders.ts';
import { openConnection, requestText, parseStatus } from './http-connection.ts';
import { measureInTurns, median } from './load.ts';
import type { BenchmarkRow } from './row.ts';

const TENDER_COUNT = 50_000;
const CONNECTIONS = 8;
const IDS = 100;
const ROUNDS = 3;
const SECONDS = 4;

const queries = (count: number, query: (n: number) => string): readonly string[] =>
  Array.from({ length: count }, (_, n) => query(n));
const COMMON = generatedWord('common', 0);
const NOWHERE = 'немаєтакого';
/** A word of the `n`th tender: the more tenders have a word, the more often it is asked for. */
const usual = (n: number, place = 0): string => generatedWord('usual', pickedWord(n + 1, place));
/** The mix of register.md 13 (B6): one rare word, two common ones, filters only, facets, phrases, no hit, and what may be dear. */
const QUERIES: readonly string[] = [
  ...queries(40, (n) => `q=${generatedWord('rare', n * 97)}`),
  ...queries(20, (n) => `q=${usual(n)} ${COMMON}`),
  ...queries(20, (n) => `q=${usual(n, 5)} ${usual(n, 9)}`),
  ...queries(20, (n) => `status=complete&region=${generatedRegion(n)}&createdFrom=2001-01-01`),
  ...queries(10, (n) => `cpv=3019763${n % 7}&sort=-amount`),
  ...queries(10, (n) => `status=active.tendering&amountFrom=${n * 1_000}`),
  ...queries(15, (n) => `q=${usual(n, 3)}&facets=status,cpv,buyer&total=1`),
  ...queries(15, (n) => `region=${generatedRegion(n)}&facets=status,buyer`),
  ...queries(30, (n) => `q="${usual(n)} ${usual(n, 1)}"`),
  ...queries(10, (n) => `q=${generatedWord('rare', n)} ${NOWHERE}`),
  ...queries(3, (n) => `q=${generatedWord('rare', n + 10)}*`),
  ...queries(4, (n) => `q=${COMMON}&limit=${n + 20}`),
  ...queries(3, (n) => `q=${COMMON} -${usual(n)}&sort=-created`),
];

/** Latencies of one round, ascending. */
type Latencies = readonly number[];

/** Searches and lookups over so many generated tenders (register.md 13): B6 to B8. */
export async function searchRows(stack: Stack, tenders = TENDER_COUNT): Promise<BenchmarkRow[]> {
  const { path } = await publish(broker(stack.gatewayUrl, 'broker1', '2.5'), minimalTender());
  const base = `${stack.gatewayUrl}/api/2.5`;
  await readGeneratedWords(stack);
  const few = Math.ceil(tenders / 10);
  await generateTenders(stack, 1, few, IDS);
  const { search: ofFew } = await mixInTurns(base, path);
  const ids = await generateTenders(stack, few + 1, tenders, IDS);
  await requireHits(base);
  const { search, tender } = await mixInTurns(base, path);
  const what = `search of ${tenders} tenders, mix of ${QUERIES.length} queries`;
  return [
    {
      what: `${what}: p95 against that of one tender (B6)`,
      ratio: quantile(search, 0.95) / quantile(tender, 0.95),
      atMost: 15,
      figures: `${told(search)}; one tender ${told(tender)}`,
    },
    { what: `${what}: the slowest, of 2 s (B6)`, ratio: quantile(search, 1) / 2_000, atMost: 1, figures: told(search) },
    {
      what: `${what}: p95 against that of ${few} tenders (B7)`,
      ratio: quantile(search, 0.95) / quantile(ofFew, 0.95),
      atMost: 2,
      figures: `${told(search)}; ${few} tenders ${told(ofFew)}`,
    },
    ...(await pageRows(base, ids)),
  ];
}

async function pageRows(base: string, ids: readonly string[]): Promise<BenchmarkRow[]> {
  const lookup = (count: number): string => `${base}/lookup?ids=${ids.slice(0, count).join()}`;
  const deep = await pageAddress(`${base}/search?sort=-created&limit=20`, 50);
  const rates = await measureInTurns({
    firstPage: { url: `${base}/search?sort=-created&limit=20`, connections: CONNECTIONS },
    deepPage: { url: deep, connections: CONNECTIONS },
    one: { url: lookup(1), connections: CONNECTIONS },
    hundred: { url: lookup(IDS), connections: CONNECTIONS },
  });
  const of = ({ perSecond, p50Ms, p99Ms }: (typeof rates)['one']): string =>
    `${Math.round(perSecond)}/s, p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms`;
  return [
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

/** Measures the mix and reads of one tender that the gateway has not cached, in turns. Answers the round with the middle p95 of each. */
async function mixInTurns(base: string, path: string): Promise<Readonly<Record<'search' | 'tender', Latencies>>> {
  const searches = QUERIES.map((query) => `${base}/search?${query}`);
  const reads = Array.from({ length: 1_000 }, (_, n) => `${base}${path}?first=${n}`);
  await measure(searches, SECONDS);
  await measure(reads, 1);
  const rounds: { readonly search: Latencies; readonly tender: Latencies }[] = [];
  for (let round = 0; round < ROUNDS; round += 1)
    rounds.push({ search: await measure(searches, SECONDS), tender: await measure(reads, SECONDS / 2) });
  const middle = (name: 'search' | 'tender'): Latencies =>
    median(
      rounds.map((round) => round[name]),
      (latencies) => quantile(latencies, 0.95),
    );
  return { search: middle('search'), tender: middle('tender') };
}

/** Throws when a search finds nothing that is there: it would cost next to nothing. */
async function requireHits(base: string): Promise<void> {
  for (const query of QUERIES) {
    const { data } = (await (await fetch(`${base}/search?${query}`)).json()) as { data: readonly unknown[] };
    if ((data.length === 0) !== query.includes(NOWHERE)) throw new Error(`${query} found ${data.length} tenders`);
  }
}

/** Asks for all addresses in turn, at least once. */
async function measure(addresses: readonly string[], seconds: number): Promise<Latencies> {
  const requests = addresses.map((address) => requestText('GET', new URL(address), {}, undefined));
  const latencies: number[] = [];
  const endsAt = performance.now() + seconds * 1_000;
  let next = 0;
  const ask = async (): Promise<void> => {
    const connection = await openConnection(new URL(addresses[0] ?? ''));
    while (next < requests.length || performance.now() < endsAt) {
      const request = requests[next % requests.length] ?? '';
      next += 1;
      const sentAt = performance.now();
      const answer = await connection.exchange(request);
      if (parseStatus(answer) !== 200) throw new Error(`${request.split('\r\n', 1)[0]}: ${answer}`);
      latencies.push(performance.now() - sentAt);
    }
    connection.close();
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, ask));
  return latencies.sort((one, other) => one - other);
}

function quantile(latencies: Latencies, share: number): number {
  return latencies[Math.floor((latencies.length - 1) * share)] ?? Number.NaN;
}

function told(latencies: Latencies): string {
  const [p50, p95, p99, slowest] = [0.5, 0.95, 0.99, 1].map((share) => quantile(latencies, share).toFixed(1));
  return `${latencies.length} answers, p50 ${p50} ms, p95 ${p95} ms, p99 ${p99} ms, slowest ${slowest} ms`;
}

async function pageAddress(first: string, page: number): Promise<string> {
  let url = first;
  for (let n = 1; n < page; n += 1) {
    const { next_page: next } = (await (await fetch(url)).json()) as { next_page: { path: string } };
    url = new URL(next.path, first).href;
  }
  return url;
}
