import { isDatabaseUnavailable } from '../../database/transaction.ts';
import { makeInterruption } from '../../runtime/interruption.ts';
import type { Logger } from '../../runtime/log.ts';
import { makeSignal } from '../../runtime/signal.ts';
import { PositionLostError } from './applied-position.ts';

export interface RetryAfterCheckOptions {
  readonly position: { check(): Promise<void> };
  readonly bus: { connected(): boolean };
  readonly log: Logger;
  /** Pause before the next check when one has failed; set by tests. */
  readonly pauseMs?: number;
}

export interface RetryAfterCheck {
  /**
   * Runs work that claims events, and once more after a check when the stored position is lost. To return the events to the stream would
   * let later ones of their subjects overtake them. Throws PositionLostError when it is lost again, and after the stop.
   */
  run(work: () => Promise<void>): Promise<void>;
  /** Ends the wait for a check. */
  stop(): void;
}

const PAUSE_MS = 500;

export function makeRetryAfterCheck({
  position,
  bus,
  log,
  pauseMs = PAUSE_MS,
}: RetryAfterCheckOptions): RetryAfterCheck {
  const interruption = makeInterruption();
  const stopSignal = makeSignal();
  let stopped = false;

  /** A check that fails is made again; nothing may be applied before one succeeds. Throws when the database is away. */
  async function checkUntilStopped(): Promise<void> {
    while (!stopped) {
      try {
        if (bus.connected()) {
          await interruption.unlessInterrupted(position.check());
          return;
        }
      } catch (error) {
        if (isDatabaseUnavailable(error)) throw error;
        log.warn({ err: error }, 'position not checked');
      }
      await stopSignal.wait(pauseMs);
    }
  }

  return {
    async run(work) {
      try {
        await work();
      } catch (error) {
        if (!(error instanceof PositionLostError)) throw error;
        await checkUntilStopped();
        if (stopped) throw error;
        await work();
      }
    },
    stop() {
      stopped = true;
      interruption.interrupt();
      stopSignal.notify();
    },
  };
}
