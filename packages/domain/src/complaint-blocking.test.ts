import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { COMPLAINT_STATUSES } from '@procurement/contracts/resources/complaint';
import { blocksLot, blocksTender } from './complaint-blocking.ts';
import type { ComplaintsMode } from './complaints.ts';

const BLOCKING = {
  full: ['claim', 'answered', 'pending'],
  'claims-only': ['answered', 'pending'],
} as const satisfies Record<ComplaintsMode, readonly string[]>;

describe.each(['full', 'claims-only'] as const)('complaints that block, mode %s (tenders.md 13.4)', (mode) => {
  it.each(COMPLAINT_STATUSES)('%s', (status) => {
    const blocks = BLOCKING[mode].some((one) => one === status);
    expect(blocksTender({ complaints: [{ status }] }, mode)).toBe(blocks);
    expect(blocksLot({ complaints: [{ status, relatedLot: 'L1' }] }, [], 'L1', mode)).toBe(blocks);
    expect(blocksLot({}, [{ complaints: [{ status }] }], 'L1', mode)).toBe(blocks);
    expect(blocksLot({}, [{ complaints: [{ status }] }], undefined, mode)).toBe(blocks);
  });
});

describe('a complaint with a status of a later release', () => {
  it.each(['full', 'claims-only'] as const)('blocks in mode %s', (mode) => {
    const complaints = [{ status: 'stopping' }];
    expect(blocksTender({ complaints }, mode)).toBe(true);
    expect(blocksLot({}, [{ complaints }], undefined, mode)).toBe(true);
  });
});

describe('blocksTender', () => {
  it('ignores complaints about a lot', () => {
    expect(blocksTender({ complaints: [{ status: 'pending', relatedLot: 'L1' }] }, 'full')).toBe(false);
  });
});

describe('blocksLot', () => {
  it('ignores complaints about other lots and about the tender as a whole', () => {
    const complaints = [{ status: 'pending', relatedLot: 'L2' }, { status: 'pending' }];
    expect(blocksLot({ complaints }, [], 'L1', 'full')).toBe(false);
    expect(blocksLot({ complaints }, [{}], undefined, 'full')).toBe(false);
  });
});

/** The rule for signing a contract as bids-awards-auction.md 4.3 states it: about the tender, the lot, or one of its awards. */
function blocksSigning(
  tender: { readonly complaints: readonly { readonly status: string; readonly relatedLot?: string | undefined }[] },
  awards: readonly {
    readonly lotID?: string | undefined;
    readonly complaints: readonly { readonly status: string }[];
  }[],
  lot: string | undefined,
  mode: ComplaintsMode,
): boolean {
  const ofTender = tender.complaints.filter(({ relatedLot }) => relatedLot === undefined || relatedLot === lot);
  const ofAwards = awards.filter((award) => award.lotID === lot).flatMap((award) => award.complaints);
  return [...ofTender, ...ofAwards].some(({ status }) => BLOCKING[mode].some((one) => one === status));
}

describe('blocksTender or blocksLot', () => {
  const status = fc.constantFrom(...COMPLAINT_STATUSES);
  const lot = fc.constantFrom(undefined, 'L1', 'L2');
  const tender = fc.record({ complaints: fc.array(fc.record({ status, relatedLot: lot }), { maxLength: 4 }) });
  const award = fc.record({ lotID: lot, complaints: fc.array(fc.record({ status }), { maxLength: 3 }) });

  it('is the rule for signing a contract (bids-awards-auction.md 4.3)', () => {
    fc.assert(
      fc.property(
        tender,
        fc.array(award, { maxLength: 4 }),
        lot,
        fc.constantFrom('full' as const, 'claims-only' as const),
        (complained, awards, signedLot, mode) => {
          const awardsOfLot = awards.filter((one) => one.lotID === signedLot);
          const blocks = blocksTender(complained, mode) || blocksLot(complained, awardsOfLot, signedLot, mode);
          expect(blocks).toBe(blocksSigning(complained, awards, signedLot, mode));
        },
      ),
    );
  });
});
