import { ACTORS } from '@procurement/testing/actors';
import { AUTHOR } from '@procurement/testing/bodies';
import { padId, LOT_1, LOT_2 } from '@procurement/testing/ids';
import { describe, expect, it } from 'vitest';
import {
  add,
  applyInput,
  award,
  awardsInput,
  withCancelledLot,
  inStatus,
  tenderWithLots,
  newTender,
  NOW,
  inQualification,
  withSealedBids,
  SETTINGS,
  TENDERING_ENDS,
  type Data,
} from '../../test-support/run-command.ts';
import { STATUSES } from '../../test-support/statuses.ts';
import { CANCELLATION, COMPLAINT, LOT, QUESTION } from './subresource.ts';
import type { TenderState } from './tender.ts';
import { chronographView, publicView } from './tender.view.ts';

const view = (state: TenderState): Data => publicView(state, NOW, SETTINGS);

/** A tender with a question, a claim and an escalated complaint, its bids known. */
function tenderWithEverything(): TenderState {
  const asked = add(newTender(), 'AskQuestion', { author: AUTHOR, title: 'x' }, { actor: ACTORS.otherBroker }).state;
  const claim = { author: AUTHOR, title: 'x', status: 'claim' };
  const filed = add(asked, 'FileComplaint', claim, { actor: ACTORS.complainant, id: '8' }).state;
  const two = add(filed, 'FileComplaint', claim, { actor: ACTORS.complainant, id: '7' }).state;
  const complaints = two.document.complaints?.map((one, n) => (n === 0 ? one : { ...one, type: 'complaint' as const }));
  const bids = [{ id: padId('b0'), value: { amount: 1 } }];
  return { ...two, document: { ...two.document, complaints }, bids, bidding: { phase: 'opened', bids: [] } };
}

const OPEN = new Set(['active.qualification', 'active.awarded', 'complete', 'unsuccessful', 'cancelled']);
const CLAIM_SEALED = new Set(['active.enquiries', 'active.tendering']);

describe('publicView (tenders.md 10)', () => {
  it.each(STATUSES)('%s: bids and authors of questions and claims are shown once bids are opened', (status) => {
    // The view is JSON of any shape.
    const shown: any = view(inStatus(tenderWithEverything(), status));
    const isOpen = OPEN.has(status);
    expect([shown.bids !== undefined, shown.numberOfBids]).toEqual(isOpen ? [true, 1] : [false, undefined]);
    expect(shown.questions[0].author !== undefined).toBe(isOpen);
    expect(shown.complaints.map((one: Data) => one['author'] !== undefined)).toEqual([isOpen, true]);
  });

  it.each(STATUSES)('%s: authors at the endpoints of questions and complaints', (status) => {
    const state = inStatus(tenderWithEverything(), status);
    expect(QUESTION.views(state, NOW, SETTINGS)[0]?.['author'] !== undefined).toBe(OPEN.has(status));
    const [claim, complaint] = COMPLAINT.views(state, NOW, SETTINGS);
    expect([claim?.['author'] !== undefined, complaint?.['author'] !== undefined]).toEqual([
      !CLAIM_SEALED.has(status),
      true,
    ]);
  });

  it('cancelled before the opening: shows no bids and counts none', () => {
    const cancelled = inStatus(withSealedBids(newTender(), [], []).state, 'cancelled');
    expect([view(cancelled)['bids'], view(cancelled)['numberOfBids']]).toEqual([undefined, 0]);
  });

  it('awards that arrive before the opened bids are shown with them, and not after a cancellation (handshake 2)', () => {
    const opening = withSealedBids(newTender(), []).state;
    const early = applyInput(opening, awardsInput(opening, [award('a1', 'pending')]), TENDERING_ENDS).state;
    const cancelled = inStatus(early, 'cancelled');
    expect([view(early)['awards'], view(cancelled)['awards']]).toEqual([undefined, undefined]);
    const opened = applyInput(early, { type: 'OpenBids', bids: [{ id: padId('b0') }] }, TENDERING_ENDS).state;
    for (const state of [opened, inStatus(opened, 'cancelled')]) {
      expect(view(state)).toMatchObject({ numberOfBids: 1, awards: [{ id: padId('a1') }] });
    }
  });

  it.each(STATUSES)('%s: never shows a hash of a token or the owner of a complaint', (status) => {
    const text = JSON.stringify(view(inStatus(tenderWithEverything(), status)));
    for (const hash of ['a'.repeat(64), 'b'.repeat(64), 'c'.repeat(64), 'd'.repeat(64)])
      expect(text).not.toContain(hash);
    expect(text).not.toContain('"seller"');
    expect(text).toContain('"owner":"buyer"');
  });

  it('leaves out empty collections', () => {
    const shown = JSON.parse(JSON.stringify(view(newTender())));
    for (const name of ['questions', 'complaints', 'cancellations', 'awards', 'contracts', 'bids', 'auctionPeriod']) {
      expect(shown).not.toHaveProperty(name);
    }
  });

  it('shows shouldStartAfter at the tender or at each active lot', () => {
    expect(view(inStatus(newTender(), 'active.tendering'))['auctionPeriod']).toEqual({
      shouldStartAfter: '2026-05-21T00:00:00+03:00',
    });
    // The view is JSON of any shape.
    const lotted: any = view(inStatus(withCancelledLot(tenderWithLots(), LOT_1), 'active.tendering'));
    expect(lotted.lots.map((lot: Data) => lot['auctionPeriod'])).toEqual([
      undefined,
      { shouldStartAfter: '2026-05-21T00:00:00+03:00' },
    ]);
    const lots = LOT.views(inStatus(tenderWithLots(), 'active.tendering'), NOW, SETTINGS);
    expect(lots.map((lot) => lot['id'])).toEqual([LOT_1, LOT_2]);
  });

  it('shows cancellations as their endpoint does', () => {
    const state = add(newTender(), 'AddCancellation', { reason: 'x' }).state;
    expect(view(state)['cancellations']).toEqual(CANCELLATION.views(state, NOW, SETTINGS));
  });

  it('shows documents at their parents, and hides the owners of complaints about awards', () => {
    const filed = add(tenderWithEverything(), 'AddCancellation', { reason: 'x' }).state;
    const kinds = ['tender', 'bid', 'award', 'complaint', 'award complaint', 'cancellation', 'contract'] as const;
    const ids = {
      tender: filed.id,
      bid: padId('b0'),
      award: padId('a1'),
      complaint: padId('8'),
      cancellation: padId('9'),
    };
    const parents: Readonly<Record<string, string>> = { ...ids, 'award complaint': 'k', contract: 'c' };
    const documents = kinds.map((kind) => ({
      parent: { kind, id: parents[kind] ?? '' },
      document: { id: kind, title: `${kind}.pdf` },
    }));
    const complaints = [{ id: 'k', type: 'claim', status: 'claim', owner: 'seller', ownerTokenHash: 'h' }];
    const state: TenderState = {
      ...inStatus(filed, 'active.awarded'),
      documents: { id: filed.id, version: 1, documents },
      awards: {
        id: filed.id,
        version: 1,
        awards: [award('a1', 'active', { complaints })],
        contracts: [{ id: 'c', awardID: padId('a1'), status: 'pending' }],
      },
    };
    // The view is JSON of any shape.
    const shown: any = view(state);
    const titles = [shown, shown.bids[0], shown.awards[0], shown.complaints[0], shown.awards[0].complaints[0]];
    titles.push(shown.cancellations[0], shown.contracts[0]);
    expect(titles.map((holder) => holder.documents[0].title)).toEqual(kinds.map((kind) => `${kind}.pdf`));
    expect(shown.awards[0].complaints[0]).not.toHaveProperty('owner');
    expect(JSON.stringify(shown)).not.toContain('ownerTokenHash');
  });
});

describe('chronographView (tenders.md 9.4)', () => {
  it('shows only its members, and counts sealed bids', () => {
    const state = withSealedBids(
      tenderWithLots({ submissionMethodDetails: 'quick', mode: 'test' }),
      [LOT_1, LOT_2],
      [LOT_2],
    ).state;
    // The view is JSON of any shape.
    const shown: any = JSON.parse(JSON.stringify(chronographView(state, TENDERING_ENDS, SETTINGS)));
    expect(Object.keys(shown).sort()).toEqual(
      [
        'enquiryPeriod',
        'id',
        'lots',
        'mode',
        'numberOfBids',
        'status',
        'submissionMethodDetails',
        'tenderPeriod',
      ].sort(),
    );
    expect(shown.numberOfBids).toBe(2);
    expect(shown.lots).toEqual([
      { id: LOT_1, status: 'active', numberOfBids: 1 },
      {
        id: LOT_2,
        status: 'active',
        numberOfBids: 2,
        auctionPeriod: { shouldStartAfter: '2026-05-20T18:00:00+03:00' },
      },
    ]);
  });

  it('shows awards as the public view does', () => {
    const shown = chronographView(inQualification(), TENDERING_ENDS, SETTINGS);
    expect(shown['awards']).toHaveLength(1);
  });
});
