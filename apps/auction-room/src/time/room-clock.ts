import { SECOND, type Instant } from '@procurement/contracts/reading/instant';
import type { Clock } from '@procurement/kit/runtime/clock';
import type { Logger } from '@procurement/kit/runtime/log';
import type pg from 'pg';
import { z } from 'zod';

/** The time of the database, which all replicas share (auction-room.md 4.1). It never goes back. */
export interface RoomClock extends Clock {
  /** Measures the difference to the database. */
  synchronize(): Promise<void>;
  /** Microseconds by which the shown time may be wrong; infinite before the first measurement. */
  uncertainty(): number;
  start(): { stop(): void };
}

export interface RoomClockDeps {
  readonly pool: pg.Pool;
  /** Microseconds of a clock that never jumps. */
  readonly monotonicMicros: () => number;
  readonly log: Logger;
}

/** A replica whose time may be wrong by more takes no offers and leads nothing. */
export const UNCERTAINTY_MICROS_MAX = 50_000;
const SAMPLES = 5;
const SYNCHRONIZE_EVERY_MS = 5_000;
/** The time says nothing when the newest measurement is older: the database was away, or this process was stopped. */
const MEASUREMENT_AGE_MICROS_MAX = 20 * SECOND;
/** Seconds that the two clocks may drift apart in a second: many times the drift of computer clocks. */
const DRIFT = 0.0005;
/** Small corrections are worked in at 5 ms a second. */
const SLEW = 0.005;
/** Larger corrections move time ahead at once, or stop it until the database has caught up. */
const STEP_MICROS_MIN = 50_000;

const READ_CLOCK = 'SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint::text AS now';
const Rows = z.tuple([z.object({ now: z.coerce.number().int() })]);

interface Measurement {
  /** Difference of the database's time to the monotonic clock. */
  readonly offset: number;
  /** Half of the time that the question and its answer took. */
  readonly error: number;
  readonly at: number;
}

export function makeRoomClock({ pool, monotonicMicros, log }: RoomClockDeps): RoomClock {
  /** Measurements of the last 20 s, the newest first. */
  let measurements: readonly Measurement[] = [];
  /** The best of them. */
  let measured: Measurement | undefined;
  let offset = 0;
  let readAt = monotonicMicros();

  async function sample(): Promise<Measurement> {
    const before = monotonicMicros();
    const { rows } = await pool.query(READ_CLOCK);
    const after = monotonicMicros();
    const [{ now }] = Rows.parse(rows);
    return { offset: now - (before + after) / 2, error: (after - before) / 2, at: after };
  }

  async function synchronize(): Promise<void> {
    let newest = await sample();
    for (let taken = 1; taken < SAMPLES; taken += 1) {
      const next = await sample();
      if (next.error < newest.error) newest = next;
    }
    if (measured === undefined) offset = newest.offset;
    // Samples that were taken in a busy moment are worse than what was known before it.
    measurements = [newest, ...measurements.filter((older) => isStillRight(older, newest))];
    [measured] = measurements.toSorted((one, other) => errorAt(one, newest.at) - errorAt(other, newest.at));
  }

  const trySynchronize = (): void =>
    void synchronize().catch((error: unknown) => log.warn({ err: error }, 'clock of the database not read'));

  function advance(): number {
    const now = monotonicMicros();
    offset += correction((measured?.offset ?? offset) - offset, now - readAt);
    readAt = now;
    return now;
  }

  return {
    synchronize,
    // Safe cast: whole microseconds. The offset is read after it was advanced.
    now: () => Math.floor(advance() + offset) as Instant,
    uncertainty() {
      const now = advance();
      const [newest] = measurements;
      if (measured === undefined || newest === undefined || now - newest.at > MEASUREMENT_AGE_MICROS_MAX)
        return Number.POSITIVE_INFINITY;
      return errorAt(measured, now) + Math.abs(measured.offset - offset);
    },
    start() {
      const timer = setInterval(trySynchronize, SYNCHRONIZE_EVERY_MS);
      return { stop: () => clearInterval(timer) };
    },
  };
}

function errorAt({ error, at }: Measurement, now: number): number {
  return error + (now - at) * DRIFT;
}

/** False for an old measurement, and for one before somebody set the clock of the database. */
function isStillRight(older: Measurement, newest: Measurement): boolean {
  const isRecent = newest.at - older.at <= MEASUREMENT_AGE_MICROS_MAX;
  return isRecent && Math.abs(older.offset - newest.offset) <= errorAt(older, newest.at) + newest.error;
}

/** How far the offset moves in `elapsed` microseconds. Never further back than time went on. */
function correction(difference: number, elapsed: number): number {
  if (difference > STEP_MICROS_MIN) return difference;
  if (difference < -STEP_MICROS_MIN) return Math.max(difference, -elapsed);
  const most = elapsed * SLEW;
  return Math.min(Math.max(difference, -most), most);
}
