import type { Envelope } from '@procurement/contracts/events/envelope';
import { streams } from '@procurement/contracts/events/subjects';
import { ensureStream } from '@procurement/kit/messaging/bus';
import { transact } from '@procurement/kit/database/transaction';
import { startConsumer } from '@procurement/kit/messaging/consumer';
import { makeLog } from '@procurement/kit/runtime/log';
import { makeMetrics } from '@procurement/kit/runtime/metrics';
import { waitFor } from '@procurement/testing/wait-for';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { bidderHeaders, postBid, send, type PostedBid } from '../../test-support/bid-requests.ts';
import { bidBody } from '../../test-support/bidding-facts.ts';
import { NOW, startBids, tenderEvent, type BidsReplica, type RunningBids } from '../../test-support/running-bids.ts';
import { onTenderingEnded } from './on-tendering-ended.ts';

const ROUNDS = 6;
const POSTS = 150;
const OWNERS = 60;

let running: RunningBids;
/** Has a pool of its own, so that the closing meets the writers at their locks and not in the queue for a connection. */
let closer: BidsReplica;
let replicas: readonly BidsReplica[];

beforeAll(async () => {
  running = await startBids();
  closer = running.replica();
  replicas = [running, running.replica(), running.replica()];
});

afterAll(async () => {
  await Promise.all([closer, ...replicas.slice(1)].map(async (replica) => replica.close()));
  await running.close();
});

beforeEach(() => running.clock.set(NOW));

const ended = (id: string): Envelope =>
  tenderEvent('tender.tendering-ended', id, { endDate: '2026-05-20T18:00:00+03:00' });

async function close(id: string): Promise<void> {
  await transact(closer.pool, async (tx) => onTenderingEnded(closer.deps).apply(tx, [ended(id)]));
}

async function sealedIds(tenderId: string): Promise<string[][]> {
  const { rows } = await running.database.pool.query(
    'SELECT envelope FROM outbox WHERE subject = $1 ORDER BY position',
    [`bids.bid-set-sealed.${tenderId}`],
  );
  return rows.map((row) => JSON.parse(row.envelope).data.bids.map((bid: { id: string }) => bid.id));
}

function replicaAt(n: number): BidsReplica {
  const replica = replicas[n % replicas.length];
  if (replica === undefined) throw new Error('no replica');
  return replica;
}

describe('closing against writers (architecture.md, handshake 1)', () => {
  it('every bid that was answered 201 is in the sealed set, and no other, on three replicas', async () => {
    let accepted = 0;
    let refused = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      const { id } = await running.tender();
      let answered = 0;
      const posts = Array.from({ length: POSTS }, async (_, n) => {
        const answer = await send(replicaAt(n).app, 'POST', `/tenders/${id}/bids`, bidderHeaders, bidBody());
        answered += 1;
        expect([201, 403]).toContain(answer.statusCode);
        return answer.statusCode === 201 ? [answer.json().data.id as string] : [];
      });
      // In the midst of them: a different midst each round.
      await waitFor(() => answered >= round * 15 + 1, { what: 'some answers', intervalMs: 1 });
      await close(id);
      const registered = (await Promise.all(posts)).flat();
      const [set] = await sealedIds(id);
      expect([...(set ?? [])].sort()).toEqual(registered.sort());
      accepted += registered.length;
      refused += POSTS - registered.length;
    }
    // Otherwise nothing has met anything.
    expect([accepted > 0, refused > 0]).toEqual([true, true]);
  }, 60_000);

  it('what owners were answered last is what is sealed: withdrawn or activated before, or refused after', async () => {
    let changed = 0;
    let refused = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      const { id } = await running.tender();
      const bids: PostedBid[] = [];
      for (let n = 0; n < OWNERS; n += 1) {
        bids.push(await postBid(running.app, id, bidBody(n % 2 === 0 ? {} : { status: 'draft' })));
      }
      let answered = 0;
      const wishes = bids.map(async (bid, n) => {
        const isBid = n % 2 === 0;
        const wish = isBid ? undefined : { status: 'active' };
        const answer = await send(replicaAt(n).app, isBid ? 'DELETE' : 'PATCH', bid.path, bid.owner, wish);
        answered += 1;
        // A draft that the closing has removed is not there to be refused any more.
        expect(isBid ? [200, 403] : [200, 403, 404]).toContain(answer.statusCode);
        if (answer.statusCode === 200) changed += 1;
        else refused += 1;
        const takesPart = isBid ? answer.statusCode !== 200 : answer.statusCode === 200;
        return takesPart ? [bid.id] : [];
      });
      await waitFor(() => answered >= round * 8 + 1, { what: 'some answers', intervalMs: 1 });
      await close(id);
      const expected = (await Promise.all(wishes)).flat();
      const [set] = await sealedIds(id);
      expect([...(set ?? [])].sort()).toEqual(expected.sort());
    }
    expect([changed > 0, refused > 0]).toEqual([true, true]);
  }, 60_000);

  it('a writer who waited for the closing is judged by the time after it', async () => {
    const { id } = await running.tender();
    await postBid(running.app, id);
    const holder = await running.database.pool.connect();
    await holder.query('BEGIN');
    await holder.query('SELECT FROM bidding WHERE tender_id = $1 FOR UPDATE', [id]);
    const answer = send(running.app, 'POST', `/tenders/${id}/bids`, bidderHeaders, bidBody());
    const waiting = `SELECT count(*) AS n FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`;
    await waitFor(async () => Number((await holder.query(waiting)).rows[0].n) > 0, { what: 'the writer to wait' });
    running.clock.set('2026-05-20T18:00:00.000001+03:00');
    await holder.query('ROLLBACK');
    holder.release();
    expect((await answer).statusCode).toBe(403);
  });
});

describe('over JetStream', () => {
  it('the announcement is applied once, by whichever replica gets it, and answered in the same transaction', async () => {
    const { id } = await running.tender();
    const bid = await postBid(running.app, id);
    await ensureStream(running.bus, streams.tenders, 1);
    const followers = replicas.slice(0, 2).map((replica, n) =>
      startConsumer(onTenderingEnded(replica.deps), {
        pool: running.database.pool,
        bus: running.bus,
        log: makeLog('bids', 'fatal'),
        metrics: makeMetrics(`bids-${n}`),
        streamReplicas: 1,
      }),
    );
    const event = ended(id);
    const subject = `tenders.tender-tendering-ended.${id}`;
    // Twice, as a sender does that lost the acknowledgement after the window in which the server would notice.
    await running.bus.jetstream.publish(subject, JSON.stringify(event));
    await running.bus.jetstream.publish(subject, JSON.stringify(event));
    const inbox = `SELECT count(*) AS n FROM inbox WHERE durable = 'bids--tendering-ended'`;
    await waitFor(async () => Number((await running.database.pool.query(inbox)).rows[0].n) === 1, {
      what: 'the event',
    });
    await waitFor(async () => (await followers[0]?.lag()) === 0, { what: 'both deliveries to be done with' });
    expect(await sealedIds(id)).toEqual([[bid.id]]);
    await Promise.all(followers.map(async (follower) => follower.stop()));
  });
});
