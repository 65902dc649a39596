import { freshDatabase, type TestDatabase } from '@procurement/testing/database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectedBus } from '../../../test-support/connected-bus.ts';
import { makeDecisionFreeze } from './decision-freeze.ts';
import { makeDecisionFreezer } from './decision-freezer.ts';
import { afterClose, afterFreeze, afterLift, NEVER_HELD, type HeldFreeze } from './freeze-rules.ts';

const { log, bus } = connectedBus();
let database: TestDatabase;

beforeAll(async () => {
  database = await freshDatabase('awards');
});

afterAll(async () => database.drop());

type Message =
  | { readonly act: 'freeze'; readonly number: number }
  | { readonly act: 'lift'; readonly number: number; readonly version: number };

const MESSAGES: readonly Message[] = [
  { act: 'freeze', number: 1 },
  { act: 'freeze', number: 2 },
  { act: 'lift', number: 1, version: 5 },
  { act: 'lift', number: 2, version: 4 },
];
const LENGTH = 4;

function orders(length: number): readonly (readonly Message[])[] {
  if (length === 0) return [[]];
  return orders(length - 1).flatMap((before) => MESSAGES.map((last) => [...before, last]));
}

function applyRule(held: HeldFreeze, message: Message): HeldFreeze {
  if (message.act === 'lift') return afterLift(held, message.number, message.version);
  return afterFreeze(held, message.number) ?? held;
}

describe('the statements of a decider', () => {
  it('do what the rules say, in every order of four messages, late and repeated ones included', async () => {
    const { pool } = database;
    const freeze = makeDecisionFreeze({
      pool,
      bus: bus(),
      log,
      table: 'kit.decision_freeze',
      idColumn: 'id',
      outcomeSubject: 'ask.outcome',
    });
    const all = orders(LENGTH);
    const expected: unknown[] = [];
    const stored: unknown[] = [];
    for (const [n, order] of all.entries()) {
      const id = `object ${n}`;
      let held = NEVER_HELD;
      for (const message of order) {
        const answer = await freeze.respond({ ...message, id }, async () => 0);
        if (message.act === 'freeze')
          expect([order, answer]).toEqual([
            order,
            { frozen: afterFreeze(held, message.number) !== undefined, version: 0 },
          ]);
        held = applyRule(held, message);
      }
      expected.push({ id, ...held });
      const { rows } = await pool.query(
        `SELECT id, freeze_number::int AS number, frozen_at IS NOT NULL AS "isHeld", coalesce(freeze_version, 0)::int AS version
         FROM kit.decision_freeze WHERE id = $1`,
        [id],
      );
      stored.push(rows[0]);
    }
    expect(stored).toHaveLength(MESSAGES.length ** LENGTH);
    expect(stored).toEqual(expected);
  });
});

describe('the statements of a freezer', () => {
  it('close a freeze for its own number and for a later one, and not for an older one', async () => {
    const { pool } = database;
    const freezer = makeDecisionFreezer({ pool, bus: bus(), log, deciders: [], versionOf: async () => 1 });
    for (const later of [-1, 0, 1]) {
      const id = `begun ${later}`;
      const { number } = await freezer.freeze(id);
      await freezer.respondOutcome({ id, number: number + later });
      const { rows } = await pool.query('SELECT number::float8 AS number, open FROM kit.begun_freeze WHERE id = $1', [
        id,
      ]);
      expect(rows).toEqual([afterClose({ number, open: true }, number + later)]);
    }
  });
});
