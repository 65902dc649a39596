/** Something to sleep on that can be rung. A ring while nobody sleeps is kept for the next sleeper. */
export interface Bell {
  ring(): void;
  /** Resolves at the ring, or after the time. */
  wait(ms: number): Promise<void>;
}

export function makeBell(): Bell {
  let rung = false;
  let awake: (() => void) | undefined;
  return {
    ring() {
      rung = true;
      awake?.();
    },
    async wait(ms) {
      if (!rung) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms);
          awake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
        awake = undefined;
      }
      rung = false;
    },
  };
}
