/** Ends what one process waits for when it must not go on, for example without its lock. */
export interface Interruption {
  /** Also ends what is waited for later. */
  interrupt(): void;
  /** The answer; undefined when the interruption comes first. Throws what the answer throws. */
  unlessInterrupted<T>(answer: Promise<T>): Promise<T | undefined>;
}

/**
 * Use it instead of `Promise.race` with a promise that lives as long as the process: each race adds a reaction to that promise, which
 * keeps the answer in memory until it settles.
 */
export function makeInterruption(): Interruption {
  const waiting = new Set<() => void>();
  let isInterrupted = false;
  return {
    interrupt() {
      isInterrupted = true;
      for (const giveUp of waiting) giveUp();
    },
    async unlessInterrupted<T>(answer: Promise<T>) {
      return new Promise<T | undefined>((resolve, reject) => {
        const giveUp = (): void => resolve(undefined);
        waiting.add(giveUp);
        void answer.then(resolve, reject).finally(() => waiting.delete(giveUp));
        if (isInterrupted) giveUp();
      });
    },
  };
}
