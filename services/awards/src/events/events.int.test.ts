import { ensureStream } from '@procurement/kit/messaging/bus';
import { startConsumer } from '@procurement/kit/messaging/consumer';
import { transact } from '@procurement/kit/database/transaction';
import { makeLog } from '@procurement/kit/runtime/log';
import { makeMetrics } from '@procurement/kit/runtime/metrics';
import { startScheduler } from '@procurement/kit/runtime/scheduler';
import { streams } from '@procurement/contracts/events/subjects';
import { subjectOf, type Envelope } from '@procurement/contracts/events/envelope';
import { sha256Hex } from '@procurement/kit/runtime/ids';
import { anonymousIdentity, signedIdentity } from '@procurement/testing/identity';
import { waitFor } from '@procurement/testing/wait-for';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AUTHOR, bid, tenderFacts, idOf, party } from '../../test-support/run-command.ts';
import {
  bidderHeaders,
  event,
  NOW,
  ownerHeaders,
  runningAwards,
  send,
  type RunningAwards,
} from '../../test-support/running-awards.ts';
import { nextDue } from '../store/load-awardings.ts';
import { onBidChanged } from './on-bid-changed.ts';
import { onBidOpened } from './on-bid-opened.ts';
import { onTenderChanged } from './on-tender-changed.ts';

let running: RunningAwards;

beforeEach(async () => {
  running = await runningAwards({ SANDBOX_MODE: 'on' });
});

afterEach(async () => running.close());

const anyone = anonymousIdentity();
const BIDS = [bid('b1', 390), bid('b2', 400)];
const bidsOpenedEvent = (id: string, bids: readonly object[] = BIDS): Envelope =>
  event('bids', 'bid.opened', id, { id, bids });
const applyBidsOpened = async (...events: readonly Envelope[]) =>
  running.apply(onBidOpened(running.deps.externalInputs), events);
const awardsOf = async (id: string) => (await running.deps.awardings.find(id)).awards;
const dueOf = async (id: string): Promise<string | null> => {
  const { rows } = await running.database.pool.query('SELECT due_at FROM awarding WHERE tender_id = $1', [id]);
  return rows[0]?.due_at ?? null;
};

describe('bid.opened', () => {
  it('once: the best bid is awarded, and told', async () => {
    const { id } = await running.addTender();
    await applyBidsOpened(bidsOpenedEvent(id));
    expect(await awardsOf(id)).toMatchObject([{ bid_id: idOf('b1'), status: 'pending', date: NOW }]);
    expect(await running.publishedEvents(id)).toMatchObject([
      { type: 'award.changed', correlationid: 'a request', data: { id, version: 1, contracts: [] } },
    ]);
  });

  it('twice, in one delivery or in two, and after a decision: as once', async () => {
    const { id } = await running.addTender();
    await applyBidsOpened(bidsOpenedEvent(id), bidsOpenedEvent(id, [bid('b9', 1)].concat(BIDS)));
    const [first] = await awardsOf(id);
    await applyBidsOpened(bidsOpenedEvent(id));
    const path = `/tenders/${id}/awards/${first?.id}`;
    await send(running.app, 'PATCH', path, ownerHeaders, { status: 'unsuccessful' });
    await applyBidsOpened(bidsOpenedEvent(id));
    expect((await awardsOf(id)).map((award) => award.status)).toEqual(['unsuccessful', 'pending']);
    expect(await running.publishedEvents(id)).toHaveLength(2);
  });

  it('before the tender is heard of: its owner is asked, for lots and time as they are now', async () => {
    const lot = (status: string, n: number) => ({ id: String(n).repeat(32), status });
    const tender = tenderFacts({
      id: running.deps.ids.next(),
      clockShift: 3_600_000_000,
      lots: [lot('active', 1), lot('cancelled', 2)],
    });
    running.ownerTenders.set(tender.id, tender);
    const lotValues = [1, 2].map((n) => ({ relatedLot: String(n).repeat(32), value: BIDS[0]?.value }));
    const { value: _value, ...lotted } = bid('b1', 1);
    await applyBidsOpened(bidsOpenedEvent(tender.id, [{ ...lotted, lotValues }]));
    expect(await awardsOf(tender.id)).toMatchObject([
      { lotID: '1'.repeat(32), date: '2017-02-17T13:00:00.000000+02:00' },
    ]);
  });

  it('after an older copy: by what the owner knows now', async () => {
    const tender = await running.addTender({ lots: [{ id: '1'.repeat(32), status: 'active' }] });
    running.changeAtOwner(tender, { lots: [{ id: '1'.repeat(32), status: 'cancelled' }] });
    const { value, ...lotted } = bid('b1', 1);
    await applyBidsOpened(
      bidsOpenedEvent(tender.id, [{ ...lotted, lotValues: [{ relatedLot: '1'.repeat(32), value }] }]),
    );
    expect(await awardsOf(tender.id)).toEqual([]);
  });

  it('of a tender that nobody knows: nothing is stored, and it is tried again', async () => {
    const id = running.deps.ids.next();
    await expect(applyBidsOpened(bidsOpenedEvent(id))).rejects.toThrow('that nobody knows');
    expect(await running.publishedEvents(id)).toEqual([]);
    running.ownerTenders.set(id, tenderFacts({ id }));
    await applyBidsOpened(bidsOpenedEvent(id));
    expect(await awardsOf(id)).toHaveLength(1);
  });

  it('a process that dies before the commit leaves nothing', async () => {
    const { id } = await running.addTender();
    const crash = transact(running.database.pool, async (tx) => {
      await onBidOpened(running.deps.externalInputs).apply(tx, [bidsOpenedEvent(id)]);
      throw new Error('killed');
    });
    await expect(crash).rejects.toThrow('killed');
    expect([await awardsOf(id), await running.publishedEvents(id)]).toEqual([[], []]);
    await applyBidsOpened(bidsOpenedEvent(id));
    expect([await awardsOf(id), await running.publishedEvents(id)]).toMatchObject([[{}], [{}]]);
  });

  it('by NATS, published twice: applied once', async () => {
    const { id } = await running.addTender();
    await ensureStream(running.bus, streams.bids, 1);
    const consumer = startConsumer(onBidOpened(running.deps.externalInputs), {
      pool: running.database.pool,
      bus: running.bus,
      log: makeLog('awards', 'fatal'),
      metrics: makeMetrics('awards'),
      streamReplicas: 1,
    });
    try {
      const told = bidsOpenedEvent(id);
      const subject = subjectOf('bids', 'bid.opened', id);
      for (let n = 0; n < 2; n += 1) await running.bus.jetstream.publish(subject, JSON.stringify(told));
      await waitFor(async () => (await awardsOf(id)).length > 0, { what: 'the first award' });
      await waitFor(async () => (await consumer.lag()) === 0, { what: 'both deliveries' });
      expect(await running.publishedEvents(id)).toHaveLength(1);
    } finally {
      await consumer.stop();
    }
  });
});

describe('who writes at the same time', () => {
  it('the first change of a tender is made once: the second waits for it, with no row to wait at', async () => {
    const { id } = await running.addTender();
    const { pool } = running.database;
    let second = Promise.resolve();
    await transact(pool, async (tx) => {
      await onBidOpened(running.deps.externalInputs).apply(tx, [bidsOpenedEvent(id)]);
      second = applyBidsOpened(bidsOpenedEvent(id));
      const text = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      await waitFor(async () => (await pool.query(text)).rowCount === 1, { what: 'the second to wait' });
    });
    await second;
    expect(await awardsOf(id)).toHaveLength(1);
    expect(await running.publishedEvents(id)).toHaveLength(1);
  });

  it('two decisions about one award: one is refused', async () => {
    const { id } = await running.addTender();
    await applyBidsOpened(bidsOpenedEvent(id));
    const [award] = await awardsOf(id);
    const decide = async () =>
      send(running.app, 'PATCH', `/tenders/${id}/awards/${award?.id}`, ownerHeaders, { status: 'unsuccessful' });
    const answers = await Promise.all([decide(), decide()]);
    expect(answers.map((answer) => answer.statusCode).toSorted((a, b) => a - b)).toEqual([200, 403]);
    expect(await awardsOf(id)).toHaveLength(2);
  });
});

describe('tender.changed', () => {
  async function claimed(overrides = {}) {
    const tender = await running.addTender(overrides);
    const bidFacts = { id: running.deps.ids.next(), tenderId: tender.id, version: 1, status: 'active', lots: [] };
    const owner = { owner: 'broker2', ownerTokenHash: sha256Hex('bid token') };
    await running.apply(onBidChanged, [event('bids', 'bid.registered', tender.id, { ...bidFacts, ...owner })]);
    await applyBidsOpened(bidsOpenedEvent(tender.id));
    const [award] = await awardsOf(tender.id);
    const wish = { author: AUTHOR, title: 'x', status: 'claim' };
    await send(running.app, 'POST', `/tenders/${tender.id}/awards/${award?.id}/complaints`, bidderHeaders, wish);
    return tender;
  }
  const tell = async (tender: { readonly id: string; readonly version: number }) =>
    running.apply(onTenderChanged(running.deps.externalInputs), [
      event('tenders', 'tender.changed', tender.id, tender, tender.version),
    ]);

  it('with another time moves what is due with it', async () => {
    const tender = await claimed();
    const due = BigInt((await dueOf(tender.id)) ?? 0);
    await tell(running.changeAtOwner(tender, { clockShift: 3_600_000_000 }));
    expect(due - BigInt((await dueOf(tender.id)) ?? 0)).toBe(3_600_000_000n);
  });

  it('in which it is over ends what is due', async () => {
    const tender = await claimed();
    expect(await dueOf(tender.id)).not.toBeNull();
    await tell(running.changeAtOwner(tender, { status: 'cancelled' }));
    expect(await dueOf(tender.id)).toBeNull();
  });

  it('is nothing to a tender without awards', async () => {
    const tender = await running.addTender();
    await tell(running.changeAtOwner(tender, { status: 'cancelled' }));
    expect(await dueOf(tender.id)).toBeNull();
  });

  it('of the sandbox: the clock follows by itself', async () => {
    const tender = await claimed();
    const scheduler = startScheduler({
      runDue: async (max) => running.deps.externalInputs.runDue(max),
      nextDue: async () => nextDue(running.database.pool),
      clock: running.clock,
      log: makeLog('awards', 'fatal'),
      metrics: makeMetrics('awards'),
    });
    try {
      await tell(running.changeAtOwner(tender, { clockShift: 3 * 86_400_000_000 }));
      const complaint = async () => (await awardsOf(tender.id))[0]?.complaints?.[0];
      await waitFor(async () => (await complaint())?.status === 'pending', { what: 'the escalation' });
      expect(await complaint()).toMatchObject({ type: 'complaint' });
    } finally {
      await scheduler.stop();
    }
  });
});

describe('while the tender cannot be shown', () => {
  it('an award is decided about, and its contract follows when its items can be had', async () => {
    const { id } = await running.addTender();
    await applyBidsOpened(bidsOpenedEvent(id));
    const [award] = await awardsOf(id);
    running.answersViews = false;
    const path = `/tenders/${id}/awards/${award?.id}`;
    expect((await send(running.app, 'PATCH', path, ownerHeaders, { status: 'active' })).statusCode).toBe(200);
    const contracts = async () => (await send(running.app, 'GET', `/tenders/${id}/contracts`, anyone)).json().data;
    expect(await contracts()).toEqual([]);
    expect((await running.deps.externalInputs.runDue(64)).processed).toBe(1);
    expect((await running.deps.externalInputs.runDue(64)).processed, 'it waits, and keeps nobody from the clock').toBe(
      0,
    );
    running.answersViews = true;
    running.clock.advance(5_000);
    expect((await running.deps.externalInputs.runDue(64)).processed).toBe(1);
    expect(await contracts()).toMatchObject([{ awardID: award?.id, status: 'pending' }]);
  });
});

describe('a sandbox, by an older segment (rulings R3)', () => {
  it('201: an award on a fresh tender, at once', async () => {
    const { id } = await running.addTender({ status: 'active.enquiries' });
    const headers = signedIdentity({ broker: 'broker1', tokenHash: sha256Hex('token'), segment: '2.3' });
    const { contactPoint: _none, ...supplier } = party('b1');
    const wish = { status: 'active', suppliers: [supplier], value: { amount: 469 } };
    const answer = await send(running.app, 'POST', `/tenders/${id}/awards`, headers, wish);
    expect([answer.statusCode, answer.json().data.status]).toEqual([201, 'active']);
    await applyBidsOpened(bidsOpenedEvent(id));
    expect(await awardsOf(id)).toHaveLength(1);
  });
});
