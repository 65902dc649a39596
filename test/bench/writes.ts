import { setTimeout as pause } from 'node:timers/promises';
import type { Stack } from '@procurement/local-stack/stack';
import { broker } from '../support/broker.ts';
import { publish } from '../support/published-tender.ts';
import { minimalTender } from '../support/request-bodies.ts';
import { openConnection, requestText, statusOf } from './http-connection.ts';
import { median } from './load.ts';
import { cpuBetween, stackCpuMs, sumOf } from './process-cpu.ts';
import type { BenchmarkRow } from './row.ts';
import { startUpdateLoad } from './update-load.ts';

const ROUNDS = 3;
/** Of processor times, whose ratio differs more from one round to the next. */
const CPU_ROUNDS = 5;
const SECONDS = 4;
const WARM_SECONDS = 12;
/** V8 compiles by calls, of which a slow machine makes fewer in the same time. */
const WARM_CHANGES = 10_000;
const WRITERS = 8;
const IDLE_SECONDS = 30;
/**
 * What a load leaves belongs to it: autovacuum visits each database once a minute, and one to two minutes after the last of a load V8
 * collects garbage in each process for 0.1 to 0.2 s, one after the other.
 */
const IDLE_SETTLE_MS = 180_000;
/** Until followers have applied what was published. */
const SETTLE_MS = 1_000;

/** A writer with a tender of its own. */
export interface Writer {
  /** Of the segment. */
  readonly base: string;
  readonly key: string;
  /** Of its tender. */
  readonly path: string;
  readonly tokenQuery: string;
}

/** A request that a writer repeats. */
export interface Load {
  readonly method: string;
  readonly status: number;
  path(writer: Writer): string;
  /** Of its `n`th request. */
  readonly body?: (n: number) => unknown;
}

/** Of what no other service is told (decision 0150). */
export const PATCH: Load = {
  method: 'PATCH',
  status: 200,
  path: ({ path, tokenQuery }) => path + tokenQuery,
  body: (n) => ({ description: `change ${n} at ${performance.now()}` }),
};
const PATCH_OF_FACTS: Load = {
  ...PATCH,
  body: (n) => ({ value: { ...Object(minimalTender()['value']), amount: 1_000 + n } }),
};
export const POST: Load = { method: 'POST', status: 201, path: () => '/tenders', body: () => minimalTender() };
const GET: Load = { method: 'GET', status: 200, path: ({ path }) => path };

export interface Done {
  readonly perSecond: number;
  /** Ascending. */
  readonly latenciesMs: readonly number[];
}

/** Changes of published tenders and new tenders, durable, through the gateway, and what they cost (rulings R7). */
export async function writeRows(stack: Stack): Promise<BenchmarkRow[]> {
  const writers = await Promise.all(Array.from({ length: WRITERS }, async (_, n) => startWriter(stack, n)));
  // Plain updates come last: autovacuum and checkpoints go on after them, and would count as the cost of what is measured next.
  return [...(await idleRows(stack)), ...(await cpuRows(stack, writers)), ...(await rateRows(stack, writers))];
}

export async function startWriter(stack: Stack, n: number): Promise<Writer> {
  const key = `broker${(n % 3) + 1}`;
  const { path, tokenQuery } = await publish(broker(stack.gatewayUrl, key, '2.5'), minimalTender());
  return { base: `${stack.gatewayUrl}/api/2.5`, key, path, tokenQuery };
}

/** In turns with plain updates, so that noise of the machine affects all of them. */
async function rateRows(stack: Stack, writers: readonly Writer[]): Promise<BenchmarkRow[]> {
  const updates = await startUpdateLoad(stack.databaseUrl('tenders'), WRITERS);
  const [one, eight, told, created, plain]: [Done[], Done[], Done[], Done[], number[]] = [[], [], [], [], []];
  await repeat(writers, SECONDS, PATCH);
  await repeat(writers, WARM_SECONDS, POST);
  await updates.measureFor(1);
  for (let round = 0; round < ROUNDS; round += 1) {
    eight.push(await repeat(writers, SECONDS, PATCH));
    plain.push(await updates.measureFor(SECONDS));
    created.push(await repeat(writers, SECONDS, POST));
    told.push(await repeat(writers, SECONDS, PATCH_OF_FACTS));
    one.push(await repeat(writers.slice(0, 1), SECONDS, PATCH));
  }
  await updates.end();
  const reference = median(plain, (rate) => rate);
  const middle = (rounds: readonly Done[]): Done => median(rounds, (round) => round.perSecond);
  const [single, many] = [middle(one), middle(eight)];
  const against = (what: string, { perSecond }: Done) => ({
    what: `${what}, eight writers, against plain updates by eight clients`,
    ratio: perSecond / reference,
    figures: `${Math.round(perSecond)}/s of ${Math.round(reference)}/s`,
  });
  const [p50, p99] = [0.5, 0.99].map((share) => single.latenciesMs[Math.floor(single.latenciesMs.length * share)] ?? 0);
  return [
    { ...against('PATCH of a tender', many), atLeast: 0.07 },
    { ...against('POST of a tender', middle(created)), atLeast: 0.07 },
    against('PATCH of the value of a tender, which other services store too', middle(told)),
    {
      what: 'PATCH of a tender, eight writers against one',
      ratio: many.perSecond / single.perSecond,
      figures: `${Math.round(many.perSecond)}/s against ${Math.round(single.perSecond)}/s`,
    },
    {
      what: 'PATCH of a tender by one writer, p99 over p50',
      ratio: (p99 ?? 0) / (p50 ?? 1),
      figures: `p50 ${p50?.toFixed(1)} ms, p99 ${p99?.toFixed(1)} ms`,
    },
  ];
}

/**
 * Processor time of all processes, followers and databases included: of one client, and of eight, whose requests share what a process does
 * each time it wakes up.
 */
async function cpuRows(stack: Stack, writers: readonly Writer[]): Promise<BenchmarkRow[]> {
  for (let changes = 0; changes < WARM_CHANGES;) changes += (await repeat(writers, SECONDS, PATCH)).latenciesMs.length;
  const eight = await cpuRow(stack, 'eight clients', writers);
  const one = await cpuRow(stack, 'one client', writers.slice(0, 1));
  return [...one, ...eight];
}

/** In turns, so that noise of the machine affects both. */
async function cpuRow(stack: Stack, who: string, writers: readonly Writer[]): Promise<readonly BenchmarkRow[]> {
  const rounds: CpuRound[] = [];
  for (let round = 0; round < CPU_ROUNDS; round += 1) {
    const change = await cpuOfEach(stack, async () => repeat(writers, SECONDS, PATCH));
    const read = await cpuOfEach(stack, async () => repeat(writers, SECONDS, GET));
    if (change === undefined || read === undefined) return [];
    rounds.push({ change, read, ratio: sumOf(change) / sumOf(read) });
  }
  const { change, read, ratio } = median(rounds, (round) => round.ratio);
  const ratios = rounds.map((round) => round.ratio.toFixed(2)).join(', ');
  return [
    {
      what: `processor time of a PATCH against a GET of the same tender, ${who}`,
      ratio,
      atMost: 6,
      figures: `${sumOf(change).toFixed(2)} ms (${told(change, 2)}) against ${sumOf(read).toFixed(2)} ms; rounds ${ratios}`,
    },
  ];
}

interface CpuRound {
  readonly change: ReadonlyMap<string, number>;
  readonly read: ReadonlyMap<string, number>;
  readonly ratio: number;
}

/** Milliseconds for each request, by part; undefined where the system does not tell them. */
async function cpuOfEach(stack: Stack, load: () => Promise<Done>): Promise<ReadonlyMap<string, number> | undefined> {
  const before = stackCpuMs(stack);
  const { latenciesMs } = await load();
  await pause(SETTLE_MS);
  const after = stackCpuMs(stack);
  if (before === undefined || after === undefined) return undefined;
  return new Map([...cpuBetween(before, after)].map(([name, ms]) => [name, ms / latenciesMs.length]));
}

function told(parts: ReadonlyMap<string, number>, digits: number): string {
  return [...parts]
    .flatMap(([name, value]) => (Number(value.toFixed(digits)) === 0 ? [] : [`${name} ${value.toFixed(digits)}`]))
    .join(', ');
}

async function idleRows(stack: Stack): Promise<BenchmarkRow[]> {
  await pause(IDLE_SETTLE_MS);
  const before = stackCpuMs(stack);
  await pause(IDLE_SECONDS * 1_000);
  const after = stackCpuMs(stack);
  if (before === undefined || after === undefined) return [];
  const used = cpuBetween(before, after);
  const share = sumOf(used) / (IDLE_SECONDS * 1_000);
  const percent = new Map([...used].map(([name, ms]) => [name, ms / IDLE_SECONDS / 10]));
  const figures = `${(share * 100).toFixed(1)} % of one core (${told(percent, 1)})`;
  return [{ what: 'processor time of the idle stack, of one core', ratio: share, atMost: 0.02, figures }];
}

/** Each writer sends its next request when the last was answered. As most clients do, it takes compressed answers. */
export async function repeat(writers: readonly Writer[], seconds: number, load: Load): Promise<Done> {
  const latenciesMs: number[] = [];
  const beganAt = performance.now();
  await Promise.all(
    writers.map(async (writer) => {
      const connection = await openConnection(new URL(writer.base));
      for (let n = 0; performance.now() < beganAt + seconds * 1_000; n += 1) {
        const sentAt = performance.now();
        const answer = await connection.exchange(textOf(load, writer, n));
        if (statusOf(answer) !== load.status) throw new Error(`${load.method} of a tender: ${answer}`);
        latenciesMs.push(performance.now() - sentAt);
      }
      connection.close();
    }),
  );
  const perSecond = (latenciesMs.length / (performance.now() - beganAt)) * 1_000;
  return { perSecond, latenciesMs: latenciesMs.sort((a, b) => a - b) };
}

function textOf({ method, path, body }: Load, writer: Writer, n: number): string {
  const headers = {
    authorization: `Basic ${Buffer.from(`${writer.key}:`).toString('base64')}`,
    'accept-encoding': 'gzip',
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  };
  const text = body && JSON.stringify({ data: body(n) });
  return requestText(method, new URL(writer.base + path(writer)), headers, text);
}
