/**
 * Does `work` for each item, for at most `max` of them at the same time; items begin in their order. A failure does not stop the
 * other items, and is thrown before they have ended: `work` should handle what must not hold up its caller.
 */
export async function inParallel<T>(items: readonly T[], max: number, work: (item: T) => Promise<void>): Promise<void> {
  const rest = items.values();
  const runRest = async (): Promise<void> => {
    for (const item of rest) await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(max, items.length) }, runRest));
}
