import { monotonicMs } from './clock.ts';
import type { Logger } from './log.ts';
import { makeSignal, type Signal } from './signal.ts';

/** Work in the background, in rounds that follow one another. */
export interface Loop {
  /** Ends the pause. A wake during a round is kept: the next round follows at once. */
  wake(): void;
  /** Ends the pause, begins no further round, and resolves when the present one has ended. */
  stop(): Promise<void>;
}

/** `more`: the next round follows at once; `end`: there is no further one. Nothing: the usual pause. */
export type AfterRound = 'more' | 'end' | { readonly pauseMs: number } | void;

/** `stopping` is aborted by `stop`, for rounds that take long. */
export type Round = (stopping: AbortSignal) => Promise<AfterRound>;

export interface LoopOptions {
  /** Pause after a round that returns nothing, in milliseconds. */
  readonly pauseMs: number;
  /** Pause after a round that has failed; default `pauseMs`. */
  readonly failedMs?: number;
  /** Pause before the first round; default 0. */
  readonly firstMs?: number;
  /** Least time from the beginning of a round to that of the next one, unless there is more to do. `wake` does not shorten it. */
  readonly spacingMs?: number;
  /** Wakes the loop too, for a caller that is made before the loop. */
  readonly signal?: Signal;
  readonly log: Logger;
  /** The message of the log when a round has failed. */
  readonly failure: string;
  readonly level?: 'warn' | 'error';
}

/** Runs `round` again and again until `stop`, whatever it throws. */
export function startLoop(round: Round, options: LoopOptions): Loop {
  const { pauseMs, failedMs = pauseMs, firstMs = 0, spacingMs = 0, signal = makeSignal() } = options;
  const { log, failure, level = 'warn' } = options;
  const stopping = new AbortController();
  const stopSignal = makeSignal();

  async function runRound(): Promise<Exclude<AfterRound, void>> {
    try {
      return (await round(stopping.signal)) ?? { pauseMs };
    } catch (error) {
      log[level]({ err: error }, failure);
      return { pauseMs: failedMs };
    }
  }

  async function run(): Promise<void> {
    if (firstMs > 0) await signal.wait(firstMs);
    while (!stopping.signal.aborted) {
      const begunAtMs = monotonicMs();
      const after = await runRound();
      if (after === 'end') return;
      if (after === 'more') continue;
      await signal.wait(after.pauseMs);
      const leftMs = begunAtMs + spacingMs - monotonicMs();
      if (leftMs > 0) await stopSignal.wait(leftMs);
    }
  }
  // Not in this turn: the first round may use the loop that is returned.
  const running = Promise.resolve().then(run);

  return {
    wake: () => signal.notify(),
    async stop() {
      stopping.abort();
      signal.notify();
      stopSignal.notify();
      await running;
    },
  };
}
