import { askDue } from '@procurement/kit/messaging/request/ask-again';
import { makeEvent } from '@procurement/testing/event';
import { signedIdentity } from '@procurement/testing/identity';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { transact } from '@procurement/kit/database/transaction';
import { requestsTo, type CreatedTender } from '../../test-support/requests.ts';
import { padId } from '@procurement/testing/ids';
import { NOW, runningTenders, type RunningTenders } from '../../test-support/running-tenders.ts';
import type { ExternalInput } from '../domain/tender.ts';
import { onBidSetErased } from '../events/on-bid-set-erased.ts';
import { askAgain } from './ask-again.ts';

const TENDERING_BEGINS = '2026-05-10T00:00:00+03:00';
const TENDERING_ENDS = '2026-05-20T18:00:00+03:00';
const START = '2026-05-21T11:00:00+03:00';

let running: RunningTenders;
const { created, send } = requestsTo(() => running);

beforeAll(async () => {
  running = await runningTenders();
});

beforeEach(() => {
  running.clock.set(NOW);
});

afterEach(async () => {
  await running.database.pool.query('TRUNCATE tender, tender_view, tender_feed, kit.outbox, kit.flow_wait');
});

afterAll(async () => {
  await running.close();
});

const query = async (text: string) => (await running.database.pool.query(text)).rows;
const deps = () => ({ ...running, pool: running.database.pool, settings: running.deps.settings });

/** The flows that wait, in order of their names. */
const waiting = async (): Promise<string[]> =>
  (await query('SELECT flow FROM kit.flow_wait ORDER BY flow')).map(({ flow }) => flow);

/** Loses every event so far, then lets the time to ask again come. Returns what is published then. */
async function askAgainAfterLoss(): Promise<{ type: string; data: any }[]> {
  await query('TRUNCATE kit.outbox');
  await query('UPDATE kit.flow_wait SET ask_at = now()');
  await askDue({ pool: running.database.pool, log: running.log, flows: askAgain(deps()) });
  return (await query('SELECT envelope FROM kit.outbox ORDER BY position')).map(({ envelope }) => JSON.parse(envelope));
}

const tickAt = async (at: string): Promise<void> => {
  running.clock.set(at);
  await running.deps.externalInputs.runDue(10);
};

const apply = async ({ id }: CreatedTender, input: ExternalInput): Promise<void> =>
  transact(running.database.pool, async (tx) => running.deps.externalInputs.apply(tx, [{ id, input }], 'a request'));

const fetchStatus = async ({ id }: CreatedTender): Promise<string> =>
  (await send('GET', `/tenders/${id}`, signedIdentity())).json().data.status;

async function createdAndClosing(): Promise<CreatedTender> {
  const tender = await created();
  await tickAt(TENDERING_BEGINS);
  await apply(tender, { type: 'PlanAuction', startDate: START, version: 1 });
  await tickAt(TENDERING_ENDS);
  return tender;
}

describe('closing', () => {
  it('is asked again with the same end until the sealed set arrives', async () => {
    const tender = await createdAndClosing();
    expect(await waiting()).toEqual(['closing']);
    for (let n = 0; n < 2; n += 1) {
      expect(await askAgainAfterLoss()).toMatchObject([
        { type: 'tender.tendering-ended', subject: tender.id, data: { id: tender.id, endDate: TENDERING_ENDS } },
      ]);
    }
    await apply(tender, { type: 'SealBids', bids: [] });
    expect([await fetchStatus(tender), await waiting()]).toEqual(['unsuccessful', []]);
    expect(await askAgainAfterLoss()).toEqual([]);
  });

  it('is not asked any more when the tender is past it although the row is still there', async () => {
    const tender = await createdAndClosing();
    await apply(tender, { type: 'SealBids', bids: [] });
    await query(`INSERT INTO kit.flow_wait (flow, id, version, ask_at) VALUES ('closing', '${tender.id}', 1, now())`);
    expect(await askAgainAfterLoss()).toEqual([]);
    expect(await waiting()).toEqual([]);
  });
});

describe('opening', () => {
  it('is asked again until bids and awards are there, whichever is missing', async () => {
    const tender = await createdAndClosing();
    const bids = [{ id: padId('b0'), lots: [] }];
    await apply(tender, { type: 'SealBids', bids });
    expect(await waiting()).toEqual(['opening']);
    const again = [{ type: 'tender.qualification-due', data: { id: tender.id } }];
    expect(await askAgainAfterLoss()).toMatchObject(again);
    await apply(tender, { type: 'OpenBids', bids });
    expect(await askAgainAfterLoss(), 'awards are missing').toMatchObject(again);
    const award = { id: padId('a1'), status: 'pending', date: TENDERING_ENDS, bid_id: padId('b0') } as const;
    const facts = { id: tender.id, version: 1, awards: [award], contracts: [] };
    await apply(tender, { type: 'ReplaceAwards', facts });
    expect([await fetchStatus(tender), await waiting()]).toEqual(['active.qualification', []]);
  });
});

describe('planning', () => {
  it('is asked again by the facts of the tender until its auction has a start', async () => {
    const tender = await created();
    await tickAt(TENDERING_BEGINS);
    expect(await waiting()).toEqual(['planning']);
    expect(await askAgainAfterLoss()).toMatchObject([
      {
        type: 'tender.changed',
        data: { id: tender.id, version: 2, auctionPeriod: { shouldStartAfter: expect.any(String) } },
      },
    ]);
    await apply(tender, { type: 'PlanAuction', startDate: START, version: 1 });
    expect(await waiting()).toEqual([]);
  });
});

describe('erasure', () => {
  it('is asked again after a cancellation before the opening', async () => {
    const tender = await createdAndClosing();
    const cancellation = { reason: 'x', status: 'active' };
    await send('POST', `/tenders/${tender.id}/cancellations`, tender.owner, cancellation);
    expect([await fetchStatus(tender), await waiting()]).toEqual(['cancelled', ['erasure']]);
    expect(await askAgainAfterLoss()).toMatchObject([
      { type: 'tender.cancelled', data: { id: tender.id, erasesBids: true } },
    ]);
    const event = { source: 'bids', type: 'bid.set-erased', subject: tender.id, time: NOW, data: { id: tender.id } };
    await transact(running.database.pool, async (tx) => onBidSetErased.apply(tx, [makeEvent(event)]));
    expect(await waiting()).toEqual([]);
  });
});
