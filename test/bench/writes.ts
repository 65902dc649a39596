import { setTimeout as pause } from 'node:timers/promises';
import type { Stack } from '@procurement/local-stack/stack';
import { broker } from '../support/broker.ts';
import { publish } from '../support/published-tender.ts';
import { minimalTender } from '../support/request-bodies.ts';
import { openConnection, requestText, parseStatus } from './http-connection.ts';
import { median } from './load.ts';
import { cpuBetween, stackCpuMs, sumMs } from './process-cpu.ts';
import type { BenchmarkRow } from './row.ts';
import { startUpdateLoad } from './update-load.ts';

const ROUNDS = 5;
const SECONDS = 4;
/** V8 compiles by calls, of which a slow machine makes fewer in the same time. */
const WARM_CHANGES = 10_000;
const WRITERS = 8;
/**
 * Clients of a third of the load that the design answers for, 100 writes and 1,000 reads a second. A slow machine has to carry it: without
 * processor time left, reads share more of their cost than writes do, and the ratio says how busy the machine is.
 */
const CLIENTS = 33;
const WRITE_EVERY_MS = 1_000;
const READ_EVERY_MS = 100;
const READS_PER_WRITE = WRITE_EVERY_MS / READ_EVERY_MS;
const IDLE_SECONDS = 30;
/**
 * What a load leaves belongs to it: autovacuum visits each database once a minute, and one to two minutes after the last of a load V8
 * collects garbage in each process for 0.1 to 0.2 s, one after the other.
 */
const IDLE_SETTLE_MS = 180_000;
/** Time after which followers have applied what was published. */
const SETTLE_MS = 1_000;

/** A writer with a tender of its own. */
export interface Writer {
  /** Address of the segment. */
  readonly base: string;
  readonly key: string;
  /** Path of its tender. */
  readonly path: string;
  readonly tokenQuery: string;
}

/** A request that a writer repeats. */
export interface Load {
  readonly method: string;
  readonly status: number;
  path(writer: Writer): string;
  /** Body of its `n`th request. */
  readonly body?: (n: number) => unknown;
  /** Time from one request of a writer to its next. Without it the next one follows as soon as the last was answered. */
  readonly everyMs?: number;
}

/** Changes what no other service is told (decision 0022). */
export const PATCH: Load = {
  method: 'PATCH',
  status: 200,
  path: ({ path, tokenQuery }) => path + tokenQuery,
  body: (n) => ({ description: `change ${n} at ${performance.now()}` }),
};
export const POST: Load = { method: 'POST', status: 201, path: () => '/tenders', body: () => minimalTender() };
const GET: Load = { method: 'GET', status: 200, path: ({ path }) => path };

export interface Done {
  readonly perSecond: number;
  /** Ascending. */
  readonly latenciesMs: readonly number[];
}

/** What changes of published tenders cost, durable, through the gateway (rulings R7). */
export async function writeRows(stack: Stack): Promise<BenchmarkRow[]> {
  const clients = await Promise.all(Array.from({ length: CLIENTS }, async (_, n) => startWriter(stack, n)));
  return [...(await idleRows(stack)), ...(await cpuRows(stack, clients)), ...(await rateRows(stack, clients))];
}

export async function startWriter(stack: Stack, n: number): Promise<Writer> {
  const key = `broker${(n % 3) + 1}`;
  const { path, tokenQuery } = await publish(broker(stack.gatewayUrl, key, '2.5'), minimalTender());
  return { base: `${stack.gatewayUrl}/api/2.5`, key, path, tokenQuery };
}

/**
 * Processor time of all processes, followers and databases included, at a third of the load of docs/performance.md. Each client has a tender of its own.
 * The bar is that the writes cost no more than the reads.
 */
async function cpuRows(stack: Stack, clients: readonly Writer[]): Promise<BenchmarkRow[]> {
  const warming = clients.slice(0, WRITERS);
  for (let changes = 0; changes < WARM_CHANGES;) changes += (await repeat(warming, SECONDS, PATCH)).latenciesMs.length;
  const reads = { what: 'a GET, 330 a second', load: { ...GET, everyMs: READ_EVERY_MS } };
  const measureRows = async (what: string, load: Load) =>
    cpuRow(stack, { what, load: { ...load, everyMs: WRITE_EVERY_MS }, writers: clients, against: reads });
  const changed = await measureRows('PATCH of a tender, 33 a second', PATCH);
  const created = await measureRows('POST of a tender, 33 a second', POST);
  return [...changed.map((row) => ({ ...row, atMost: READS_PER_WRITE })), ...created];
}

/**
 * Writers that never pause, against plain updates of the same server by as many clients, in turns. The bars are three times the writes of the planned
 * load, and one and a half times them when all are tenders, of the 3,700 updates a second of a quiet machine.
 */
async function rateRows(stack: Stack, clients: readonly Writer[]): Promise<BenchmarkRow[]> {
  const writers = clients.slice(0, WRITERS);
  const updates = await startUpdateLoad(stack.databaseUrl('tenders'), WRITERS);
  const measureRow = async (load: Load, atLeast: number): Promise<BenchmarkRow> => {
    const rounds: { readonly written: number; readonly plain: number }[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const { perSecond: written } = await repeat(writers, SECONDS, load);
      await pause(SETTLE_MS);
      rounds.push({ written, plain: await updates.measureFor(SECONDS) });
    }
    const { written, plain } = median(rounds, (round) => round.written / round.plain);
    return {
      what: `${load.method} of a tender, against plain updates of the same server`,
      ratio: written / plain,
      atLeast,
      figures: `${Math.round(written)}/s of ${Math.round(plain)}/s, ${WRITERS} at once`,
    };
  };
  const rows = [await measureRow(PATCH, 0.08), await measureRow(POST, 0.04)];
  await updates.end();
  return rows;
}

interface MeasuredWrites {
  readonly what: string;
  readonly load: Load;
  readonly writers: readonly Writer[];
  /** What is measured in turns with it. */
  readonly against: { readonly what: string; readonly load: Load };
}

/** Both loads in turns, so that noise of the machine affects both. */
export async function cpuRow(
  stack: Stack,
  { what, load, writers, against }: MeasuredWrites,
): Promise<readonly BenchmarkRow[]> {
  const rounds: CpuRound[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const write = await costOfEach(stack, async () => countRequests(writers, load));
    const other = await costOfEach(stack, async () => countRequests(writers, against.load));
    if (write === undefined || other === undefined) return [];
    rounds.push({ write, other, ratio: sumMs(write.parts) / sumMs(other.parts) });
  }
  const { write, other, ratio } = median(rounds, (round) => round.ratio);
  const ratios = rounds.map((round) => round.ratio.toFixed(2)).join(', ');
  const costs = `${sumMs(write.parts).toFixed(2)} ms (${told(write.parts, 2)}) against ${sumMs(other.parts).toFixed(2)} ms`;
  return [
    {
      what: `processor time of a ${what}, against ${against.what}`,
      ratio,
      figures: `${costs}; rounds ${ratios}; ${Math.round(write.requests / SECONDS)} writes/s`,
    },
  ];
}

interface CpuRound {
  readonly write: RequestCost;
  readonly other: RequestCost;
  readonly ratio: number;
}

interface RequestCost {
  /** Milliseconds for each request, by part. */
  readonly parts: ReadonlyMap<string, number>;
  readonly requests: number;
}

async function countRequests(writers: readonly Writer[], load: Load): Promise<number> {
  return (await repeat(writers, SECONDS, load)).latenciesMs.length;
}

/** The cost of a load, which returns its number of requests, and of what follows. Undefined where the system does not tell processor times. */
export async function costOfEach(
  stack: Stack,
  load: () => Promise<number>,
  settleMs = SETTLE_MS,
): Promise<RequestCost | undefined> {
  const before = stackCpuMs(stack);
  const requests = await load();
  await pause(settleMs);
  const after = stackCpuMs(stack);
  if (before === undefined || after === undefined) return undefined;
  const parts = [...cpuBetween(before, after)].map(([name, ms]) => [name, ms / requests] as const);
  return { parts: new Map(parts), requests };
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
  const share = sumMs(used) / (IDLE_SECONDS * 1_000);
  const percent = new Map([...used].map(([name, ms]) => [name, ms / IDLE_SECONDS / 10]));
  const figures = `${(share * 100).toFixed(1)} % of one core (${told(percent, 1)})`;
  const ledgerMs = used.get('ledger') ?? 0;
  const ledgerShare = ledgerMs / (IDLE_SECONDS * 1_000);
  return [
    { what: 'processor time of the idle stack, of one core', ratio: share, atMost: 0.04, figures },
    {
      what: 'processor time of the idle ledger, of 0.1 % of one core',
      ratio: ledgerShare / 0.001,
      atMost: 1,
      figures: `${ledgerMs} ms in ${IDLE_SECONDS} s`,
    },
  ];
}

/** Each writer sends its next request when the last was answered, and not before its time. As most clients do, it takes compressed answers. */
export async function repeat(writers: readonly Writer[], seconds: number, load: Load): Promise<Done> {
  const latenciesMs: number[] = [];
  const beganAt = performance.now();
  await Promise.all(
    writers.map(async (writer, place) => {
      const connection = await openConnection(new URL(writer.base));
      const { everyMs = 0 } = load;
      for (let n = 0; performance.now() < beganAt + seconds * 1_000; n += 1) {
        const waitMs = beganAt + (n + place / writers.length) * everyMs - performance.now();
        if (waitMs > 0) await pause(waitMs);
        const sentAt = performance.now();
        const answer = await connection.exchange(formatRequest(load, writer, n));
        if (parseStatus(answer) !== load.status) throw new Error(`${load.method} of a tender: ${answer}`);
        latenciesMs.push(performance.now() - sentAt);
      }
      connection.close();
    }),
  );
  const perSecond = (latenciesMs.length / (performance.now() - beganAt)) * 1_000;
  return { perSecond, latenciesMs: latenciesMs.sort((a, b) => a - b) };
}

function formatRequest({ method, path, body }: Load, writer: Writer, n: number): string {
  const headers = {
    authorization: `Basic ${Buffer.from(`${writer.key}:`).toString('base64')}`,
    'accept-encoding': 'gzip',
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  };
  const text = body && JSON.stringify({ data: body(n) });
  return requestText(method, new URL(writer.base + path(writer)), headers, text);
}
