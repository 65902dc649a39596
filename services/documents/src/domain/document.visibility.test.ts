import { describe, expect, it } from 'vitest';
import { bidFacts, CALLERS, facts, IDS, STATUSES, type Caller } from '../../test-support/document-facts.ts';
import { hiddenFrom, isPublic } from './document.visibility.ts';
import type { Place } from './document.ts';
import { placeOf } from './place.ts';

function bidPlace(status: string, bidsOpened: boolean, bidStatus = 'active'): Place | undefined {
  const bid = bidFacts({ status: bidStatus });
  const found = placeOf('bid', { bid_id: IDS.bid }, { tender: facts({ status }), bid, bidsOpened });
  return 'missing' in found ? undefined : found;
}

const strict = { legacyGuardsOpen: false };
const SEALED = ['draft', 'active.enquiries', 'active.tendering', 'active.auction'];

describe('documents of a bid', () => {
  const everything = STATUSES.flatMap((status) =>
    (Object.keys(CALLERS) as Caller[]).map((caller) => [status, caller] as const),
  );

  it.each(everything)('before the opening, in %s, for %s', (status, caller) => {
    const place = bidPlace(status, false);
    // Erased with the tender.
    if (place === undefined) {
      expect(status).toBe('cancelled');
      return;
    }
    const isHidden = SEALED.includes(status) && caller !== 'the bid owner';
    const viewer = { actor: CALLERS[caller], settings: strict };
    expect(hiddenFrom(place, viewer, 'list')?.errors[0]?.description).toBe(
      isHidden ? `Can't view bid documents in current (${status}) tender status` : undefined,
    );
    expect(hiddenFrom(place, viewer, 'one')?.errors[0]?.description).toBe(
      isHidden ? `Can't view bid document in current (${status}) tender status` : undefined,
    );
  });

  it.each(STATUSES)('after the opening they are public in %s', (status) => {
    const place = bidPlace(status, true);
    expect(place !== undefined && isPublic(place)).toBe(true);
  });

  it.each(STATUSES)('of a draft are never public: %s', (status) => {
    const place = bidPlace(status, true, 'draft');
    expect(place !== undefined && isPublic(place)).toBe(false);
  });

  it('are not there when the bid is not', () => {
    expect(bidPlace('active.qualification', true, 'deleted')).toBeUndefined();
  });

  it.each(STATUSES)('under open guards, in %s, on an older segment', (status) => {
    const place = bidPlace(status, false);
    const actor = { ...CALLERS.nobody, segment: '2.3' };
    const hidden = place === undefined || hiddenFrom(place, { actor, settings: { legacyGuardsOpen: true } }, 'one');
    expect(hidden).toBe(status === 'cancelled' ? true : undefined);
  });
});
