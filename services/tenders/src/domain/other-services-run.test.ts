import { describe, expect, it } from 'vitest';
import { showsRun } from './other-services-run.ts';
import type { TenderParts } from './tender.ts';

// Only the members that the decision reads.
const tender = (parts: object): TenderParts =>
  ({
    document: { status: 'active.auction', submissionMethod: 'electronicAuction' },
    bidding: { phase: 'sealed', bids: [{}, {}] },
    ...parts,
  }) as unknown as TenderParts;

describe('showsRun', () => {
  it('waits for the version of the awards', () => {
    expect(showsRun(tender({ awards: { version: 1 } }), { awards: { version: 2 } })).toBe(false);
    expect(showsRun(tender({ awards: { version: 2 } }), { awards: { version: 2 } })).toBe(true);
    expect(showsRun(tender({}), {})).toBe(true);
  });

  it('waits for an address, of the tender or of a lot', () => {
    const run = { auction: { published: [{ lot: 'a' }], reported: [] } };
    const withLot = (lot: object) => tender({ document: { status: 'active.auction', lots: [{ id: 'a', ...lot }] } });
    expect(showsRun(withLot({}), run)).toBe(false);
    expect(showsRun(withLot({ auctionUrl: 'https://x' }), run)).toBe(true);
    expect(showsRun(tender({}), { auction: { published: [{}], reported: [] } })).toBe(false);
  });

  it('waits for the end of an auction', () => {
    const run = { auction: { published: [], reported: [{}] } };
    expect(showsRun(tender({}), run)).toBe(false);
    expect(showsRun(tender({ bidding: { phase: 'opening', bids: [] } }), run)).toBe(true);
    const document = { status: 'active.auction', auctionPeriod: { endDate: 'x' } };
    expect(showsRun(tender({ document }), run)).toBe(true);
  });
});
