import { broker } from '../../support/broker.ts';
import { publish } from '../../support/published-tender.ts';
import { minimalTender } from '../../support/request-bodies.ts';

const PROBES_MAX = 40;
const PROBES_MIN = 10;
/** A busy machine has fewer probes: each of them may take seconds beside the hostile client. */
const PROBING_MS = 30_000;

/** Milliseconds of single requests of an honest reader and writer, without repetitions, one after the other. */
export interface Latencies {
  readonly reads: readonly number[];
  readonly writes: readonly number[];
}

/** Measures the latency that others see now. Its tender is not in the ledger. */
export async function measureLatencies(gateway: string): Promise<Latencies> {
  const writer = broker(gateway, 'brokerx', '2.5');
  const { path, tokenQuery } = await publish(writer, minimalTender());
  const [reads, writes]: [number[], number[]] = [[], []];
  const beganMs = performance.now();
  const goesOn = (n: number): boolean => n < PROBES_MIN || (n < PROBES_MAX && performance.now() - beganMs < PROBING_MS);
  for (let n = 0; goesOn(n); n += 1) {
    reads.push(await timed(async () => writer.get(path)));
    writes.push(await timed(async () => writer.patch(path + tokenQuery, { description: `probe ${n}` })));
  }
  return { reads, writes };
}

async function timed(send: () => Promise<{ readonly status: number }>): Promise<number> {
  const begunMs = performance.now();
  const { status } = await send();
  if (status !== 200) throw new Error(`a probe was answered ${status}`);
  return performance.now() - begunMs;
}

export function quantile(values: readonly number[], part: number): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length * part)] ?? Number.NaN;
}
