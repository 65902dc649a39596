import type { Instant } from '@procurement/contracts/reading/instant';
import { formatServerDate } from '@procurement/contracts/reading/instant';
import { systemClock } from '@procurement/kit/runtime/clock';
import type pg from 'pg';

/** Draws the next `UA-YYYY-MM-DD-NNNNNN` of the day (tenders.md 7.1). Never returns a number twice. */
export type NextTenderNumber = (now: Instant) => Promise<string>;

const DRAW = 'SELECT nextval($1::regclass) AS number';

/**
 * One sequence a day gives the numbers (tenders.md 7.1). With a counter row every creation would wait for the commit of the one before. A sequence
 * never waits and never repeats. A failed commit or a crash leaves a gap; a refused creation draws no number and leaves none.
 */
export function tenderNumberSequence(pool: pg.Pool, serverId: string): NextTenderNumber {
  let knownDay: string | undefined;
  return async (now) => {
    const day = formatServerDate(now).slice(0, 10);
    const sequence = sequenceNameOf(day);
    if (knownDay !== day) {
      await createSequenceIfMissing(pool, sequence);
      knownDay = day;
    }
    const { rows } = await pool.query<{ number: string }>({
      name: 'next-tender-number',
      text: DRAW,
      values: [sequence],
    });
    const number = (rows[0]?.number ?? '').padStart(6, '0');
    return `UA-${day}-${number}${serverId === '' ? '' : `-${serverId}`}`;
  };
}

/** More than the tenders of a day that a restore can lose. */
const NUMBERS_SKIPPED = 100_000;
const SKIP = `SELECT setval(sequencename::regclass, coalesce(last_value, 0) + ${NUMBERS_SKIPPED}) FROM pg_sequences WHERE sequencename = $1`;

/** Leaves out the numbers of today that tenders had which a restore of this database has lost: they may be printed, and OCDS keeps them. */
export async function skipTenderNumbers(tx: pg.PoolClient): Promise<void> {
  const sequence = sequenceNameOf(formatServerDate(systemClock.now()).slice(0, 10));
  await tx.query(`CREATE SEQUENCE IF NOT EXISTS ${sequence}`);
  await tx.query(SKIP, [sequence]);
}

/** `day` is a date of the clock, never input of a client, so the name needs no quoting. */
function sequenceNameOf(day: string): string {
  return `tender_number_${day.replaceAll('-', '_')}`;
}

/** The number that a dry run shows: of no tender. */
export function previewNumber(now: Instant): string {
  return `UA-${formatServerDate(now).slice(0, 10)}-000000`;
}

async function createSequenceIfMissing(pool: pg.Pool, sequence: string): Promise<void> {
  try {
    await pool.query(`CREATE SEQUENCE IF NOT EXISTS ${sequence}`);
  } catch (error) {
    // Two replicas at midnight: IF NOT EXISTS checks without a lock, so the slower one can fail on the row of the other.
    if (!isUniqueViolation(error)) throw error;
  }
}

function isUniqueViolation(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === '23505';
}
