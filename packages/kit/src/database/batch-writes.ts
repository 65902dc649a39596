/**
 * Collects single calls into batches. One batch runs at a time; calls that arrive meanwhile form the next one, so batches grow
 * with the load and a single call does not wait. `work` returns one result per item, in their order; when it throws, every
 * call of that batch rejects.
 */
export function batchWrites<I, O>(
  work: (items: readonly I[]) => Promise<readonly O[]>,
  itemsMax = 128,
): (item: I) => Promise<O> {
  let pending: PendingItem<I, O>[] = [];
  let running = false;

  async function run(): Promise<void> {
    while (pending.length > 0) {
      const batch = pending.slice(0, itemsMax);
      pending = pending.slice(itemsMax);
      await runBatch(batch, async () => work(batch.map(({ item }) => item)));
    }
    running = false;
  }

  return async (item) =>
    new Promise<O>((resolve, reject) => {
      pending.push({ item, resolve, reject });
      if (running) return;
      running = true;
      // Runs after the callbacks of this event loop turn, so that calls which arrived together share a batch.
      setImmediate(() => void run());
    });
}

interface PendingItem<I, O> {
  readonly item: I;
  readonly resolve: (result: O) => void;
  readonly reject: (error: unknown) => void;
}

async function runBatch<I, O>(batch: readonly PendingItem<I, O>[], work: () => Promise<readonly O[]>): Promise<void> {
  try {
    const results = await work();
    if (results.length !== batch.length)
      throw new Error('a batch returned another number of results than it had items');
    // Safe cast: the lengths are equal.
    for (const [n, { resolve }] of batch.entries()) resolve(results[n] as O);
  } catch (error) {
    for (const { reject } of batch) reject(error);
  }
}
