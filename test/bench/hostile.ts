import { setTimeout as pause } from 'node:timers/promises';
import type { Stack } from '@procurement/local-stack/stack';
import { broker, type Broker } from '../support/broker.ts';
import { PRODUCTION_LIMITS } from '../support/production-limits.ts';
import { publish } from '../support/published-tender.ts';
import { minimalTender } from '../support/request-bodies.ts';
import { forkWith } from './fork-with.ts';
import { p99, paced } from './paced.ts';
import type { BenchmarkRow } from './row.ts';

const ROUNDS = 5;
const ROUND_MS = 3_000;
/** Pause after the hostile clients have gone: what they left behind is not part of the time without them. */
const SETTLE_MS = 1_500;
const READS_PER_SECOND = 100;
/** Writes of each of two brokers, who may write 20 times a second. */
const WRITES_PER_SECOND = 15;
interface Latencies {
  readonly reads: number[];
  readonly writes: number[];
}

const noLatencies = (): Latencies => ({ reads: [], writes: [] });

/** Latency of honest clients while 200 hostile connections of mixed kinds are open, against that without them, in turns. */
export async function hostileRows(stack: Stack): Promise<BenchmarkRow[]> {
  const gateway = await stack.addReplica('gateway', PRODUCTION_LIMITS);
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
    paced(latencies.reads, {
      perSecond: READS_PER_SECOND,
      durationMs: ROUND_MS,
      expected: 200,
      send: async () => reader.get(path),
    }),
    ...brokers.map(async (client) =>
      paced(latencies.writes, {
        perSecond: WRITES_PER_SECOND,
        durationMs: ROUND_MS,
        expected: 201,
        send: async () => client.post('/tenders', minimalTender()),
      }),
    ),
  ]);
}
