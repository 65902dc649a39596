import type { Envelope } from '@procurement/contracts/events/envelope';
import { beginWaits } from '@procurement/kit/messaging/request/flow-waits';
import type { Subscription } from '@procurement/kit/messaging/consume/subscription';
import { transact } from '@procurement/kit/database/transaction';
import { deliver } from '@procurement/testing/deliver';
import { describe, expect, it } from 'vitest';
import { awardFacts, bidFacts, tenderFacts } from '../../test-support/document-facts.ts';
import { buildEvent } from '../../test-support/events.ts';
import { anonymous, fileForm, bidOwner, postDocument } from '../../test-support/requests.ts';
import { setupDocuments } from '../../test-support/setup-documents.ts';
import { DOCUMENTS_FLOW } from '../store/documents-changed.ts';
import { onAwardChanged } from './on-award-changed.ts';
import { onBidChanged } from './on-bid-changed.ts';
import { onBidsOpened } from './on-bids-opened.ts';
import { onTenderChanged } from './on-tender-changed.ts';

const running = setupDocuments();

interface Delivery {
  readonly subscription: Subscription;
  readonly event: Envelope;
}

function permutations<T>(all: readonly T[]): readonly (readonly T[])[] {
  if (all.length < 2) return [all];
  return all.flatMap((first, at) => permutations(all.toSpliced(at, 1)).map((rest) => [first, ...rest]));
}

/** A tender in tendering whose only bid is a draft with one document. */
async function draftWithDocument(): Promise<{ readonly tenderId: string; readonly bidId: string }> {
  const { id: tenderId } = await running().tender({ status: 'active.tendering' });
  const { id: bidId } = await running().bid(tenderId, { status: 'draft' });
  await postDocument(running().app, `/tenders/${tenderId}/bids/${bidId}/documents`, bidOwner, fileForm());
  return { tenderId, bidId };
}

/** Events that reach this service by four durables, in the order in which they happen. */
function buildEvents(tenderId: string, bidId: string, lastTender: object) {
  const { deps } = running();
  const tender = tenderFacts({ id: tenderId, version: 9, ...lastTender });
  const bid = bidFacts({ id: bidId, tenderId, version: 2, status: 'active' });
  return {
    activated: { subscription: onBidChanged(deps), event: buildEvent('bids', 'bid.changed', tenderId, bid) },
    opened: {
      subscription: onBidsOpened(deps),
      event: buildEvent('bids', 'bid.opened', tenderId, { id: tenderId, bids: [] }),
    },
    awarded: {
      subscription: onAwardChanged,
      event: buildEvent('awards', 'award.changed', tenderId, awardFacts({ tenderId, bidId })),
    },
    moved: { subscription: onTenderChanged(deps), event: buildEvent('tenders', 'tender.changed', tenderId, tender) },
    cancelled: {
      subscription: onTenderChanged(deps),
      event: buildEvent('tenders', 'tender.cancelled', tenderId, { id: tenderId, version: 9, erasesBids: true }),
    },
  } satisfies Readonly<Record<string, Delivery>>;
}

/** Parents of the documents that the tender shows in the end, and the answer to anybody who lists those of the bid. */
async function deliverAll(deliveries: readonly Delivery[], tenderId: string, bidId: string) {
  for (const { subscription, event } of deliveries) {
    await deliver(running().database.pool, subscription, [event]);
  }
  const published = await running().events(tenderId);
  const last = published.toSorted((a, b) => a.data.version - b.data.version).at(-1);
  const url = `/tenders/${tenderId}/bids/${bidId}/documents`;
  const response = await running().app.inject({ url, headers: anonymous });
  return { shown: (last?.data.documents ?? []).map((one: any) => one.parent), status: response.statusCode };
}

describe('facts of tenders', () => {
  it('end the wait for the version of documents that the tenders service has applied', async () => {
    const { database, deps } = running();
    const { id } = await running().tender({ status: 'active.enquiries' });
    const wait = { flow: DOCUMENTS_FLOW, id, version: 3 };
    const waits = async () => (await database.pool.query('SELECT FROM kit.flow_wait WHERE id = $1', [id])).rowCount;
    const changed = (documentsVersion: number) =>
      buildEvent('tenders', 'tender.changed', id, tenderFacts({ id, version: 5 + documentsVersion, documentsVersion }));
    await beginWaits(database.pool, [wait]);
    await deliver(database.pool, onTenderChanged(deps), [changed(2)]);
    expect(await waits()).toBe(1);
    await deliver(database.pool, onTenderChanged(deps), [changed(3)]);
    expect(await waits()).toBe(0);
  });
});

describe('events of several durables, in any order', () => {
  it('show the documents of a bid that was activated before the opening', async () => {
    const orders = permutations(['activated', 'opened', 'awarded', 'moved'] as const);
    for (const order of orders) {
      const { tenderId, bidId } = await draftWithDocument();
      const status = { status: 'active.qualification' };
      running().ownerTenders.set(tenderId, tenderFacts({ id: tenderId, version: 9, ...status }));
      const events = buildEvents(tenderId, bidId, status);
      const deliveries = order.map((name) => events[name]);
      const shown = [{ kind: 'bid', id: bidId }];
      expect([order, await deliverAll(deliveries, tenderId, bidId)]).toEqual([order, { shown, status: 200 }]);
    }
  });

  it('hide the documents of bids that a cancellation erases while they are opened', async () => {
    const orders = permutations(['activated', 'opened', 'moved', 'cancelled'] as const);
    for (const order of orders) {
      const { tenderId, bidId } = await draftWithDocument();
      const status = { status: 'cancelled' };
      running().ownerTenders.set(tenderId, tenderFacts({ id: tenderId, version: 9, ...status }));
      const events = buildEvents(tenderId, bidId, status);
      const deliveries = order.map((name) => events[name]);
      expect([order, await deliverAll(deliveries, tenderId, bidId)]).toEqual([order, { shown: [], status: 404 }]);
    }
  });

  it('are seen by each other when they are applied at once', async () => {
    const { tenderId, bidId } = await draftWithDocument();
    const { opened, activated } = buildEvents(tenderId, bidId, {});
    const { pool } = running().database;
    // The copy is written and not committed while the opening reads it: the later lock makes one of them see the other.
    await transact(pool, async (tx) => {
      await opened.subscription.apply(tx, [opened.event]);
      const other = transact(pool, async (second) => activated.subscription.apply(second, [activated.event]));
      other.catch(() => undefined);
      return { other };
    }).then(async ({ other }) => other);
    const { shown } = await deliverAll([], tenderId, bidId);
    expect(shown).toEqual([{ kind: 'bid', id: bidId }]);
  });
});
