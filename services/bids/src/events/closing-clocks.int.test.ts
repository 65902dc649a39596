import { streams } from '@procurement/contracts/events/subjects';
import { addMicros, formatServerDate, MINUTE, SECOND } from '@procurement/contracts/reading/instant';
import { ensureStream } from '@procurement/kit/messaging/streams';
import { startConsumer } from '@procurement/kit/messaging/repair/start-consumer';
import { ConflictError, transact } from '@procurement/kit/database/transaction';
import { systemClock, type Clock } from '@procurement/kit/runtime/clock';
import { makeLog } from '@procurement/kit/runtime/log';
import { makeMetrics } from '@procurement/kit/runtime/metrics';
import { makeActiveTraces } from '@procurement/kit/runtime/active-traces';
import { waitFor } from '@procurement/testing/wait-for';
import { describe, expect, it } from 'vitest';
import { bidderHeaders, postBid, send } from '../../test-support/bid-requests.ts';
import { bidBody } from '../../test-support/bidding-facts.ts';
import { tenderEvent, type BidsReplica } from '../../test-support/running-bids.ts';
import { setupBids } from '../../test-support/setup-bids.ts';
import { databaseClock } from '../store/database-clock.ts';
import { onTenderingEnded } from './on-tendering-ended.ts';

const END = '2026-05-20T18:00:00+03:00';
const log = makeLog('bids', 'fatal');

const running = setupBids();

const ended = (id: string, endDate = END) => tenderEvent('tender.tendering-ended', id, { endDate });
const seal = async (id: string): Promise<void> => running().apply(onTenderingEnded(running().deps), [ended(id)]);
const post = async (id: string, replica: BidsReplica = running()): Promise<number> =>
  (await send(replica.app, 'POST', `/tenders/${id}/bids`, bidderHeaders, bidBody())).statusCode;

async function sealedSets(id: string): Promise<string[][]> {
  const { rows } = await running().database.pool.query(
    'SELECT envelope FROM kit.outbox WHERE subject = $1 ORDER BY position',
    [`bids.bid-set-sealed.${id}`],
  );
  return rows.map((row) => JSON.parse(row.envelope).data.bids.map((bid: { id: string }) => bid.id));
}

describe('tender.tendering-ended of a tenders service with a fast clock', () => {
  it('closes no bidding before the end by the clock of this service', async () => {
    const { id } = await running().tender();
    const accepted: string[] = [];
    for (const now of ['2026-05-20T17:59:57+03:00', END]) {
      running().clock.set(now);
      await expect(seal(id)).rejects.toBeInstanceOf(ConflictError);
      accepted.push((await postBid(running().app, id)).id);
    }
    running().clock.set('2026-05-20T18:00:00.000001+03:00');
    expect(await post(id)).toBe(403);
    await seal(id);
    expect(await sealedSets(id)).toEqual([accepted]);
    // A replica with a slow clock adds nothing to the sealed set.
    running().clock.set('2026-05-20T17:59:59+03:00');
    expect(await post(id)).toBe(403);
  });

  it('waits for an end that is less than a second away, and accepts bids meanwhile', async () => {
    const end = addMicros(systemClock.now(), 0.6 * SECOND);
    const period = { startDate: '2026-05-10T00:00:00+03:00', endDate: formatServerDate(end) };
    const { id } = await running().tender({ tenderPeriod: period });
    const replica = running().replica(systemClock);
    const closing = transact(replica.pool, async (tx) =>
      onTenderingEnded(replica.deps).apply(tx, [ended(id, period.endDate)]),
    );
    const answer = await send(replica.app, 'POST', `/tenders/${id}/bids`, bidderHeaders, bidBody());
    await closing;
    expect(systemClock.now()).toBeGreaterThan(end);
    // On a slow machine it comes after the end.
    expect([201, 403]).toContain(answer.statusCode);
    expect(await sealedSets(id)).toEqual([answer.statusCode === 201 ? [answer.json().data.id] : []]);
    await replica.close();
  });

  it('waits for the rest when its clock is behind the timer that it waited for', async () => {
    const beganAt = systemClock.now();
    const end = addMicros(beganAt, 0.3 * SECOND);
    const slowClock: Clock = { now: () => addMicros(beganAt, Math.floor((systemClock.now() - beganAt) * 0.98)) };
    const period = { startDate: '2026-05-10T00:00:00+03:00', endDate: formatServerDate(end) };
    const { id } = await running().tender({ tenderPeriod: period });
    const replica = running().replica(slowClock);
    await transact(replica.pool, async (tx) => onTenderingEnded(replica.deps).apply(tx, [ended(id, period.endDate)]));
    expect(slowClock.now()).toBeGreaterThan(end);
    expect(await sealedSets(id)).toEqual([[]]);
    await replica.close();
  });

  it('is redelivered until the end has come, and closes then', async () => {
    const { id } = await running().tender();
    running().clock.set('2026-05-20T17:59:50+03:00');
    await ensureStream(running().bus, streams.tenders, 1);
    const consumer = startConsumer(onTenderingEnded(running().deps), {
      pool: running().database.pool,
      bus: running().bus,
      log,
      metrics: makeMetrics('bids'),
      traces: makeActiveTraces(),
    });
    const event = ended(id);
    await running().bus.jetstream.publish(`tenders.tender-tendering-ended.${id}`, JSON.stringify(event));
    await waitFor(async () => (await consumer.lag()) === 1, { what: 'the event' });
    const bid = await postBid(running().app, id);
    running().clock.set('2026-05-20T18:00:01+03:00');
    await waitFor(async () => (await sealedSets(id)).length > 0, { what: 'the closing' });
    expect(await sealedSets(id)).toEqual([[bid.id]]);
    expect((await running().database.pool.query('SELECT FROM kit.dead_letter')).rowCount).toBe(0);
    await consumer.stop();
  });

  it('is left to the owner, which asks again, when it comes hours before the end; another closing goes on', async () => {
    const early = await running().tender();
    const due = await running().tender();
    const events = [ended(early.id), ended(due.id, '2026-05-20T16:00:00+03:00')];
    running().clock.set('2026-05-20T16:00:01+03:00');
    await running().apply(onTenderingEnded(running().deps), events);
    expect(await sealedSets(early.id)).toEqual([]);
    expect(await sealedSets(due.id)).toEqual([[]]);
    expect(await post(early.id)).toBe(201);
    running().clock.set('2026-05-20T18:00:01+03:00');
    await seal(early.id);
    expect(await sealedSets(early.id)).toHaveLength(1);
  });

  it('is applied at once to a tender whose clock the sandbox moved, even when the copy here is older', async () => {
    const tender = await running().tender();
    running().ownerTenders.set(tender.id, { ...tender, version: 2, clockShift: 10 * 24 * 3_600 * SECOND });
    await seal(tender.id);
    expect(await sealedSets(tender.id)).toEqual([[]]);
  });
});

describe('replicas of this service with different clocks', () => {
  it('accept and refuse bids by the one clock of their database', async () => {
    const hostClock = (seconds: number): Clock => ({ now: () => addMicros(systemClock.now(), seconds * SECOND) });
    const clocks = [-3_600, 3_600].map((seconds) =>
      databaseClock({ pool: running().pool, clock: hostClock(seconds), log }),
    );
    await Promise.all(clocks.map(async (clock) => clock.synchronize()));
    const replicas = clocks.map((clock) => running().replica(clock));
    // Half an hour from now: only one of the clocks of the hosts agrees with the database.
    const postToAll = async (minutes: number) => {
      const endDate = formatServerDate(addMicros(systemClock.now(), minutes * MINUTE));
      const { id } = await running().tender({ tenderPeriod: { startDate: '2026-05-10T00:00:00+03:00', endDate } });
      return Promise.all(replicas.map(async (replica) => post(id, replica)));
    };
    expect(await postToAll(30)).toEqual([201, 201]);
    expect(await postToAll(-30)).toEqual([403, 403]);
    await Promise.all(replicas.map(async (replica) => replica.close()));
  });
});

describe('databaseClock', () => {
  it('shows the time of the host while both clocks agree', async () => {
    const clock = databaseClock({ pool: running().pool, clock: systemClock, log });
    await clock.synchronize();
    const before = systemClock.now();
    const now = clock.now();
    expect([now >= before, now <= systemClock.now()]).toEqual([true, true]);
  });
});
