/** Bounds the pages that are read at once for readers that catch up. */
export interface PageSlots {
  readonly isFull: boolean;
  /** Until a page has ended, in the order of those who wait. Whoever is woken looks again: the place may be taken. */
  wait(): Promise<void>;
  read<T>(page: () => Promise<T>): Promise<T>;
  /** Wakes as many as there are places: one that was woken before may have left, or have found its revisions elsewhere. */
  wakeWaiting(): void;
}

export function makePageSlots(max: number): PageSlots {
  const waiting: (() => void)[] = [];
  let running = 0;
  return {
    get isFull() {
      return running >= max;
    },
    wait: async () => new Promise<void>((next) => waiting.push(next)),
    async read(page) {
      running += 1;
      try {
        return await page();
      } finally {
        running -= 1;
        waiting.shift()?.();
      }
    },
    wakeWaiting() {
      for (const next of waiting.splice(0, Math.max(0, max - running))) next();
    },
  };
}
