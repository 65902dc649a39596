/**
 * Makes many single calls one: what arrives while a group is being worked on waits, and becomes the next group. One group is
 * under way at a time, so that groups grow by themselves as the load does, and a lone call waits for nothing. `work` gives one
 * result per item, in their order; when it throws, all of its group hear of it.
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
      // After the event loop has worked through what arrived together.
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
    if (results.length !== batch.length) throw new Error('a group was not answered item by item');
    // As many results as items.
    for (const [n, { resolve }] of batch.entries()) resolve(results[n] as O);
  } catch (error) {
    for (const { reject } of batch) reject(error);
  }
}
