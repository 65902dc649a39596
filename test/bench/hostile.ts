import { setTimeout as pause } from 'node:timers/promises';
import type { Stack } from '@procurement/local-stack/stack';
import { broker, type Broker } from '../support/broker.ts';
import { publish } from '../support/published-tender.ts';
import { minimalTender } from '../support/request-bodies.ts';
import { forkWith } from './fork-with.ts';
import type { BenchmarkRow } from './row.ts';

const ROUNDS = 5;
const ROUND_MS = 3_000;
/** After the hostile clients have gone: what they left behind is not part of the time without them. */
const SETTLE_MS = 1_500;
const READS_PER_SECOND = 100;
/** Of each of two brokers, who may write 20 times a second. */
const WRITES_PER_SECOND = 15;
/** A client that waits for longer counts as one that got no answer. Bounds the benchmark. */
const ANSWER_MS_MAX = 5_000;

/** The limits of an installation that is no sandbox. Most are per address, and the hostile clients have addresses of their own. */
const LIMITS = {
  RATE_READS_PER_SECOND: '140',
  RATE_WRITES_PER_SECOND: '20',
  UPLOADS_MAX: '4',
  CONNECTIONS_PER_ADDRESS_MAX: '256',
  REQUESTS_PER_ADDRESS_MAX: '128',
  FILES_PER_ADDRESS_MAX: '16',
};

interface Latencies {
  readonly reads: number[];
  readonly writes: number[];
}

const noLatencies = (): Latencies => ({ reads: [], writes: [] });

/** Latency of honest clients while 200 hostile connections of mixed kinds are open, against that without them, in turns. */
export async function hostileRows(stack: Stack): Promise<BenchmarkRow[]> {
  const gateway = await stack.addReplica('gateway', LIMITS);
  const { id, path } = await publish(broker(stack.gatewayUrl, 'broker1', '2.5'), minimalTender());
  const load = {
    reader: broker(gateway.url, undefined, '2.5'),
    brokers: ['broker1', 'broker2'].map((key) => broker(gateway.url, key, '2.5')),
    path,
  };
  const hostile = await forkWith(new URL('hostile-process.ts', import.meta.url), { url: gateway.url, tenderId: id });
  const [without, during] = [noLatencies(), noLatencies()];
  let connections = 0;
  try {
    // The first round is for the compiler only.
    for (let round = 0; round <= ROUNDS; round += 1) {
      await honestLoad({ ...load, latencies: round === 0 ? noLatencies() : without });
      connections = Number(await hostile.ask('open'));
      await honestLoad({ ...load, latencies: round === 0 ? noLatencies() : during });
      await hostile.ask('close');
      await pause(SETTLE_MS);
    }
  } finally {
    await hostile.stop();
    await gateway.stop();
  }
  const row = (what: string, kind: keyof Latencies): BenchmarkRow => {
    const [quietMs, hostileMs] = [p99(without[kind]), p99(during[kind])];
    return {
      what: `${what} during ${connections} hostile connections, p99 against that without them`,
      ratio: hostileMs / quietMs,
      atMost: 3,
      figures: `${hostileMs.toFixed(1)} ms of ${quietMs.toFixed(1)} ms, ${during[kind].length} requests`,
    };
  };
  return [row('GET one tender', 'reads'), row('POST of a tender', 'writes')];
}

interface HonestLoad {
  readonly reader: Broker;
  readonly brokers: readonly Broker[];
  readonly path: string;
  readonly latencies: Latencies;
}

async function honestLoad({ reader, brokers, path, latencies }: HonestLoad): Promise<void> {
  await Promise.all([
    paced(READS_PER_SECOND, latencies.reads, 200, async () => reader.get(path)),
    ...brokers.map(async (client) =>
      paced(WRITES_PER_SECOND, latencies.writes, 201, async () => client.post('/tenders', minimalTender())),
    ),
  ]);
}

/** Sends at a fixed rate, whether or not the answers before have come. A refusal counts as an answer that never came. */
async function paced(
  perSecond: number,
  latenciesMs: number[],
  expected: number,
  send: () => Promise<{ readonly status: number }>,
): Promise<void> {
  const running: Promise<void>[] = [];
  const measure = async (): Promise<void> => {
    const sentAt = performance.now();
    const status = await Promise.race([statusOf(send), late()]);
    latenciesMs.push(status === expected ? performance.now() - sentAt : Infinity);
  };
  const timer = setInterval(() => running.push(measure()), 1_000 / perSecond);
  await new Promise((resolve) => setTimeout(resolve, ROUND_MS));
  clearInterval(timer);
  await Promise.all(running);
}

async function statusOf(send: () => Promise<{ readonly status: number }>): Promise<number | undefined> {
  return send().then(
    ({ status }) => status,
    () => undefined,
  );
}

async function late(): Promise<undefined> {
  return new Promise((resolve) => setTimeout(() => resolve(undefined), ANSWER_MS_MAX).unref());
}

function p99(latencies: readonly number[]): number {
  const sorted = [...latencies].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN;
}
