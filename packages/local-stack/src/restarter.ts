import type { Part } from './part.ts';

/** Restarts one service. Calls may overlap: a new request ends a start that is under way. */
export interface Restarter {
  /** Restarts the service. Answers the milliseconds until it was ready; undefined if it failed, or a later call took over. */
  restart(): Promise<number | undefined>;
  /** Stops the service and ignores `restart` until `resume`. */
  suspend(): Promise<void>;
  /** Starts the service again. */
  resume(): Promise<number | undefined>;
}

/** `onFailed` gets the reason of each failed start, unless a newer restart ended that start. */
export function makeRestarter(part: Part, onFailed: (error: unknown) => void): Restarter {
  let latest = 0;
  let suspended = false;
  let queue: Promise<unknown> = Promise.resolve();
  let starting = false;

  async function replace(call: number): Promise<boolean> {
    if (call !== latest) return false;
    await part.stop();
    if (call !== latest) return false;
    starting = true;
    try {
      await part.start();
      return true;
    } catch (error) {
      if (call === latest) onFailed(error);
      return false;
    } finally {
      starting = false;
    }
  }

  async function restart(): Promise<number | undefined> {
    if (suspended) return undefined;
    const startedMs = performance.now();
    const call = ++latest;
    // The sources of the service that is starting are out of date.
    if (starting) void part.kill('SIGKILL');
    const replaced = queue.then(async () => replace(call));
    queue = replaced;
    return (await replaced) ? performance.now() - startedMs : undefined;
  }

  return {
    restart,
    async suspend() {
      suspended = true;
      latest += 1;
      if (starting) void part.kill('SIGKILL');
      await queue;
      await part.stop();
    },
    async resume() {
      suspended = false;
      return restart();
    },
  };
}
