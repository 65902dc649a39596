import { TENDER_STATUSES } from '@procurement/contracts/resources/tender';
import { describe, expect, it } from 'vitest';
import { bidder, CALLERS, tenderFacts, bidMeta, PHASES, storedBid } from '../../test-support/bidding-facts.ts';
import { decideBid } from './bid.decide.ts';
import { biddingRefusal, type BidOperation } from './bid.guards.ts';

const OPERATIONS: readonly BidOperation[] = ['add', 'update', 'delete'];
const early = { ...bidder, segment: '2.3' };
const FINAL = ['complete', 'unsuccessful', 'cancelled'];

const pairs = OPERATIONS.flatMap((operation) => TENDER_STATUSES.map((status) => [operation, status] as const));

describe('biddingRefusal (bids-awards-auction.md 1.2, rulings R3)', () => {
  it.each(pairs)('%s in %s', (operation, status) => {
    const state = { tender: tenderFacts({ status }), phase: 'open' } as const;
    const strict = biddingRefusal(operation, state, bidMeta());
    if (status === 'active.tendering') expect(strict).toBeUndefined();
    else {
      expect(strict?.status).toBe(403);
      expect(strict?.errors).toEqual([
        {
          location: 'body',
          name: 'data',
          description: `Can't ${operation} bid in current (${status}) tender status`,
          allowedStatuses: ['active.tendering'],
        },
      ]);
    }
    const isOpen = status !== 'draft' && !FINAL.includes(status);
    expect(biddingRefusal(operation, state, bidMeta({ actor: early, open: true })) === undefined).toBe(isOpen);
    expect(biddingRefusal(operation, state, bidMeta({ actor: early }))).toEqual(strict);
    expect(biddingRefusal(operation, state, bidMeta({ open: true }))).toEqual(strict);
  });

  it.each([
    ['add', 'added'],
    ['update', 'updated'],
    ['delete', 'deleted'],
  ] as const)('%s outside the period reports the stored dates', (operation, done) => {
    for (const now of ['2026-05-09T23:58:59.999999', '2026-05-20T18:00:00.000001']) {
      expect(biddingRefusal(operation, { tender: tenderFacts(), phase: 'open' }, bidMeta({ now }))?.errors).toEqual([
        {
          location: 'body',
          name: 'data',
          description: `Bid can be ${done} only during the tendering period: from (2026-05-10T00:00:00+03:00) to (2026-05-20T18:00:00+03:00).`,
          allowedFrom: '2026-05-10T00:00:00+03:00',
          allowedUntil: '2026-05-20T18:00:00+03:00',
        },
      ]);
    }
    // Of a process whose clock is a minute behind, when the status says that tendering has begun.
    for (const now of ['2026-05-09T23:59:00', '2026-05-10T00:00:00', '2026-05-20T18:00:00']) {
      expect(biddingRefusal(operation, { tender: tenderFacts(), phase: 'open' }, bidMeta({ now }))).toBeUndefined();
    }
  });

  it.each(PHASES.filter((phase) => phase !== 'open'))(
    'refuses every write under strict guards once bids are %s',
    (phase) => {
      for (const operation of OPERATIONS) {
        const code = { add: 'bid.add-period', update: 'bid.update-period', delete: 'bid.delete-period' }[operation];
        expect(biddingRefusal(operation, { tender: tenderFacts(), phase }, bidMeta())?.code).toBe(code);
        const open = biddingRefusal(operation, { tender: tenderFacts(), phase }, bidMeta({ actor: early, open: true }));
        expect(open?.code).toBe(phase === 'erased' ? code : undefined);
      }
    },
  );

  it('refuses every write in an unknown status', () => {
    const state = { tender: tenderFacts({ status: 'active.pre-qualification' }), phase: 'open' } as const;
    expect(biddingRefusal('add', state, bidMeta({ actor: early, open: true }))?.code).toBe('bid.add-status');
  });
});

describe('ChangeBid and WithdrawBid by caller (bids-awards-auction.md 0.2, 1.2)', () => {
  const may = {
    ChangeBid: ['its owner'],
    WithdrawBid: ['its owner', 'Administrator', 'admins'],
  };
  const roles = Object.entries(CALLERS);

  it.each(roles)('%s', (name, { actor, owns }) => {
    const meta = { ...bidMeta({ actor }), owns };
    const state = { tender: tenderFacts(), phase: 'open', bid: storedBid() } as const;
    const body = { kind: 'data', data: {} } as const;
    const outcomes = {
      ChangeBid: decideBid(state, { type: 'ChangeBid', body, meta }),
      WithdrawBid: decideBid(state, { type: 'WithdrawBid', meta }),
    };
    for (const command of ['ChangeBid', 'WithdrawBid'] as const) {
      const decision = outcomes[command];
      const status = 'refused' in decision ? decision.refused.status : 200;
      const refused = name === 'anonymous' ? 401 : 403;
      expect([command, status]).toEqual([command, may[command].includes(name) ? 200 : refused]);
    }
  });

  const SEALED = "Can't view bid in current (active.tendering) tender status";

  it.each(['Administrator', 'admins'] as const)('%s may not change a sealed bid, whatever the body is', (group) => {
    const meta = { ...bidMeta({ actor: CALLERS[group].actor }), owns: false };
    for (const data of [{}, { tenderers: [{ name: 'x' }] }, { status: 'active' }, { unknown: 1 }]) {
      for (const phase of ['open', 'sealed'] as const) {
        const state = { tender: tenderFacts(), phase, bid: storedBid() };
        const decision = decideBid(state, { type: 'ChangeBid', body: { kind: 'data', data }, meta });
        expect('refused' in decision ? decision.refused.errors[0]?.description : undefined).toBe(SEALED);
      }
    }
  });

  it.each(TENDER_STATUSES)(
    'the Administrator corrects tenderers in %s if bids are public, and withdraws as an owner does',
    (status) => {
      const meta = { ...bidMeta({ actor: CALLERS.Administrator.actor }), owns: false };
      const isPublic = !['draft', 'active.enquiries', 'active.tendering', 'active.auction'].includes(status);
      const state = { tender: tenderFacts({ status }), phase: isPublic ? 'opened' : 'open', bid: storedBid() } as const;
      const data = { tenderers: [{ name: 'Інша' }], value: { amount: 1 }, status: 'draft' };
      const change = decideBid(state, { type: 'ChangeBid', body: { kind: 'data', data }, meta });
      const [event] = 'accepted' in change ? change.accepted : [];
      const corrected = { ...storedBid().document, tenderers: [{ name: 'Інша', identifier: { id: '00037256' } }] };
      if (isPublic) expect(event?.type === 'BidChanged' ? event.document : undefined).toMatchObject(corrected);
      else expect('refused' in change).toBe(true);
      const withdrawal = decideBid(state, { type: 'WithdrawBid', meta });
      expect('accepted' in withdrawal).toBe(status === 'active.tendering');
    },
  );
});
