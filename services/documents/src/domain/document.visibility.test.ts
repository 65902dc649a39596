import { TENDER_STATUSES } from '@procurement/contracts/resources/tender';
import { describe, expect, it } from 'vitest';
import { bidFacts, CALLERS, tenderFacts, IDS, type Caller } from '../../test-support/document-facts.ts';
import { visibilityRefusal, isPublic } from './document.visibility.ts';
import type { ParentState } from './document.ts';
import { resolveParent } from './parent.ts';

function bidParentState(status: string, bidsOpened: boolean, bidStatus = 'active'): ParentState | undefined {
  const bid = bidFacts({ status: bidStatus });
  const found = resolveParent('bid', { bid_id: IDS.bid }, { tender: tenderFacts({ status }), bid, bidsOpened });
  return 'missing' in found ? undefined : found;
}

const strict = { legacyGuardsOpen: false };
const SEALED = ['draft', 'active.enquiries', 'active.tendering', 'active.auction'];

describe('visibility of documents of a bid', () => {
  const everything = TENDER_STATUSES.flatMap((status) =>
    (Object.keys(CALLERS) as Caller[]).map((caller) => [status, caller] as const),
  );

  it.each(everything)('before the opening, in %s, for %s', (status, caller) => {
    const place = bidParentState(status, false);
    // The bid is erased with the tender.
    if (place === undefined) {
      expect(status).toBe('cancelled');
      return;
    }
    const isHidden = SEALED.includes(status) && caller !== 'the bid owner';
    const viewer = { actor: CALLERS[caller], settings: strict };
    expect(visibilityRefusal(place, viewer, 'list')?.errors[0]?.description).toBe(
      isHidden ? `Can't view bid documents in current (${status}) tender status` : undefined,
    );
    expect(visibilityRefusal(place, viewer, 'document')?.errors[0]?.description).toBe(
      isHidden ? `Can't view bid document in current (${status}) tender status` : undefined,
    );
  });

  it.each(TENDER_STATUSES)('public after the opening in %s', (status) => {
    const place = bidParentState(status, true);
    expect(place !== undefined && isPublic(place)).toBe(true);
  });

  it.each(TENDER_STATUSES)('never public for a draft: %s', (status) => {
    const place = bidParentState(status, true, 'draft');
    expect(place !== undefined && isPublic(place)).toBe(false);
  });

  it('404 when there is no bid', () => {
    expect(bidParentState('active.qualification', true, 'deleted')).toBeUndefined();
  });

  it.each(TENDER_STATUSES)('under open guards, in %s, on an older segment', (status) => {
    const place = bidParentState(status, false);
    const actor = { ...CALLERS.anonymous, segment: '2.3' };
    const hidden =
      place === undefined || visibilityRefusal(place, { actor, settings: { legacyGuardsOpen: true } }, 'document');
    expect(hidden).toBe(status === 'cancelled' ? true : undefined);
  });
});
