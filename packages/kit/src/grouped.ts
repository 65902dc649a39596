/**
 * Makes many single calls one: what arrives while a group is being worked on waits, and becomes the next group. One group is
 * under way at a time, so that groups grow by themselves as the load does, and a lone call waits for nothing. `work` gives one
 * result per item, in their order; when it throws, all of its group hear of it.
 */
export function grouped<I, O>(
  work: (items: readonly I[]) => Promise<readonly O[]>,
  itemsMax = 128,
): (item: I) => Promise<O> {
  let waiting: Waiting<I, O>[] = [];
  let running = false;

  async function run(): Promise<void> {
    while (waiting.length > 0) {
      const group = waiting.slice(0, itemsMax);
      waiting = waiting.slice(itemsMax);
      await answer(group, async () => work(group.map(({ item }) => item)));
    }
    running = false;
  }

  return async (item) =>
    new Promise<O>((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (running) return;
      running = true;
      // After the event loop has worked through what arrived together.
      setImmediate(() => void run());
    });
}

interface Waiting<I, O> {
  readonly item: I;
  readonly resolve: (result: O) => void;
  readonly reject: (error: unknown) => void;
}

async function answer<I, O>(group: readonly Waiting<I, O>[], work: () => Promise<readonly O[]>): Promise<void> {
  try {
    const results = await work();
    if (results.length !== group.length) throw new Error('a group was not answered item by item');
    // As many results as items.
    for (const [n, { resolve }] of group.entries()) resolve(results[n] as O);
  } catch (error) {
    for (const { reject } of group) reject(error);
  }
}
