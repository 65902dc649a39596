import { addMicros, type Instant } from '@procurement/contracts/reading/instant';
import type { Clock } from '@procurement/kit/runtime/clock';
import type { Logger } from '@procurement/kit/runtime/log';
import type pg from 'pg';
import { z } from 'zod';

/** The time of the database server, which all replicas of this service share. */
export interface DatabaseClock extends Clock {
  /** Measures by how much the clock of this host differs. */
  synchronize(): Promise<void>;
  /** Synchronizes now and every 10 s. */
  start(): { stop(): void };
}

export interface DatabaseClockDeps {
  readonly pool: pg.Pool;
  /** The clock of the host. */
  readonly clock: Clock;
  readonly log: Logger;
}

const SAMPLES = 3;
const SYNCHRONIZE_EVERY_MS = 10_000;
const READ_CLOCK = 'SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint::text AS now';
const Rows = z.tuple([z.object({ now: z.coerce.number().int() })]);

/**
 * A clock that adds to the host's clock what it lacks to that of the database, so that all replicas judge the end of a
 * tendering period by one time (docs/decisions/0051-closing-by-the-clock-of-bids.md). Shows the host's time until the first
 * measurement, and keeps the last difference while the database is unavailable.
 */
export function databaseClock({ pool, clock, log }: DatabaseClockDeps): DatabaseClock {
  let difference = 0;

  async function measure(): Promise<{ readonly difference: number; readonly uncertainty: number }> {
    const before = clock.now();
    const { rows } = await pool.query(READ_CLOCK);
    const after = clock.now();
    const [{ now }] = Rows.parse(rows);
    return { difference: Math.round(now - (before + after) / 2), uncertainty: (after - before) / 2 };
  }

  async function synchronize(): Promise<void> {
    let best = await measure();
    for (let sample = 1; sample < SAMPLES; sample += 1) {
      const next = await measure();
      if (next.uncertainty < best.uncertainty) best = next;
    }
    // Within the uncertainty the clocks may be the same one, as on one machine.
    difference = Math.abs(best.difference) <= best.uncertainty ? 0 : best.difference;
  }

  const trySynchronize = (): void =>
    void synchronize().catch((error: unknown) => log.warn({ err: error }, 'clock of the database not read'));

  return {
    now: (): Instant => addMicros(clock.now(), difference),
    synchronize,
    start() {
      trySynchronize();
      const timer = setInterval(trySynchronize, SYNCHRONIZE_EVERY_MS);
      return { stop: () => clearInterval(timer) };
    },
  };
}
