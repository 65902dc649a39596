/** Wakes one waiter. A notification without a waiter is kept for the next `wait`. */
export interface Signal {
  notify(): void;
  /** Resolves on `notify`, or after `ms` milliseconds. */
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
