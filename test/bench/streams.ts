import { setTimeout as pause } from 'node:timers/promises';
import type { Part } from '@procurement/local-stack/part';
import type { Stack } from '@procurement/local-stack/stack';
import { openClient, type StreamClient } from '@procurement/testing/stream-client';
import { waitFor } from '@procurement/testing/wait-for';
import { broker, type Broker } from '../support/broker.ts';
import { publish, type PublishedTender } from '../support/published-tender.ts';
import { minimalTender } from '../support/request-bodies.ts';
import { MEBIBYTE, memoryBytes } from './process-memory.ts';
import type { BenchmarkRow } from './row.ts';

const READERS = 2_000;
const CHANGES = 20;
/** Both kinds are measured in turns, so that noise of the machine affects both. */
const ROUNDS = 3;
/** Readers of the row of latency (register.md 13, B2). */
const FEW_READERS = 100;
const CHANGES_PER_SECOND = 50;
const SECONDS = 8;
const WRITERS = 8;
/** Readers that open their streams at the same time. */
const OPENING = 50;
const WAIT_MS = 120_000;

/** A system with a gateway that lets one address open so many streams. */
interface StreamBench {
  readonly stack: Stack;
  readonly buyer: Broker;
  readonly gateway: Part & { readonly url: string };
  readonly readers: number;
}

/** Changes of tenders at many readers, through the gateway (register.md 13): B2 to B5. */
export async function streamRows(stack: Stack, readers = READERS): Promise<BenchmarkRow[]> {
  const gateway = await stack.addReplica('gateway', { STREAMS_PER_ADDRESS: String(2 * readers) });
  try {
    const bench = { stack, gateway, readers, buyer: broker(stack.gatewayUrl, 'broker1', '2.5') };
    return [...(await latencyRows(bench)), ...(await fanOutRows(bench))];
  } finally {
    await gateway.stop();
  }
}

/** Time from a publication, by the owner's clock, to a reader, at the process that follows and at one that does not (A17). */
async function latencyRows({ stack, buyer, gateway }: StreamBench): Promise<BenchmarkRow[]> {
  const standby = await stack.addReplica('register');
  const besides = await stack.addReplica('gateway', { STREAMS_PER_ADDRESS: '200', REGISTER_URL: standby.url });
  const tenders = await Promise.all(Array.from({ length: WRITERS }, async () => publish(buyer, minimalTender())));
  const query = `mode=_all_&ids=${tenders.map(({ id }) => id).join(',')}`;
  const at = async (url: string) => openMany(`${url}/api/2.5/stream?${query}`, FEW_READERS / 2);
  const groups = { following: await at(gateway.url), standing: await at(besides.url) };
  const delays = { following: delaysOf(groups.following), standing: delaysOf(groups.standing) };
  await changeAtRate(buyer, tenders);
  const expected = CHANGES_PER_SECOND * SECONDS * (FEW_READERS / 2);
  await waitFor(() => Object.values(delays).every((list) => list.length >= expected), {
    what: 'all changes',
    timeoutMs: WAIT_MS,
  });
  for (const client of Object.values(groups).flat()) client.close();
  await besides.stop();
  await standby.stop();
  const [p50, p99] = [quantile(delays.following, 0.5), quantile(delays.following, 0.99)];
  const [standingP50, standingP99] = [quantile(delays.standing, 0.5), quantile(delays.standing, 0.99)];
  const load = `${CHANGES_PER_SECOND} changes/s, ${FEW_READERS} readers`;
  const figures = `p50 ${p50} ms, p99 ${p99} ms; at a replica that does not follow p50 ${standingP50} ms, p99 ${standingP99} ms`;
  return [
    { what: `stream: p99 from commit to reader, ${load}, of 500 ms (B2)`, ratio: p99 / 500, atMost: 1, figures },
    { what: `stream: p50 from commit to reader, ${load}, of 50 ms (B2)`, ratio: p50 / 50, atMost: 1, figures },
    {
      what: 'stream: p99 at a replica that does not follow, of 500 ms and 250 ms (A17)',
      ratio: standingP99 / 750,
      atMost: 1,
      figures,
    },
  ];
}

async function changeAtRate(buyer: Broker, tenders: readonly PublishedTender[]): Promise<void> {
  const beganAt = performance.now();
  const everyMs = (1_000 * WRITERS) / CHANGES_PER_SECOND;
  await Promise.all(
    tenders.map(async (tender, writer) => {
      for (let n = 0; n < (CHANGES_PER_SECOND * SECONDS) / WRITERS; n += 1) {
        await pause(Math.max(0, beganAt + (n + writer / WRITERS) * everyMs - performance.now()));
        await change(buyer, tender, `${n} of ${writer}`);
      }
    }),
  );
}

/** Readers of one tender: in turns all read, and a fifth take nothing; then all are cut and come back (B3 to B5). */
async function fanOutRows(bench: StreamBench): Promise<BenchmarkRow[]> {
  const { stack, buyer, gateway, readers } = bench;
  const tender = await publish(buyer, minimalTender());
  const url = `${gateway.url}/api/2.5/stream?mode=_all_&ids=${tender.id}`;
  const clients = await openMany(url, readers);
  const before = clients.map(({ positions }) => positions.length);
  const all = [...(await changeAndWait(buyer, tender, clients))];
  const isEach = clients.every(({ positions }, n) => positions.length - (before[n] ?? 0) === CHANGES);
  const isEqual = isEach && new Set(clients.map(({ positions }) => positions.slice(-CHANGES).join())).size === 1;
  const memory = [readMebibytes(stack.parts.register.pid()), readMebibytes(gateway.pid())] as const;
  const [slow, fast] = [clients.filter((_client, n) => n % 5 === 0), clients.filter((_client, n) => n % 5 !== 0)];
  const besides: number[] = [];
  let grown = 0;
  for (let round = 1; ; round += 1) {
    for (const { response } of slow) response.pause();
    besides.push(...(await changeAndWait(buyer, tender, fast)));
    grown = Math.max(grown, readMebibytes(stack.parts.register.pid()) - memory[0]);
    for (const { response } of slow) response.resume();
    const sent = fast[0]?.positions.at(-1);
    await waitFor(() => slow.every(({ positions }) => positions.at(-1) === sent), {
      what: 'the changes at readers that took nothing',
      timeoutMs: WAIT_MS,
    });
    if (round === ROUNDS) break;
    all.push(...(await changeAndWait(buyer, tender, clients)));
  }
  for (const client of clients) client.close();
  const storm = await reconnectSeconds(bench, tender, url, fast.at(-1)?.lastEventId ?? '');
  const [p99, p99Besides] = [quantile(all, 0.99), quantile(besides, 0.99)];
  const figures = `from the answer to the writer: p50 ${quantile(all, 0.5)} ms, p99 ${p99} ms`;
  return [
    {
      what: `stream: ${CHANGES} changes at ${readers} readers of one register and gateway, each once and in order (B3)`,
      ratio: isEqual ? 1 : 0,
      atLeast: 1,
      figures,
    },
    { what: `stream: p99 at ${readers} readers, of 1 s (B3)`, ratio: p99 / 1_000, atMost: 1, figures },
    {
      what: `stream: memory with ${readers} readers, of 250 MB of the register and 350 MB of the gateway (B3)`,
      ratio: Math.max(memory[0] / 250, memory[1] / 350),
      atMost: 1,
      figures: `${Math.round(memory[0])} MB and ${Math.round(memory[1])} MB`,
    },
    {
      what: `stream: p99 while ${slow.length} of ${readers} readers take nothing, against all reading (B4)`,
      ratio: p99Besides / Math.max(1, p99),
      atMost: 1.2,
      figures: `${p99Besides} ms after ${p99} ms; the register grew by ${Math.round(grown)} MB, at most 100`,
    },
    {
      what: `stream: ${readers} readers that were cut at once are live again, of 30 s (B5)`,
      ratio: storm / 30,
      atMost: 1,
      figures: `${storm.toFixed(1)} s until all had the ${CHANGES} changes of the meantime`,
    },
  ];
}

/** Milliseconds from the answer to the writer to each reader, of changes one after the other. */
async function changeAndWait(
  buyer: Broker,
  tender: PublishedTender,
  clients: readonly StreamClient[],
): Promise<readonly number[]> {
  let arrivals: number[] = [];
  const take = (): void => void arrivals.push(performance.now());
  for (const { response } of clients) response.on('data', take);
  const received = (): number => clients.reduce((sum, { positions }) => sum + positions.length, 0);
  const before = received();
  const delays: number[] = [];
  for (let n = 1; n <= CHANGES; n += 1) {
    arrivals = [];
    await change(buyer, tender, `change ${n}`);
    const changedAt = performance.now();
    const isThere = (): boolean => received() >= before + n * clients.length;
    await waitFor(isThere, { what: 'a change at all readers', timeoutMs: WAIT_MS });
    for (const at of arrivals) delays.push(Math.max(0, at - changedAt));
  }
  for (const { response } of clients) response.off('data', take);
  return delays;
}

/** Seconds until all readers have what was published while they were away. */
async function reconnectSeconds(
  { buyer, readers }: StreamBench,
  tender: PublishedTender,
  url: string,
  lastId: string,
): Promise<number> {
  for (let n = 1; n <= CHANGES; n += 1) await change(buyer, tender, `while away ${n}`);
  const beganAt = performance.now();
  const clients = await openMany(url, readers, { 'last-event-id': lastId });
  const isComplete = (): boolean => clients.every(({ positions }) => positions.length >= CHANGES);
  await waitFor(isComplete, { what: 'the changes of the meantime', timeoutMs: WAIT_MS });
  const seconds = (performance.now() - beganAt) / 1_000;
  for (const client of clients) client.close();
  return seconds;
}

async function change(buyer: Broker, { path, tokenQuery }: PublishedTender, description: string): Promise<void> {
  const { status } = await buyer.patch(path + tokenQuery, { description: `${description} at ${performance.now()}` });
  if (status !== 200) throw new Error(`PATCH of a tender answered ${status}`);
}

async function openMany(
  url: string,
  count: number,
  headers: Readonly<Record<string, string>> = {},
): Promise<StreamClient[]> {
  const clients: StreamClient[] = [];
  for (let n = 0; n < count; n += OPENING) {
    const length = Math.min(OPENING, count - n);
    clients.push(...(await Promise.all(Array.from({ length }, async () => openClient(url, headers)))));
  }
  return clients;
}

/** Milliseconds from the position of each notice, a time of the owner's clock, to its arrival. The list fills while notices arrive. */
function delaysOf(clients: readonly StreamClient[]): readonly number[] {
  const delays: number[] = [];
  for (const { response } of clients) {
    response.on('data', (text: string) => {
      for (const [, position] of text.matchAll(/^id: (\d+\.\d+)\ndata/gm))
        delays.push(Date.now() - Number(position) * 1_000);
    });
  }
  return delays;
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return Math.round(sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN);
}

function readMebibytes(pid: number): number {
  return memoryBytes(pid, 'VmRSS') / MEBIBYTE;
}
