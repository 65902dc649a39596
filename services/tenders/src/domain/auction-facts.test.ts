import { LOT_1, LOT_2 } from '@procurement/testing/ids';
import { describe, expect, it } from 'vitest';
import {
  applyInput,
  newTender,
  tenderWithLots,
  TENDERING_BEGINS,
  TENDERING_ENDS,
  tick,
  withSealedBids,
  SETTINGS,
} from '../../test-support/run-command.ts';
import { readRow, buildRow } from '../store/tender.row.ts';
import type { ExternalInput, TenderState } from './tender.ts';

function apply(state: TenderState, ...inputs: readonly ExternalInput[]): TenderState {
  let after = state;
  for (const input of inputs) after = applyInput(after, input, TENDERING_ENDS).state;
  return after;
}

const published = (version: number, name: string, lot?: string): ExternalInput => ({
  type: 'PublishAuction',
  auctionUrl: `https://auction.example.org/${name}`,
  lot,
  version,
});

describe('PublishAuction', () => {
  const inAuction = withSealedBids(newTender(), [], []).state;
  const url = (state: TenderState): string | undefined => state.document.auctionUrl?.split('/').pop();

  it('of an older version never overwrites a newer address', () => {
    const state = apply(inAuction, published(2, 'new'), published(1, 'old'), published(2, 'repeated'));
    expect(url(state)).toBe('new');
    expect(url(apply(state, published(5, 'newest')))).toBe('newest');
  });

  it('counts also when it repeats the address that is shown', () => {
    expect(url(apply(inAuction, published(1, 'a'), published(3, 'a'), published(2, 'b')))).toBe('a');
  });

  it('is compared for each lot by itself', () => {
    const lotted = withSealedBids(tenderWithLots(), [LOT_1, LOT_2], [LOT_1, LOT_2]).state;
    const state = apply(lotted, published(3, 'one', LOT_1), published(1, 'two', LOT_2), published(2, 'late', LOT_1));
    expect(state.document.lots?.map(({ auctionUrl }) => auctionUrl?.split('/').pop())).toEqual(['one', 'two']);
  });

  it('is compared after the tender was stored and read again', () => {
    const state = apply(inAuction, published(2, 'new'));
    const { document, privateState, facts, viewHash } = buildRow(state, TENDERING_ENDS, SETTINGS);
    const { id, version, owner, ownerTokenHash, transferHash } = state;
    const columns = {
      id,
      version,
      owner,
      ownerTokenHash,
      transferHash,
      document,
      facts: JSON.stringify(facts),
      viewHash,
    };
    const read = readRow({ ...columns, privateState, publicRev: '1', dueAt: null }).state;
    expect(url(apply(read, published(1, 'old')))).toBe('new');
  });
});

describe('PlanAuction', () => {
  it('of an older version never sets a start, and is compared without the addresses', () => {
    const tendering = tick(newTender(), TENDERING_BEGINS).state;
    const planned = (version: number, startDate: string): ExternalInput => ({
      type: 'PlanAuction',
      startDate,
      version,
    });
    const withoutStart = (state: TenderState): TenderState => ({
      ...state,
      document: { ...state.document, auctionPeriod: {} },
    });
    const first = applyInput(tendering, planned(4, '2026-05-21T11:00:00+03:00'), TENDERING_BEGINS).state;
    const startAfter = (version: number): string | undefined =>
      applyInput(withoutStart(first), planned(version, '2026-05-22T11:00:00+03:00'), TENDERING_BEGINS).state.document
        .auctionPeriod?.startDate;
    expect([3, 4, 5].map(startAfter)).toEqual([undefined, undefined, '2026-05-22T11:00:00+03:00']);
    const inAuction = withSealedBids(newTender(), [], []).state;
    const both = apply(inAuction, published(7, 'new'), planned(6, '2026-05-21T11:00:00+03:00'));
    expect(both.document.auctionPeriod?.startDate).toBe('2026-05-21T11:00:00+03:00');
  });
});
