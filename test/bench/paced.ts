/** A client that waits for longer counts as one that got no answer. Bounds the benchmark. */
const ANSWER_MS_MAX = 5_000;

export interface PacedLoad {
  readonly perSecond: number;
  readonly durationMs: number;
  readonly expected: number;
  readonly send: () => Promise<{ readonly status: number }>;
}

/** Sends at a fixed rate, whether or not the answers before have come. A refusal counts as an answer that never came. */
export async function paced(latenciesMs: number[], load: PacedLoad): Promise<void> {
  const { perSecond, durationMs, expected, send } = load;
  const running: Promise<void>[] = [];
  const measure = async (): Promise<void> => {
    const sentAt = performance.now();
    const status = await Promise.race([awaitStatus(send), late()]);
    latenciesMs.push(status === expected ? performance.now() - sentAt : Infinity);
  };
  const timer = setInterval(() => running.push(measure()), 1_000 / perSecond);
  await new Promise((resolve) => setTimeout(resolve, durationMs));
  clearInterval(timer);
  await Promise.all(running);
}

async function awaitStatus(send: () => Promise<{ readonly status: number }>): Promise<number | undefined> {
  return send().then(
    ({ status }) => status,
    () => undefined,
  );
}

async function late(): Promise<undefined> {
  return new Promise((resolve) => setTimeout(() => resolve(undefined), ANSWER_MS_MAX).unref());
}

export function p99(latencies: readonly number[]): number {
  const sorted = [...latencies].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN;
}
