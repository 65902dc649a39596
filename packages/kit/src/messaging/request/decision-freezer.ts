import { setTimeout as pause } from 'node:timers/promises';
import { FreezeOutcomeRequest, FreezeResponse, type FreezeOutcome } from '@procurement/contracts/events/freezes';
import { unavailable } from '@procurement/contracts/problems/problems';
import type pg from 'pg';
import { ProblemError } from '../../runtime/problem-error.ts';
import { monotonicMs } from '../../runtime/clock.ts';
import type { Logger } from '../../runtime/log.ts';
import type { Bus } from '../bus.ts';
import { sendRequest } from './request.ts';

/** A freeze that every decider holds. */
export interface BegunFreeze {
  readonly id: string;
  readonly number: number;
  /** Version of the state of each decider under its lock, by its subject. */
  readonly versions: ReadonlyMap<string, number>;
}

/** Freezes the decisions of other services about one object while this service makes one (decision 0060). */
export interface DecisionFreezer {
  /** Resolves when every decider has frozen its decisions. Throws 503, and lifts, when one does not. */
  freeze(id: string): Promise<BegunFreeze>;
  /**
   * Must be called in the transaction of the decision. Throws 503 when a decider has ended the freeze meanwhile, because it
   * waited too long: the decision must not be stored.
   */
  confirm(tx: pg.PoolClient, freeze: BegunFreeze): Promise<void>;
  /**
   * Ends the freeze after the transaction, committed or not. Never throws: a decider that does not hear of it asks for the
   * outcome.
   */
  lift(freeze: Pick<BegunFreeze, 'id' | 'number'>): Promise<void>;
  /** Handles the request for the outcome of a freeze. No decision under the freeze is stored after this resolves. */
  respondOutcome(request: unknown): Promise<FreezeOutcome>;
}

export interface DecisionFreezerOptions {
  readonly pool: pg.Pool;
  readonly bus: Bus;
  readonly log: Logger;
  /** Subjects of all deciders. */
  readonly deciders: readonly string[];
  /** The stored version of an object; 0 when it does not exist. */
  readonly versionOf: (id: string) => Promise<number>;
}

const FREEZE_TIMEOUT_MS = 1_000;
const LIFT_TIMEOUT_MS = 300;
/** Wait for the end of another freeze of the same object. */
const TURN_WAIT_MS_MAX = 1_000;
const TURN_POLL_MS = 20;
const UNAVAILABLE = unavailable(1);

// Numbers grow even if the table was restored from a backup, as long as the clock of the database does. A freeze that is open
// for 10 s belongs to a process that has ended, or whose decision will be refused by `confirm`.
const BEGIN = `INSERT INTO kit.begun_freeze AS own (id, number, open, begun_at)
  VALUES ($1, (extract(epoch FROM clock_timestamp()) * 1000000)::bigint, true, clock_timestamp())
  ON CONFLICT (id) DO UPDATE SET number = greatest(excluded.number, own.number + 1), open = true,
    begun_at = excluded.begun_at
  WHERE NOT own.open OR abs(extract(epoch FROM clock_timestamp() - own.begun_at)) > 10
  RETURNING number`;
const CONFIRM = 'UPDATE kit.begun_freeze SET open = false WHERE id = $1 AND number = $2 AND open';
const CLOSE = 'UPDATE kit.begun_freeze SET open = false WHERE id = $1 AND number <= $2 AND open';

export function makeDecisionFreezer({ pool, bus, log, deciders, versionOf }: DecisionFreezerOptions): DecisionFreezer {
  async function open(id: string): Promise<number> {
    const giveUpAt = monotonicMs() + TURN_WAIT_MS_MAX;
    for (;;) {
      const { rows } = await pool.query<{ number: string }>({ name: 'freeze-begin', text: BEGIN, values: [id] });
      if (rows[0] !== undefined) return Number(rows[0].number);
      if (monotonicMs() > giveUpAt) throw new ProblemError(UNAVAILABLE);
      await pause(TURN_POLL_MS);
    }
  }

  /** Nothing is decided under the freeze after this. Waits for a transaction that has confirmed it and is about to commit. */
  async function close(id: string, number: number): Promise<FreezeOutcome> {
    await pool.query({ name: 'freeze-close', text: CLOSE, values: [id, number] });
    // Read also after a failure: the freeze may have replaced one whose decision was stored and whose end was not heard of.
    return { version: await versionOf(id) };
  }

  async function freezeAt(subject: string, id: string, number: number): Promise<readonly [string, number] | undefined> {
    const response = await sendRequest(bus, subject, { act: 'freeze', id, number }, FREEZE_TIMEOUT_MS);
    if (response.kind === 'unavailable') return undefined;
    const { frozen, version } = FreezeResponse.parse(response.value);
    return frozen ? [subject, version] : undefined;
  }

  async function lift({ id, number }: Pick<BegunFreeze, 'id' | 'number'>): Promise<void> {
    try {
      const request = { act: 'lift', id, number, ...(await close(id, number)) };
      await Promise.all(deciders.map(async (subject) => sendRequest(bus, subject, request, LIFT_TIMEOUT_MS)));
    } catch (error) {
      log.warn({ err: error, id, number }, 'freeze not closed, its deciders will ask for the outcome');
    }
  }

  return {
    async freeze(id) {
      const number = await open(id);
      const frozen = await Promise.all(
        deciders.map(async (subject) => freezeAt(subject, id, number).catch(() => undefined)),
      );
      const versions = new Map(frozen.filter((one) => one !== undefined));
      if (versions.size === deciders.length) return { id, number, versions };
      await lift({ id, number });
      throw new ProblemError(UNAVAILABLE);
    },

    async confirm(tx, { id, number }) {
      const { rowCount } = await tx.query({ name: 'freeze-confirm', text: CONFIRM, values: [id, number] });
      if (rowCount !== 1) throw new ProblemError(UNAVAILABLE);
    },

    lift,

    async respondOutcome(request) {
      const { id, number } = FreezeOutcomeRequest.parse(request);
      return close(id, number);
    },
  };
}
