import type { Envelope } from '@procurement/contracts/events/envelope';
import { streams } from '@procurement/contracts/events/subjects';
import { ensureStream } from '@procurement/kit/messaging/streams';
import { transact } from '@procurement/kit/database/transaction';
import { startConsumer } from '@procurement/kit/messaging/repair/start-consumer';
import { makeLog } from '@procurement/kit/runtime/log';
import { makeMetrics } from '@procurement/kit/runtime/metrics';
import { decided } from '@procurement/testing/decided';
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
/** Has its own pool, so that the closing competes with the writers for locks and not for a connection. */
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
  tenderEvent('tender.tendering-ended', id, { endDate: '2026-05-12T10:15:00+03:00' });

/** Answers of a write that waited for a lock for too long, as on a slow machine: nothing has changed. */
const NOTHING_DONE = [409, 503];

/** Repeated, as the event is delivered again, when the bidding is locked for too long. */
async function close(id: string): Promise<void> {
  const closed = async (): Promise<boolean> => {
    await transact(closer.pool, async (tx) => onTenderingEnded(closer.deps).apply(tx, [ended(id)]));
    return true;
  };
  await waitFor(closed, { what: 'the closing' });
}

async function sealedIds(tenderId: string): Promise<string[][]> {
  const { rows } = await running.database.pool.query(
    'SELECT envelope FROM kit.outbox WHERE subject = $1 ORDER BY position',
    [`bids.bid-set-sealed.${tenderId}`],
  );
  return rows.map((row) => JSON.parse(row.envelope).data.bids.map((bid: { id: string }) => bid.id));
}

function replicaAt(n: number): BidsReplica {
  const replica = replicas[n % replicas.length];
  if (replica === undefined) throw new Error('no replica');
  return replica;
}

describe('tender.tendering-ended during writes (architecture.md, handshake 1)', () => {
  it('seals exactly the bids that were answered 201, on three replicas', async () => {
    let accepted = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      const { id } = await running.tender();
      let answered = 0;
      const posts = Array.from({ length: POSTS }, async (_, n) => {
        const answer = await send(replicaAt(n).app, 'POST', `/tenders/${id}/bids`, bidderHeaders, bidBody());
        answered += 1;
        expect([201, 403, ...NOTHING_DONE]).toContain(answer.statusCode);
        return answer.statusCode === 201 ? [answer.json().data.id as string] : [];
      });
      // The closing comes at a different moment in each round.
      await waitFor(() => answered >= round * 15 + 1, { what: 'some responses', intervalMs: 1 });
      await close(id);
      const registered = (await Promise.all(posts)).flat();
      const [set] = await sealedIds(id);
      expect([...(set ?? [])].sort()).toEqual(registered.sort());
      accepted += registered.length;
      // A slow closing may come after all of them.
      expect(
        (await send(replicaAt(round).app, 'POST', `/tenders/${id}/bids`, bidderHeaders, bidBody())).statusCode,
      ).toBe(403);
    }
    expect(accepted).toBeGreaterThan(0);
  });

  it('seals what owners were answered last: withdrawn or activated before it, or refused after it', async () => {
    let changed = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      const { id } = await running.tender();
      const bids: PostedBid[] = [];
      for (let n = 0; n < OWNERS; n += 1) {
        bids.push(await postBid(running.app, id, bidBody(n % 2 === 0 ? {} : { status: 'draft' })));
      }
      let answered = 0;
      const requests = bids.map(async (bid, n) => {
        const isBid = n % 2 === 0;
        const data = isBid ? undefined : { status: 'active' };
        const answer = await send(replicaAt(n).app, isBid ? 'DELETE' : 'PATCH', bid.path, bid.owner, data);
        answered += 1;
        // A draft that the closing removed is a 404.
        expect([...(isBid ? [200, 403] : [200, 403, 404]), ...NOTHING_DONE]).toContain(answer.statusCode);
        if (answer.statusCode === 200) changed += 1;
        const takesPart = isBid ? answer.statusCode !== 200 : answer.statusCode === 200;
        return takesPart ? [bid.id] : [];
      });
      await waitFor(() => answered >= round * 8 + 1, { what: 'some responses', intervalMs: 1 });
      await close(id);
      const expected = (await Promise.all(requests)).flat();
      const [set] = await sealedIds(id);
      expect([...(set ?? [])].sort()).toEqual(expected.sort());
    }
    expect(changed).toBeGreaterThan(0);
  });

  it('judges a write that waited for the closing by the time after it', async () => {
    const { id } = await running.tender();
    await postBid(running.app, id);
    const holder = await running.database.pool.connect();
    await holder.query('BEGIN');
    await holder.query('SELECT FROM bidding WHERE tender_id = $1 FOR UPDATE', [id]);
    const answer = decided(async () => send(running.app, 'POST', `/tenders/${id}/bids`, bidderHeaders, bidBody()));
    const waiting = `SELECT count(*) AS n FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`;
    await waitFor(async () => Number((await holder.query(waiting)).rows[0].n) > 0, { what: 'the write to wait' });
    running.clock.set('2026-05-20T18:00:00.000001+03:00');
    await holder.query('ROLLBACK');
    holder.release();
    expect((await answer).statusCode).toBe(403);
  });
});

describe('tender.tendering-ended over JetStream', () => {
  it('is applied once, on any replica, and answered in the same transaction', async () => {
    const { id } = await running.tender();
    const bid = await postBid(running.app, id);
    await ensureStream(running.bus, streams.tenders, 1);
    const consumers = replicas.slice(0, 2).map((replica, n) =>
      startConsumer(onTenderingEnded(replica.deps), {
        pool: running.database.pool,
        bus: running.bus,
        log: makeLog('bids', 'fatal'),
        metrics: makeMetrics(`bids-${n}`),
      }),
    );
    const event = ended(id);
    const subject = `tenders.tender-tendering-ended.${id}`;
    // Twice, as a sender does that lost the ack and repeats after the server's duplicate window.
    await running.bus.jetstream.publish(subject, JSON.stringify(event));
    await running.bus.jetstream.publish(subject, JSON.stringify(event));
    const inbox = `SELECT count(*) AS n FROM kit.inbox WHERE durable = 'bids--tendering-ended'`;
    await waitFor(async () => Number((await running.database.pool.query(inbox)).rows[0].n) === 1, {
      what: 'the event',
    });
    await waitFor(async () => (await consumers[0]?.lag()) === 0, { what: 'both deliveries to be handled' });
    expect(await sealedIds(id)).toEqual([[bid.id]]);
    await Promise.all(consumers.map(async (consumer) => consumer.stop()));
  });
});
