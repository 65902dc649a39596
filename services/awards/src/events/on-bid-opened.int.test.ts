import { streams } from '@procurement/contracts/events/subjects';
import { eventSubject } from '@procurement/contracts/events/envelope';
import { transact } from '@procurement/kit/database/transaction';
import { ensureStream } from '@procurement/kit/messaging/streams';
import { startConsumer } from '@procurement/kit/messaging/repair/start-consumer';
import { makeLog } from '@procurement/kit/runtime/log';
import { makeMetrics } from '@procurement/kit/runtime/metrics';
import { padId } from '@procurement/testing/ids';
import { waitFor } from '@procurement/testing/wait-for';
import { describe, expect, it } from 'vitest';
import { applyBidsOpened, BIDS, bidsOpened, storedAwards } from '../../test-support/awarding-fixtures.ts';
import { bid, tenderFacts } from '../../test-support/run-command.ts';
import { NOW, ownerHeaders, send } from '../../test-support/running-awards.ts';
import { setupAwards } from '../../test-support/setup-awards.ts';
import { onBidOpened } from './on-bid-opened.ts';

const running = setupAwards({ SANDBOX_MODE: 'on' });
const readAwards = async (tenderId: string) => storedAwards(running(), tenderId);

describe('bid.opened', () => {
  it('awards the best bid and publishes the award', async () => {
    const { id } = await running().addTender();
    await applyBidsOpened(running(), bidsOpened(id));
    expect(await readAwards(id)).toMatchObject([{ bid_id: padId('b1'), status: 'pending', date: NOW }]);
    expect(await running().publishedEvents(id)).toMatchObject([
      { type: 'award.changed', correlationid: 'a request', data: { id, version: 1, contracts: [] } },
    ]);
  });

  it('takes no second connection of the pool in its transaction', async () => {
    const { id } = await running().addTender();
    const { pool } = running().database;
    const others = await Promise.all(Array.from({ length: pool.options.max - 1 }, async () => pool.connect()));
    await applyBidsOpened(running(), bidsOpened(id)).finally(() => others.forEach((client) => client.release()));
    expect(await readAwards(id)).toHaveLength(1);
  });

  it('has an effect once: not twice in one delivery, in two, or after a decision', async () => {
    const { id } = await running().addTender();
    await applyBidsOpened(running(), bidsOpened(id), bidsOpened(id, [bid('b9', 1)].concat(BIDS)));
    const [first] = await readAwards(id);
    await applyBidsOpened(running(), bidsOpened(id));
    const path = `/tenders/${id}/awards/${first?.id}`;
    await send(running().app, 'PATCH', path, ownerHeaders, { status: 'unsuccessful' });
    await applyBidsOpened(running(), bidsOpened(id));
    expect((await readAwards(id)).map((award) => award.status)).toEqual(['unsuccessful', 'pending']);
    const versions = (await running().publishedEvents(id)).map(({ data }) => data.version);
    expect(versions, 'a repeated event gets the same answer again').toEqual([1, 1, 2, 2]);
  });

  it('requests the tender when the local copy is missing, with its current lots and time', async () => {
    const lot = (status: string, n: number) => ({ id: String(n).repeat(32), status });
    const tender = tenderFacts({
      id: running().deps.ids.next(),
      clockShift: 3_600_000_000,
      lots: [lot('active', 1), lot('cancelled', 2)],
    });
    running().ownerTenders.set(tender.id, tender);
    const lotValues = [1, 2].map((n) => ({ relatedLot: String(n).repeat(32), value: BIDS[0]?.value }));
    const { value: _value, ...lotted } = bid('b1', 1);
    await applyBidsOpened(running(), bidsOpened(tender.id, [{ ...lotted, lotValues }]));
    expect(await readAwards(tender.id)).toMatchObject([
      { lotID: '1'.repeat(32), date: '2017-02-17T13:00:00.000000+02:00' },
    ]);
  });

  it('uses the current facts of the tender when the local copy is stale', async () => {
    const tender = await running().addTender({ lots: [{ id: '1'.repeat(32), status: 'active' }] });
    running().changeAtOwner(tender, { lots: [{ id: '1'.repeat(32), status: 'cancelled' }] });
    const { value, ...lotted } = bid('b1', 1);
    const lotValues = [{ relatedLot: '1'.repeat(32), value }];
    await applyBidsOpened(running(), bidsOpened(tender.id, [{ ...lotted, lotValues }]));
    expect(await readAwards(tender.id)).toEqual([]);
  });

  it('throws and stores nothing for an unknown tender; a redelivery succeeds', async () => {
    const id = running().deps.ids.next();
    await expect(applyBidsOpened(running(), bidsOpened(id))).rejects.toThrow('unknown tender');
    expect(await running().publishedEvents(id)).toEqual([]);
    running().ownerTenders.set(id, tenderFacts({ id }));
    await applyBidsOpened(running(), bidsOpened(id));
    expect(await readAwards(id)).toHaveLength(1);
  });

  it('stores nothing when the process dies before the commit', async () => {
    const { id } = await running().addTender();
    const crash = transact(running().database.pool, async (tx) => {
      await onBidOpened(running().deps.externalInputs).apply(tx, [bidsOpened(id)]);
      throw new Error('killed');
    });
    await expect(crash).rejects.toThrow('killed');
    expect([await readAwards(id), await running().publishedEvents(id)]).toEqual([[], []]);
    await applyBidsOpened(running(), bidsOpened(id));
    expect([await readAwards(id), await running().publishedEvents(id)]).toMatchObject([[{}], [{}]]);
  });

  it('waits without counting attempts while the tenders service is away, and is applied when it is back', async () => {
    const id = running().deps.ids.next();
    running().ownerTenders.set(id, tenderFacts({ id }));
    running().answersFacts = false;
    await ensureStream(running().bus, streams.bids, 1);
    const consumer = startConsumer(
      { ...onBidOpened(running().deps.externalInputs), durable: 'awards--bid-opened-away' },
      {
        pool: running().database.pool,
        bus: running().bus,
        log: makeLog('awards', 'fatal'),
        metrics: makeMetrics('awards'),
        // A counted failure would be a dead letter after the second attempt.
        retryMs: [10],
      },
    );
    try {
      const before = running().factsRequests;
      await running().bus.jetstream.publish(eventSubject('bids', 'bid.opened', id), JSON.stringify(bidsOpened(id)));
      await waitFor(async () => running().factsRequests > before + 4, { what: 'the third attempt' });
      running().answersFacts = true;
      await waitFor(async () => (await readAwards(id)).length === 1, { what: 'the award' });
      const { rowCount } = await running().database.pool.query('SELECT FROM kit.dead_letter');
      expect(rowCount).toBe(0);
    } finally {
      await consumer.stop();
    }
  });

  it('is applied once when NATS delivers it twice', async () => {
    const { id } = await running().addTender();
    await ensureStream(running().bus, streams.bids, 1);
    const consumer = startConsumer(onBidOpened(running().deps.externalInputs), {
      pool: running().database.pool,
      bus: running().bus,
      log: makeLog('awards', 'fatal'),
      metrics: makeMetrics('awards'),
    });
    try {
      const message = JSON.stringify(bidsOpened(id));
      const subject = eventSubject('bids', 'bid.opened', id);
      for (let n = 0; n < 2; n += 1) await running().bus.jetstream.publish(subject, message);
      await waitFor(async () => (await readAwards(id)).length > 0, { what: 'the first award' });
      await waitFor(async () => (await consumer.lag()) === 0, { what: 'both deliveries' });
      expect(await running().publishedEvents(id)).toHaveLength(1);
    } finally {
      await consumer.stop();
    }
  });

  it('two concurrent first changes of a tender: the second waits, although there is no row to lock yet', async () => {
    const { id } = await running().addTender();
    const { pool } = running().database;
    let second = Promise.resolve();
    await transact(pool, async (tx) => {
      await onBidOpened(running().deps.externalInputs).apply(tx, [bidsOpened(id)]);
      second = applyBidsOpened(running(), bidsOpened(id));
      const text = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      await waitFor(async () => (await pool.query(text)).rowCount === 1, { what: 'the second to wait' });
    });
    await second;
    expect(await readAwards(id)).toHaveLength(1);
    expect((await running().publishedEvents(id)).map(({ data }) => data.version)).toEqual([1, 1]);
  });
});
