import { eventSubject } from '@procurement/contracts/events/envelope';
import { streams } from '@procurement/contracts/events/subjects';
import { ensureStream } from '@procurement/kit/messaging/streams';
import { startConsumer } from '@procurement/kit/messaging/repair/start-consumer';
import { makeMetrics } from '@procurement/kit/runtime/metrics';
import { makeEvent } from '@procurement/testing/event';
import { waitFor } from '@procurement/testing/wait-for';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { requestsTo } from '../../test-support/requests.ts';
import { NOW, runningTenders, type RunningTenders } from '../../test-support/running-tenders.ts';
import { onBidSetSealed } from '../events/on-bid-set-sealed.ts';

const TENDERING_BEGINS = '2026-05-10T00:00:00+03:00';
const TENDERING_ENDS = '2026-05-20T18:00:00+03:00';

let running: RunningTenders;
const { created } = requestsTo(() => running);

beforeAll(async () => {
  running = await runningTenders();
});

afterEach(async () => {
  running.clock.set(NOW);
  vi.restoreAllMocks();
  await running.database.pool.query(
    'TRUNCATE tender, tender_view, tender_feed, kit.outbox, kit.clock_failure, kit.dead_letter',
  );
});

afterAll(async () => {
  await running.close();
});

async function createTenders(count: number): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let n = 0; n < count; n += 1) ids.push((await created()).id);
  return ids;
}

const query = async (text: string, values: readonly unknown[] = []) =>
  (await running.database.pool.query(text, [...values])).rows;

async function readStatus(id: string | undefined): Promise<string> {
  return (await query("SELECT facts::json ->> 'status' AS status FROM tender WHERE id = $1", [id]))[0].status;
}

/** Microseconds from now until the row is due. */
async function dueIn(id: string | undefined): Promise<number> {
  return Number((await query('SELECT due_at FROM tender WHERE id = $1', [id]))[0].due_at) - running.clock.now();
}

const runDue = async (max = 10): Promise<number> => (await running.deps.externalInputs.runDue(max)).processed;
const gauge = async (): Promise<string | undefined> =>
  (await running.metrics.registry.getSingleMetricAsString('clock_rows_postponed')).split(' ').at(-1);

describe('runDue with rows that fail', () => {
  it.each([
    ['an unknown phase', `private_state = '{"bidding":{"phase":"from the next release"}}'`],
    ['broken JSON', `document = 'no JSON'`],
    ['a date on which the decision throws', `document = replace(document, '2026-05-20T18:00:00+03:00', 'soon')`],
  ])('puts off a row with %s; the others move on time, and it moves when repaired', async (_what, damage) => {
    const [bad, ...good] = await createTenders(3);
    const [stored] = await query('SELECT private_state, document FROM tender WHERE id = $1', [bad]);
    await query(`UPDATE tender SET ${damage} WHERE id = $1`, [bad]);
    const logged = vi.spyOn(running.log, 'error');
    running.clock.set(TENDERING_BEGINS);

    expect(await runDue()).toBe(3);
    expect(await Promise.all(good.map(readStatus))).toEqual(['active.tendering', 'active.tendering']);
    expect(await dueIn(bad)).toBe(1_000_000);
    expect(await runDue()).toBe(0);
    expect(await gauge()).toBe('1');

    running.clock.advance(1_000);
    expect(await runDue()).toBe(1);
    expect(await dueIn(bad), 'the delay grows').toBe(2_000_000);
    expect(logged.mock.calls.map(([, message]) => message)).toEqual(['due row failed, put off']);

    await query('UPDATE tender SET private_state = $2, document = $3 WHERE id = $1', [
      bad,
      stored.private_state,
      stored.document,
    ]);
    running.clock.advance(2_000);
    expect(await runDue()).toBe(1);
    expect(await readStatus(bad)).toBe('active.tendering');
    await waitFor(
      async () => {
        await runDue();
        return (await gauge()) === '0';
      },
      { what: 'the gauge' },
    );
  });

  it('moves a row whose facts cannot be read on time, and makes them again', async () => {
    const [id = ''] = await createTenders(1);
    await query(`UPDATE tender SET facts = '{}' WHERE id = $1`, [id]);
    await expect(running.deps.tenders.facts(id)).rejects.toThrow('ownerTokenHash');
    running.clock.set(TENDERING_BEGINS);
    expect(await runDue()).toBe(1);
    expect(await gauge()).toBe('0');
    expect(await running.deps.tenders.facts(id)).toMatchObject({ id, status: 'active.tendering' });
  });

  it('delays a row for at most 5 minutes', async () => {
    const [bad] = await createTenders(1);
    await query(`UPDATE tender SET document = 'no JSON' WHERE id = $1`, [bad]);
    await query(`INSERT INTO kit.clock_failure (id, attempts, due_at, error) VALUES ($1, 1000, 0, '')`, [bad]);
    running.clock.set(TENDERING_BEGINS);
    await runDue();
    expect(await dueIn(bad)).toBe(300_000_000);
  });

  it('saves the others when the database refuses one row', async () => {
    const [bad, ...good] = await createTenders(3);
    await query(
      `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''refused''; END'`,
    );
    await query(`CREATE TRIGGER refuse BEFORE UPDATE OF version ON tender FOR EACH ROW
      WHEN (NEW.id = '${bad}') EXECUTE FUNCTION refuse()`);
    try {
      running.clock.set(TENDERING_BEGINS);
      expect(await runDue()).toBe(3);
      expect(await Promise.all([bad, ...good].map(readStatus))).toEqual([
        'active.enquiries',
        'active.tendering',
        'active.tendering',
      ]);
      expect(await dueIn(bad)).toBe(1_000_000);
    } finally {
      await query('DROP TRIGGER refuse ON tender');
      await query('DROP FUNCTION refuse');
    }
  });

  it('reads a row of 9 MB alone, after all others', async () => {
    const [large, ...small] = await createTenders(3);
    const text = `document = (document::jsonb || jsonb_build_object('description', repeat('x', 9000000)))::text, due_at = 1`;
    await query(`UPDATE tender SET ${text} WHERE id = $1`, [large]);
    running.clock.set(TENDERING_BEGINS);
    expect(await runDue()).toBe(2);
    expect(await Promise.all([large, ...small].map(readStatus))).toEqual([
      'active.enquiries',
      'active.tendering',
      'active.tendering',
    ]);
    expect(await runDue()).toBe(1);
    expect(await readStatus(large)).toBe('active.tendering');
    expect(await runDue()).toBe(0);
  });

  it('ticks a large row once when several replicas find it', async () => {
    const [large] = await createTenders(1);
    const text = `document = (document::jsonb || jsonb_build_object('description', repeat('x', 9000000)))::text`;
    await query(`UPDATE tender SET ${text} WHERE id = $1`, [large]);
    running.clock.set(TENDERING_BEGINS);
    await Promise.allSettled([runDue(), runDue(), runDue()]);
    running.clock.advance(300_000);
    await runDue();
    expect(await readStatus(large)).toBe('active.tendering');
    expect(await query(`SELECT FROM kit.clock_failure WHERE error LIKE '%without effect%'`)).toEqual([]);
  });
});

describe('apply with a tender that cannot be read', () => {
  it('fails the event of that tender only', async () => {
    const ids = await createTenders(4);
    running.clock.set(TENDERING_ENDS);
    await runDue();
    const [bad, ...good] = ids;
    await query(`UPDATE tender SET document = 'no JSON' WHERE id = $1`, [bad]);
    await ensureStream(running.bus, streams.bids, 1);
    for (const id of ids) {
      const sealed = makeEvent({
        source: 'bids',
        type: 'bid.set-sealed',
        subject: id,
        time: TENDERING_ENDS,
        version: 1,
        data: { id, bids: [] },
      });
      const subject = eventSubject('bids', 'bid.set-sealed', id);
      await running.bus.jetstream.publish(subject, JSON.stringify(sealed));
    }
    const apply = vi.spyOn(running.deps.externalInputs, 'apply');
    const consumer = startConsumer(onBidSetSealed(running.deps.externalInputs), {
      pool: running.database.pool,
      bus: running.bus,
      log: running.log,
      metrics: makeMetrics('tenders'),
      retryMs: [],
    });
    try {
      await waitFor(async () => (await query('SELECT FROM kit.dead_letter')).length === 1, { what: 'the dead letter' });
      await waitFor(async () => (await consumer.lag()) === 0, { what: 'all events' });
      expect(await Promise.all(good.map(readStatus))).toEqual(['unsuccessful', 'unsuccessful', 'unsuccessful']);
      const sizes = apply.mock.calls.map(([, inputs]) => inputs.length);
      expect(sizes.filter((size) => size > 1).length, 'common transactions').toBeLessThanOrEqual(1);
    } finally {
      await consumer.stop();
    }
  });
});
