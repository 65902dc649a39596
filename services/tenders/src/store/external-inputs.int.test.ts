import type { Instant } from '@procurement/contracts/reading/instant';
import { transact } from '@procurement/kit/database/transaction';
import { makeLog } from '@procurement/kit/runtime/log';
import { makeMetrics } from '@procurement/kit/runtime/metrics';
import { startScheduler } from '@procurement/kit/service/scheduler';
import { anonymousIdentity, signedIdentity } from '@procurement/testing/identity';
import { waitFor } from '@procurement/testing/wait-for';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { requestsTo } from '../../test-support/requests.ts';
import { NOW, runningTenders, type RunningTenders } from '../../test-support/running-tenders.ts';
import { nextDue } from './load-tenders.ts';

let running: RunningTenders;
const { send, created } = requestsTo(() => running);

beforeAll(async () => {
  running = await runningTenders();
});

afterEach(async () => {
  running.clock.set(NOW);
  await running.database.pool.query('TRUNCATE tender, tender_view, tender_feed, kit.outbox');
});

afterAll(async () => {
  await running.close();
});

async function createTenders(count: number): Promise<readonly string[]> {
  return Promise.all(Array.from({ length: count }, async () => (await created()).id));
}

async function statuses(): Promise<readonly string[]> {
  const { rows } = await running.database.pool.query(`SELECT document::json ->> 'status' AS status FROM tender`);
  return rows.map((row) => row.status);
}

async function publishedEvents(
  type: string,
): Promise<readonly { readonly subject: string; readonly aggregateversion: number }[]> {
  const { rows } = await running.database.pool.query('SELECT envelope FROM kit.outbox ORDER BY position');
  return rows.map((row) => JSON.parse(row.envelope)).filter((envelope) => envelope.type === type);
}

describe('runDue (tenders.md 8.2, architecture.md "Time")', () => {
  it('does nothing before the deadline, which nextDue returns', async () => {
    const [id] = await createTenders(1);
    expect(await running.deps.externalInputs.runDue(10)).toEqual({ processed: 0, latenessMaxMicros: 0 });
    const { data } = (await send('GET', `/tenders/${id}`, anonymousIdentity())).json();
    const due = (await nextDue(running.database.pool)) as Instant;
    expect(due).toBe(Date.parse(data.next_check) * 1_000);
  });

  it('ticks each tender once when several replicas share the work', async () => {
    const ids = await createTenders(120);
    running.clock.set('2026-05-10T00:00:00+03:00');
    const replicas = Array.from({ length: 4 }, async () => {
      let processed = 0;
      for (;;) {
        const round = await running.deps.externalInputs.runDue(10);
        if (round.processed === 0) return processed;
        processed += round.processed;
      }
    });
    const counts = await Promise.all(replicas);
    // A replica stops when the others hold all remaining tenders, so the sum is exact only after a last round.
    const rest = await running.deps.externalInputs.runDue(200);
    let sum = rest.processed;
    for (const count of counts) sum += count;
    expect(sum).toBe(120);
    expect(new Set(await statuses())).toEqual(new Set(['active.tendering']));
    const changes = await publishedEvents('tender.changed');
    expect(changes.map((envelope) => envelope.subject).sort()).toEqual([...ids].sort());
    expect(new Set(changes.map((envelope) => envelope.aggregateversion))).toEqual(new Set([2]));
  });

  it('applies every due deadline of a tender in one round', async () => {
    const [id] = await createTenders(1);
    running.clock.set('2026-06-10T00:00:00+03:00');
    expect((await running.deps.externalInputs.runDue(10)).processed).toBe(1);
    expect(await publishedEvents('tender.tendering-ended')).toMatchObject([
      { subject: id, data: { endDate: '2026-05-20T18:00:00+03:00' } },
    ]);
    expect((await running.deps.externalInputs.runDue(10)).processed).toBe(0);
  });

  it('loses and repeats nothing when the process ends during a round', async () => {
    await createTenders(5);
    running.clock.set('2026-05-10T00:00:00+03:00');
    // The connection is closed after the writes and before the commit, as when the process is killed.
    await expect(
      transact(running.database.pool, async (tx) => {
        await tx.query('UPDATE tender SET due_at = NULL, version = version + 1');
        await tx.query('SELECT pg_terminate_backend(pg_backend_pid())');
      }),
    ).rejects.toThrow(/terminat/);
    expect(new Set(await statuses())).toEqual(new Set(['active.enquiries']));
    expect((await running.deps.externalInputs.runDue(10)).processed).toBe(5);
    expect(await publishedEvents('tender.changed')).toHaveLength(5);
  });

  it('skips a tender that another transaction has locked, and ticks it later', async () => {
    const [held] = await createTenders(3);
    running.clock.set('2026-05-10T00:00:00+03:00');
    const holder = await running.database.pool.connect();
    await holder.query('BEGIN');
    await holder.query('SELECT FROM tender WHERE id = $1 FOR UPDATE', [held]);
    expect((await running.deps.externalInputs.runDue(10)).processed).toBe(2);
    await holder.query('ROLLBACK');
    holder.release();
    expect((await running.deps.externalInputs.runDue(10)).processed).toBe(1);
  });

  it('publishes the start and the missed end of an auction, so that it is planned again', async () => {
    const [id] = await createTenders(1);
    running.clock.set('2026-05-20T18:00:00+03:00');
    await running.deps.externalInputs.runDue(10);
    const bids = ['a', 'b'].map((letter) => ({ id: letter.repeat(32), lots: [] }));
    const apply = async (
      input: Parameters<RunningTenders['deps']['externalInputs']['apply']>[1][number]['input'],
    ): Promise<void> =>
      transact(running.database.pool, async (tx) =>
        running.deps.externalInputs.apply(tx, [{ id: id ?? '', input }], 'r'),
      );
    await apply({ type: 'SealBids', bids });
    await apply({ type: 'PlanAuction', startDate: '2026-05-21T11:12:34+03:00', version: 1 });
    // `any` is the type of a parsed body.
    const shown = async (): Promise<any> => (await send('GET', `/tenders/${id}`, anonymousIdentity())).json().data;
    expect((await shown()).next_check).toBe('2026-05-21T11:12:34+03:00');
    running.clock.set('2026-05-21T11:12:34+03:00');
    expect((await running.deps.externalInputs.runDue(10)).processed).toBe(1);
    expect((await shown()).next_check).toBe('2026-05-21T11:48:34+03:00');
    running.clock.set('2026-05-21T11:48:34+03:00');
    expect((await running.deps.externalInputs.runDue(10)).processed).toBe(1);
    expect(await shown()).toMatchObject({ auctionPeriod: { shouldStartAfter: '2026-05-22T00:00:00+03:00' } });
    expect(await shown()).not.toHaveProperty('next_check');
    const last = (await publishedEvents('tender.changed')).at(-1);
    expect(last).toMatchObject({ data: { auctionPeriod: { shouldStartAfter: '2026-05-22T00:00:00+03:00' } } });
    expect((await running.deps.externalInputs.runDue(10)).processed).toBe(0);
  });

  it('postpones a due tender without effect, so that it does not block the others', async () => {
    const [stuck, other] = await createTenders(2);
    await running.database.pool.query('UPDATE tender SET due_at = 0 WHERE id = $1', [stuck]);
    expect((await running.deps.externalInputs.runDue(10)).processed).toBe(1);
    const due = await nextDue(running.database.pool);
    expect(due).toBe(Date.parse('2026-05-10T00:00:00+03:00') * 1_000);
    expect(other).toBeDefined();
  });
});

describe('rowBytes', () => {
  it('counts what `apply` reads of each tender, and leaves unknown ones out', async () => {
    const [id = ''] = await createTenders(1);
    const text = 'SELECT document || private_state || facts AS row FROM tender';
    const { rows } = await running.database.pool.query(text);
    const bytes = await running.deps.externalInputs.rowBytes([id, 'unknown']);
    expect([...bytes]).toEqual([[id, Buffer.byteLength(rows[0].row)]]);
  });
});

describe('apply', () => {
  it('leaves view, dateModified and feed unchanged when the change is not visible', async () => {
    const [id] = await createTenders(1);
    running.clock.set('2026-05-10T00:00:00+03:00');
    await running.deps.externalInputs.runDue(10);
    const before = await running.deps.tenders.view(id ?? '');
    running.clock.set('2026-05-20T18:00:00+03:00');
    expect((await running.deps.externalInputs.runDue(10)).processed).toBe(1);
    expect(await publishedEvents('tender.tendering-ended')).toHaveLength(1);
    expect(await running.deps.tenders.view(id ?? '')).toEqual(before);
  });

  it('applies inputs of several tenders in one transaction, repeats once, and ignores unknown tenders', async () => {
    const ids = await createTenders(3);
    running.clock.set('2026-05-20T18:00:00+03:00');
    await running.deps.externalInputs.runDue(10);
    const inputs = [...ids, 'unknown'].map((id) => ({ id, input: { type: 'SealBids', bids: [] } as const }));
    await transact(running.database.pool, async (tx) =>
      running.deps.externalInputs.apply(tx, [...inputs, ...inputs], 'r'),
    );
    expect(new Set(await statuses())).toEqual(new Set(['unsuccessful']));
  });
});

describe('runOne', () => {
  it('moves the time of one tender only (rulings R18)', async () => {
    const [moved, still] = await createTenders(2);
    await running.deps.externalInputs.runOne(moved ?? '', () => 6 * 24 * 3_600_000_000);
    const shown = async (id: string | undefined): Promise<string> =>
      (await send('GET', `/tenders/${id}`, anonymousIdentity())).json().data.status;
    expect([await shown(moved), await shown(still)]).toEqual(['active.tendering', 'active.enquiries']);
    const owner = signedIdentity({ broker: 'seller' });
    const author = {
      name: 'x',
      identifier: { scheme: 'UA-EDR', id: '1' },
      address: { countryName: 'x' },
      contactPoint: { name: 'x', email: 'a@b.ua' },
    };
    const filed = await send('POST', `/tenders/${moved}/complaints`, owner, { author, title: 'x' });
    expect(filed.json().data.date).toBe('2026-05-10T10:15:00.120034+03:00');
    const facts = (await publishedEvents('tender.changed')).at(-1);
    expect(facts).toMatchObject({ data: { clockShift: 6 * 24 * 3_600_000_000 } });
    // In real time: the deadline of the tender whose clock was not moved is the earliest.
    expect(await nextDue(running.database.pool)).toBe(Date.parse('2026-05-10T00:00:00+03:00') * 1_000);
  });

  it('returns undefined for an unknown tender', async () => {
    expect(await running.deps.externalInputs.runOne('none', () => 1)).toBeUndefined();
  });
});

describe('startScheduler', () => {
  it('wakes at a deadline, also at one that was stored while it slept', async () => {
    await createTenders(1);
    const { deps, database, clock } = running;
    const scheduler = startScheduler({
      runDue: async (max) => deps.externalInputs.runDue(max),
      nextDue: async () => nextDue(database.pool),
      clock,
      log: makeLog('tenders', 'fatal'),
      metrics: makeMetrics('tenders'),
    });
    clock.set('2026-05-10T00:00:00+03:00');
    scheduler.wake(clock.now());
    await waitFor(async () => (await statuses())[0] === 'active.tendering', { what: 'the tender to move' });
    await scheduler.stop();
    expect(await publishedEvents('tender.changed')).toHaveLength(1);
  });
});
