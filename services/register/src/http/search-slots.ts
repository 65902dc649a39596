import { problem } from '@procurement/contracts/problems/problems';
import { ProblemError } from '@procurement/kit/http/problem-error';

/** How many searches run and wait. */
export interface SearchSlots {
  /** Runs `work` when fewer than the limit run; undefined when too many wait, or it has waited too long. */
  run<T>(work: () => Promise<T>): Promise<{ readonly result: T } | undefined>;
}

const RUNNING_MAX = 8;
const WAITING_MAX = 32;
const WAIT_MS_MAX = 1_000;

export function makeSearchSlots(waitMsMax = WAIT_MS_MAX): SearchSlots {
  const waiting: (() => void)[] = [];
  let running = 0;

  async function take(): Promise<boolean> {
    if (running < RUNNING_MAX) {
      running += 1;
      return true;
    }
    if (waiting.length >= WAITING_MAX) return false;
    return new Promise((resolve) => {
      // The slot of the search that has ended.
      const start = (): void => {
        clearTimeout(timer);
        resolve(true);
      };
      const timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(start), 1);
        resolve(false);
      }, waitMsMax);
      waiting.push(start);
    });
  }

  return {
    async run(work) {
      if (!(await take())) return undefined;
      try {
        return { result: await work() };
      } finally {
        const next = waiting.shift();
        if (next === undefined) running -= 1;
        else next();
      }
    },
  };
}

/** Runs searches and statistics within the same slots. Throws 429 when too many wait. */
export function searchRunner(slots: SearchSlots): <T>(work: () => Promise<T>) => Promise<T> {
  return async (work) => {
    const done = await slots.run(work);
    if (done === undefined) throw new ProblemError(problem('request.too-many', {}, { 'retry-after': '1' }));
    return done.result;
  };
}
