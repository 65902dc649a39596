import { setTimeout as pause } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import type { Stack } from '@procurement/local-stack/stack';
import { broker, until } from '../support/broker.ts';
import { playTender, startTestPortal, type TestPortal } from '../support/portal.ts';
import { publish } from '../support/published-tender.ts';
import { minimalTender } from '../support/request-bodies.ts';
import { share } from './auctions.ts';
import { nodeOptionsOfImage } from './image-options.ts';
import { measureRate, median } from './load.ts';
import { paced } from './paced.ts';
import { memoryOfPages, type Pattern } from './portal-memory.ts';
import { firstViewRows } from './portal-view.ts';
import { processCpuMs } from './process-cpu.ts';
import type { BenchmarkRow } from './row.ts';

/** Makes a search page of 20 rows. */
const TENDERS = 20;
/** Node collects garbage once more 15 to 20 s after the start (80 ms), and rests then. */
const SETTLE_MS = 25_000;
const IDLE_SECONDS = 60;
const ROUNDS = 5;
const REQUESTS_OF_ROUND = 300;
const PAGES_PER_SECOND = 50;
const RATE_SECONDS = 4;
const KILOBYTE = 1_000;
/** Lets an answer of the API that the portal keeps grow too old to be used without asking (portal.md 1.1). */
const OLD_MS = 1_050;

/** A bar that a figure must not exceed: the ratio is the part of it that is used. */
const atMost = (what: string, value: number, bar: number, unit: string, digits = 1): BenchmarkRow => ({
  what: `${what}, of ${bar} ${unit}`,
  ratio: value / bar,
  atMost: 1,
  figures: `${value.toFixed(digits)} ${unit}`,
});

/** The budgets of the portal (portal.md 11). */
export async function portalRows(stack: Stack): Promise<readonly BenchmarkRow[]> {
  const startedMs = performance.now();
  const portal = await startTestPortal(stack.gatewayUrl, { NODE_OPTIONS: nodeOptionsOfImage('portal') });
  try {
    const ready = atMost('the portal ready', (performance.now() - startedMs) / 1_000, 1, 's', 2);
    const idle = await idleRow(portal);
    const { id, number } = await playTender(portal);
    const played = { id, path: `/en/tenders/${number}` };
    const buyer = broker(stack.gatewayUrl, 'broker1', '2.5');
    for (let n = 0; n < TENDERS; n += 1) await publish(buyer, minimalTender());
    await until('tenders in the register', async () => {
      const { total } = (await buyer.get('/search?mode=_all_&limit=1&total=1')).body;
      return total?.value > TENDERS ? true : undefined;
    });
    return [
      ready,
      idle,
      ...(await weightRows(portal.url, stack.gatewayUrl, played.path)),
      ...(await processorRows(stack, portal, played)),
      await lateRow(stack.gatewayUrl, portal.url, played),
      await besideRow(stack.gatewayUrl, portal.url, played),
      ...(await firstViewRows([portal.url, portal.url + played.path])),
      await memoryRow({ gatewayUrl: stack.gatewayUrl, id, number }),
    ];
  } finally {
    await portal.stop();
  }
}

/** Nothing may happen while nobody visits: the process has no timer of its own. */
async function idleRow({ pid }: TestPortal): Promise<BenchmarkRow> {
  await pause(SETTLE_MS);
  const before = sumCpuMs([pid]);
  await pause(IDLE_SECONDS * 1_000);
  const percent = (sumCpuMs([pid]) - before) / (IDLE_SECONDS * 10);
  return atMost(`processor of an idle portal, ${IDLE_SECONDS} s`, percent, 0.1, '% of a core', 3);
}

interface PlayedTender {
  readonly id: string;
  /** Path of its page. */
  readonly path: string;
}

async function weightRows(portal: string, gateway: string, tender: string): Promise<readonly BenchmarkRow[]> {
  const pages = [
    ['start', `${portal}/en`, 10],
    [`search of ${TENDERS} rows`, `${portal}/en/tenders`, 14],
    ['a complete tender', portal + tender, 16],
    ['statistics', `${portal}/en/statistics`, 16],
    ['a guide', `${gateway}/docs/guides/first-procedure`, 20],
  ] as const;
  return Promise.all(
    pages.map(async ([name, url, kilobytes]) => {
      const answer = await fetch(url);
      if (answer.status !== 200) throw new Error(`${url} answered ${answer.status}`);
      return atMost(`page: ${name}, gzipped`, gzipSync(await answer.text()).length / KILOBYTE, kilobytes, 'kB');
    }),
  );
}

function sumCpuMs(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + (processCpuMs(pid) ?? 0), 0);
}

/** Requests one after the other. Answers milliseconds of processor time of one in these processes. */
async function cpuOfRequests(pids: readonly number[], get: (n: number) => Promise<unknown>): Promise<number> {
  const before = sumCpuMs(pids);
  for (let n = 0; n < REQUESTS_OF_ROUND; n += 1) await get(n);
  return (sumCpuMs(pids) - before) / REQUESTS_OF_ROUND;
}

let uncached = 0;
/** Differs in a parameter that nothing reads, so that no answer is kept. */
const freshUrl = (gateway: string, id: string): string => `${gateway}/api/2.5/tenders/${id}?first=${(uncached += 1)}`;

/** Processor time of a page, whose answers of the API are kept, and of one that has not changed, against that of the JSON of the tender. */
async function processorRows(
  { gatewayUrl, parts }: Stack,
  { url, pid }: TestPortal,
  { id, path }: PlayedTender,
): Promise<readonly BenchmarkRow[]> {
  const page = url + path;
  let etag = '';
  const read = async (address: string, headers = {}): Promise<number> => {
    const answer = await fetch(address, { headers });
    await answer.arrayBuffer();
    if (answer.status >= 400) throw new Error(`${address} answered ${answer.status}`);
    etag = answer.headers.get('etag') ?? '';
    return answer.status;
  };
  // In a sandbox the page is another one each second, because its tender has a clock: its reader then gets it whole.
  let whole = 0;
  const readUnchanged = async (): Promise<void> => {
    if ((await read(page, { 'if-none-match': etag })) === 200) whole += 1;
  };
  const rounds: { page: number; unchanged: number; json: number }[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    rounds.push({
      page: await cpuOfRequests([pid], async () => read(page)),
      unchanged: await cpuOfRequests([pid], readUnchanged),
      json: await cpuOfRequests([parts.gateway.pid(), parts.tenders.pid()], async () => read(freshUrl(gatewayUrl, id))),
    });
  }
  if (whole * 2 > ROUNDS * REQUESTS_OF_ROUND) throw new Error(`${whole} pages were new`);
  // In the first round the compiler of the processes is still at work.
  rounds.shift();
  const ratio = (of: (round: (typeof rounds)[number]) => number): number => of(median(rounds, of));
  const [pageMs, unchangedMs] = [ratio((round) => round.page), ratio((round) => round.unchanged)];
  const figures = (what: number): string =>
    `${what.toFixed(2)} ms against ${ratio((round) => round.json).toFixed(2)} ms`;
  return [
    {
      what: 'processor for the page of a tender against its JSON at gateway and tenders',
      ratio: ratio((round) => round.page / round.json),
      atMost: 10,
      figures: figures(pageMs),
    },
    {
      what: 'processor for the same page when it has not changed',
      ratio: ratio((round) => round.unchanged / round.json),
      atMost: 2,
      figures: figures(unchangedMs),
    },
    atMost(
      'processor for rendering a page: what it takes more than an unchanged one',
      pageMs - unchangedMs,
      2,
      'ms',
      2,
    ),
  ];
}

const LATE_PAGES = 40;

/** How much later a page comes than the slowest of its calls, when it asks the API for all of them. */
async function lateRow(gateway: string, portal: string, { id, path }: PlayedTender): Promise<BenchmarkRow> {
  const calls = [
    freshUrl(gateway, id),
    `${gateway}/api/2.5/tenders/${id}/history?descending=1&limit=5`,
    `${gateway}/sandbox/tenders/${id}/clock`,
  ];
  const measureMs = async (url: string): Promise<number> => {
    const startedMs = performance.now();
    await (await fetch(url)).arrayBuffer();
    return performance.now() - startedMs;
  };
  const pages: number[] = [];
  const slowest: number[] = [];
  for (let n = 0; n < LATE_PAGES; n += 1) {
    await pause(OLD_MS);
    pages.push(await measureMs(portal + path));
    slowest.push(Math.max(...(await Promise.all(calls.map(measureMs)))));
  }
  const [page, call] = [share(pages, 0.95), share(slowest, 0.95)];
  return {
    ...atMost('p95 of a page after that of its slowest call', page - call, 8, 'ms'),
    figures: `${page.toFixed(1)} ms against ${call.toFixed(1)} ms`,
  };
}

/** The rate of a tender's JSON while the portal serves pages, against the rate alone. */
async function besideRow(gateway: string, portal: string, { id, path }: PlayedTender): Promise<BenchmarkRow> {
  const load = { url: `${gateway}/api/2.5/tenders/${id}`, seconds: RATE_SECONDS } as const;
  const pages: number[] = [];
  const rounds: { alone: number; beside: number }[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const alone = (await measureRate(load)).perSecond;
    const send = async (): Promise<{ readonly status: number }> => {
      const answer = await fetch(portal + path);
      await answer.arrayBuffer();
      return answer;
    };
    const visitors = paced(pages, {
      perSecond: PAGES_PER_SECOND,
      durationMs: RATE_SECONDS * 1_000,
      expected: 200,
      send,
    });
    rounds.push({ alone, beside: (await measureRate(load)).perSecond });
    await visitors;
  }
  if (pages.some((ms) => !Number.isFinite(ms))) throw new Error('a page did not come');
  const middle = median(rounds, ({ alone, beside }) => beside / alone);
  return {
    what: `GET of a tender at the gateway while the portal serves ${PAGES_PER_SECOND} pages/s, against alone`,
    ratio: middle.beside / middle.alone,
    atLeast: 0.9,
    figures: `${Math.round(middle.beside)}/s of ${Math.round(middle.alone)}/s`,
  };
}

const memoryRow = async (pattern: Pattern): Promise<BenchmarkRow> =>
  // What a pod asks for: 128 Mi.
  atMost('memory after 20,000 pages', await memoryOfPages(pattern, nodeOptionsOfImage('portal')), 134, 'MB', 0);
