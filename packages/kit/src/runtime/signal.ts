/** Something to sleep on that can be rung. A ring while nobody sleeps is kept for the next sleeper. */
export interface Signal {
  notify(): void;
  /** Resolves at the ring, or after the time. */
  wait(ms: number): Promise<void>;
}

export function makeSignal(): Signal {
  let notified = false;
  let wakeWaiter: (() => void) | undefined;
  return {
    notify() {
      notified = true;
      wakeWaiter?.();
    },
    async wait(ms) {
      if (!notified) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms);
          wakeWaiter = () => {
            clearTimeout(timer);
            resolve();
          };
        });
        wakeWaiter = undefined;
      }
      notified = false;
    },
  };
}
