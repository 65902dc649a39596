import fc from 'fast-check';
import { TENDER_STATUSES } from '@procurement/contracts/resources/tender';
import { describe, expect, it } from 'vitest';
import { bidder, CALLERS, PHASES, storedBid } from '../../test-support/bidding-facts.ts';
import { bidVisibilityRefusal, visibilityOf, visibleBids, type ViewerContext } from './bid.visibility.ts';

const strict = { legacyGuardsOpen: false };
const open = { legacyGuardsOpen: true };
const viewer = (partial: Partial<ViewerContext>): ViewerContext => ({
  tenderStatus: 'active.tendering',
  phase: 'open',
  actor: bidder,
  settings: strict,
  ...partial,
});
const describeOutcome = (seen: unknown): string =>
  typeof seen === 'object' && seen !== null && 'refused' in seen ? 'refused' : JSON.stringify(seen);

describe('visibilityOf, by tender status (bids-awards-auction.md 1.5, rulings R3)', () => {
  it.each([
    ['draft', 'before-tendering', 'open'],
    ['active.enquiries', 'before-tendering', 'open'],
    ['active.tendering', 'sealed', 'open'],
    ['active.auction', 'sealed', 'open'],
    ['active.qualification', 'open', 'open'],
    ['active.awarded', 'open', 'open'],
    ['complete', 'open', 'open'],
    ['unsuccessful', 'open', 'open'],
    ['cancelled', 'not-found', 'not-found'],
    ['an unknown status', 'sealed', 'open'],
  ])('%s is %s; %s for older segments with open guards', (tenderStatus, visibility, unguarded) => {
    const early = { ...bidder, segment: '2.3' };
    expect(visibilityOf(viewer({ tenderStatus }))).toBe(visibility);
    expect(visibilityOf(viewer({ tenderStatus, settings: open }))).toBe(visibility);
    expect(visibilityOf(viewer({ tenderStatus, actor: early, settings: open }))).toBe(unguarded);
    expect(visibilityOf(viewer({ tenderStatus, actor: early }))).toBe(visibility);
  });

  it('a cancelled tender shows bids only if they were opened', () => {
    for (const phase of PHASES) {
      expect(visibilityOf(viewer({ tenderStatus: 'cancelled', phase }))).toBe(
        phase === 'opened' ? 'open' : 'not-found',
      );
    }
  });
});

const callers = Object.entries(CALLERS);
const pairs = callers.flatMap(([name]) => TENDER_STATUSES.map((status) => [name, status] as const));
const SHOWN_TO_ALL = ['active.qualification', 'active.awarded', 'complete', 'unsuccessful'];

describe('bidVisibilityRefusal and visibleBids', () => {
  it.each(pairs)('%s in %s', (name, tenderStatus) => {
    const { actor, owns } = CALLERS[name as keyof typeof CALLERS];
    const seen = viewer({ tenderStatus, actor });
    const isShown = SHOWN_TO_ALL.includes(tenderStatus);
    const bid = storedBid();
    expect(bidVisibilityRefusal(seen, bid, owns)?.code).toBe(
      tenderStatus === 'cancelled' ? 'object.not-found' : isShown || owns ? undefined : 'bid.sealed',
    );
    const list = isShown ? JSON.stringify([bid]) : tenderStatus === 'cancelled' ? '[]' : 'refused';
    expect(describeOutcome(visibleBids(seen, [bid]))).toBe(list);
    const empty = ['active.tendering', 'active.auction'].includes(tenderStatus) ? 'refused' : '[]';
    expect(describeOutcome(visibleBids(seen, []))).toBe(empty);
  });

  it('refuse a sealed draft like any sealed bid, and say when bids are open', () => {
    const seen = viewer({ tenderStatus: 'active.tendering' });
    const refused = bidVisibilityRefusal(seen, storedBid(), false);
    expect(refused?.errors[0]?.allowedStatuses).toEqual(SHOWN_TO_ALL);
    expect(bidVisibilityRefusal(seen, storedBid({ status: 'draft' }), false)).toEqual(refused);
  });

  it('show a draft to its owner only, in every status', () => {
    const draft = storedBid({ status: 'draft' });
    for (const tenderStatus of SHOWN_TO_ALL) {
      expect(visibleBids(viewer({ tenderStatus }), [draft])).toEqual([]);
      expect(bidVisibilityRefusal(viewer({ tenderStatus }), draft, false)?.code).toBe('bid.sealed');
      expect(bidVisibilityRefusal(viewer({ tenderStatus }), draft, true)).toBeUndefined();
    }
  });

  it('refuse with the texts of the specification', () => {
    expect(bidVisibilityRefusal(viewer({}), storedBid(), false)?.errors).toMatchObject([
      { location: 'body', name: 'data', description: "Can't view bid in current (active.tendering) tender status" },
    ]);
    expect(visibleBids(viewer({ tenderStatus: 'active.auction' }), [])).toMatchObject({
      refused: {
        status: 403,
        errors: [
          { location: 'body', name: 'data', description: "Can't view bids in current (active.auction) tender status" },
        ],
      },
    });
  });

  it('property: show a bid to its owner only before it is opened', () => {
    const statuses = fc.oneof(fc.constantFrom(...TENDER_STATUSES), fc.string());
    const actors = fc.record({
      broker: fc.option(fc.string(), { nil: undefined }),
      group: fc.oneof(fc.constantFrom(...callers.map(([, { actor }]) => actor.group)), fc.string()),
      levels: fc.string(),
      tokenHash: fc.option(fc.string(), { nil: undefined }),
      segment: fc.constantFrom('2.5', '2.3', '0', '0.1'),
    });
    const viewers = fc.record({
      tenderStatus: statuses.filter((status) => !SHOWN_TO_ALL.includes(status)),
      phase: fc.constantFrom(...PHASES.filter((phase) => phase !== 'opened')),
      actor: actors.map(({ broker, tokenHash, ...actor }) => ({
        ...actor,
        ...(broker === undefined ? {} : { broker }),
        ...(tokenHash === undefined ? {} : { tokenHash }),
      })),
      settings: fc.constant(strict),
    });
    const amount = '489';
    fc.assert(
      fc.property(viewers, fc.constantFrom('active', 'draft'), (seen, status) => {
        const bid = storedBid({ status });
        expect(bidVisibilityRefusal(seen, bid, false)).toBeDefined();
        expect(JSON.stringify(bidVisibilityRefusal(seen, bid, false))).not.toContain(`"amount":${amount}`);
        expect(JSON.stringify(visibleBids(seen, [bid]))).not.toContain(amount);
      }),
    );
  });
});
