import type { Instant } from '@procurement/contracts/reading/instant';
import { formatServerDate } from '@procurement/contracts/reading/instant';
import type pg from 'pg';

/** Gives the next `UA-YYYY-MM-DD-NNNNNN` of the day (tenders.md 7.1), never one twice. */
export type NextTenderNumber = (now: Instant) => Promise<string>;

/**
 * Decision 2026-11-21: a sequence a day. A counter row would make every creation of a day wait for the commit of the one
 * before; a sequence costs no wait and never repeats, at the price of gaps after a crash or a refused creation, which
 * the specification does not forbid.
 */
export function tenderNumberSequence(pool: pg.Pool, serverId: string): NextTenderNumber {
  let knownDay: string | undefined;
  return async (now) => {
    const day = formatServerDate(now).slice(0, 10);
    const sequence = `tender_number_${day.replaceAll('-', '_')}`;
    if (knownDay !== day) {
      await createSequenceIfMissing(pool, sequence);
      knownDay = day;
    }
    const { rows } = await pool.query<{ number: string }>({
      name: 'next-tender-number',
      text: 'SELECT nextval($1::regclass) AS number',
      values: [sequence],
    });
    const number = (rows[0]?.number ?? '').padStart(6, '0');
    return `UA-${day}-${number}${serverId === '' ? '' : `-${serverId}`}`;
  };
}

/** `sequence` is made of a date by us, never of anything a client sent. */
async function createSequenceIfMissing(pool: pg.Pool, sequence: string): Promise<void> {
  try {
    await pool.query(`CREATE SEQUENCE IF NOT EXISTS ${sequence}`);
  } catch (error) {
    // Two replicas at midnight: IF NOT EXISTS looks before it locks, and the loser meets the winner's row in the catalogue.
    if (!isUniqueViolation(error)) throw error;
  }
}

function isUniqueViolation(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === '23505';
}
