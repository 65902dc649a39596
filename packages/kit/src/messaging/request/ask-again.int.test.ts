import { freshDatabase, type TestDatabase } from '@procurement/testing/database';
import { waitFor } from '@procurement/testing/wait-for';
import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { makeLog } from '../../runtime/log.ts';
import { makeMetrics } from '../../runtime/metrics.ts';
import { askDue, startAskingAgain, type AskAgain } from './ask-again.ts';
import { ASK_AGAIN_SECONDS, beginWaits, endWaits, overdueFlows, type FlowWait } from './flow-waits.ts';

let database: TestDatabase;
const log = makeLog('test', 'fatal');

beforeAll(async () => {
  database = await freshDatabase('tenders');
});

beforeEach(async () => {
  await database.pool.query('TRUNCATE kit.flow_wait');
});

afterAll(async () => {
  await database.drop();
});

const wait = (id: string, version = 1, flow = 'closing'): FlowWait => ({ flow, id, version });
const begin = async (...waits: FlowWait[]): Promise<void> => beginWaits(database.pool, waits);
const rows = async () => (await database.pool.query('SELECT * FROM kit.flow_wait ORDER BY flow, id')).rows;
const setAskAt = async (at: string): Promise<void> => {
  await database.pool.query('UPDATE kit.flow_wait SET ask_at = now() + $1::interval', [at]);
};
const makeDue = async (): Promise<void> => setAskAt('0 s');
const secondsUntilAsked = async (): Promise<number> => {
  const { rows: found } = await database.pool.query(
    'SELECT extract(epoch FROM ask_at - now())::float8 AS s FROM kit.flow_wait',
  );
  return found[0].s;
};
const ask = async (closing: AskAgain): Promise<number> => askDue({ pool: database.pool, log, flows: { closing } });

describe('waits', () => {
  it('are asked again after the delays of the table, of which the last repeats', async () => {
    let beganMs = performance.now();
    await begin(wait('a'));
    for (const seconds of [...ASK_AGAIN_SECONDS, 300, 300]) {
      const left = await secondsUntilAsked();
      expect(left).toBeGreaterThan(seconds - 1 - (performance.now() - beganMs) / 1_000);
      expect(left).toBeLessThanOrEqual(seconds);
      // Later than any delay of this test.
      await setAskAt('1 hour');
      expect(await ask(async () => 'asked'), 'not before its time').toBe(0);
      await makeDue();
      beganMs = performance.now();
      expect(await ask(async () => 'asked')).toBe(1);
    }
    expect(await rows()).toMatchObject([{ id: 'a', asked: 7 }]);
  });

  it('keep their age when the request is published again, and end by the newest version only', async () => {
    await begin(wait('a', 3));
    await makeDue();
    await ask(async () => 'asked');
    await begin(wait('a', 5), wait('a', 4));
    expect(await rows()).toMatchObject([{ version: '5', asked: 1 }]);
    await endWaits(database.pool, [wait('a', 4), wait('b', 9)]);
    expect(await rows()).toHaveLength(1);
    await endWaits(database.pool, [wait('a', 5)]);
    expect(await rows()).toEqual([]);
  });

  it('end when the handler finds the answer, unless a newer request was recorded meanwhile', async () => {
    await begin(wait('a'), wait('b'));
    await makeDue();
    await ask(async ({ id }) => {
      if (id === 'b') await begin(wait('b', 2));
      return 'answered';
    });
    expect((await rows()).map(({ id, version }) => [id, version])).toEqual([['b', '2']]);
  });

  it('stay when their handler fails, and hold no other', async () => {
    await begin(wait('a'), wait('b'), wait('c'));
    await makeDue();
    const asked: string[] = [];
    await ask(async ({ id }) => {
      if (id === 'a') throw new Error('the row cannot be read');
      asked.push(id);
      return 'asked';
    });
    expect(asked.sort()).toEqual(['b', 'c']);
    expect(await rows()).toHaveLength(3);
  });

  it('of a flow that this release does not know are left alone', async () => {
    await begin(wait('a', 1, 'of the next release'));
    await makeDue();
    expect(await ask(async () => 'asked')).toBe(0);
    expect(await rows()).toMatchObject([{ asked: 0 }]);
  });

  it('are asked once when several replicas look', async () => {
    await begin(...Array.from({ length: 100 }, (_, n) => wait(String(n))));
    await makeDue();
    let asked = 0;
    const replica = async (): Promise<void> => {
      while ((await ask(async () => ((asked += 1), 'asked'))) > 0);
    };
    await Promise.all([replica(), replica(), replica()]);
    expect(asked).toBe(100);
  });

  it('cost little: 10,000 of them, none due, in one look by an index', async () => {
    await begin(...Array.from({ length: 10_000 }, (_, n) => wait(String(n))));
    await database.pool.query('ANALYZE kit.flow_wait');
    expect(await ask(async () => 'asked')).toBe(0);
    const { rows: lines } = await database.pool.query(
      `EXPLAIN SELECT FROM kit.flow_wait WHERE ask_at <= now() ORDER BY ask_at LIMIT 64`,
    );
    expect(lines.map((line) => line['QUERY PLAN']).join('\n')).toContain('flow_wait_ask_at_idx');
  });
});

describe('startAskingAgain', () => {
  it('asks at the time of the waits that it has seen, and takes nothing before', async () => {
    await begin(wait('a'), wait('b'));
    await setAskAt('1 s');
    const statements: (string | undefined)[] = [];
    const pool: pg.Pool = Object.create(database.pool, {
      query: {
        value: async (statement: pg.QueryConfig) => {
          statements.push(statement.name);
          return database.pool.query(statement);
        },
      },
    });
    const closing: AskAgain = async () => 'answered';
    // Without a wait that it has seen it would look again after the test.
    const pollMs = 3_600_000;
    const asking = startAskingAgain({ pool, log, metrics: makeMetrics('test'), flows: { closing }, pollMs });
    try {
      await waitFor(async () => (await rows()).length === 0, { what: 'the answers' });
    } finally {
      await asking.stop();
    }
    expect(statements.filter((name) => name === 'flow-waits-take')).toHaveLength(1);
  });
});

describe('the alarm', () => {
  it('is raised by a wait of more than a minute, in the gauges, the log and the details, and cleared by its end', async () => {
    const metrics = makeMetrics('test');
    const warn = vi.spyOn(log, 'warn').mockReturnValue();
    await begin(wait('old'), wait('new'));
    await database.pool.query(`UPDATE kit.flow_wait SET waiting_since = now() - interval '90 s' WHERE id = 'old'`);
    const asked: AskAgain = async () => 'asked';
    const flows = { closing: asked, opening: asked };
    const asking = startAskingAgain({ pool: database.pool, log, metrics, flows, pollMs: 5, countMs: 5 });
    const gauge = async (name: string, flow: string): Promise<number> => {
      const text = await metrics.registry.getSingleMetricAsString(name);
      return Number(
        text
          .split('\n')
          .find((line) => line.includes(`flow="${flow}"`))
          ?.split(' ')
          .at(-1),
      );
    };
    try {
      await waitFor(async () => (await gauge('flow_waiting', 'closing')) === 1, { what: 'the gauge' });
      expect(await gauge('flow_waiting_seconds', 'closing')).toBeGreaterThanOrEqual(90);
      expect(await gauge('flow_waiting', 'opening')).toBe(0);
      expect(await asking.details()).toMatchObject([{ kind: 'flow', name: 'closing', count: 1 }]);
      await endWaits(database.pool, [wait('old')]);
      await waitFor(async () => (await gauge('flow_waiting', 'closing')) === 0, { what: 'the end of the alarm' });
      expect(await asking.details()).toEqual([]);
      const warnings = warn.mock.calls.filter(([, text]) => text === 'flow waits for an answer');
      expect(warnings, 'one warning a minute').toHaveLength(1);
      expect(warnings[0]?.[0]).toMatchObject({ flow: 'closing', waiting: 1 });
      expect(await overdueFlows(database.pool)).toEqual([]);
    } finally {
      await asking.stop();
      warn.mockRestore();
    }
  });
});
