import { parseInstant } from '@procurement/contracts/reading/instant';
import { describe, expect, it } from 'vitest';
import {
  applyInput,
  bids,
  inQualification,
  inStatus,
  newTender,
  SETTINGS,
  tick,
  TENDERING_BEGINS,
  TENDERING_ENDS,
} from '../../test-support/run-command.ts';
import type { TenderState } from './tender.ts';
import { repeatedRequest, waitsAfter, waitsOf } from './tender.waits.ts';

const START = '2026-05-21T11:00:00+03:00';
const NOW = TENDERING_ENDS;

const tendering = tick(newTender(), TENDERING_BEGINS).state;
const planned = applyInput(tendering, { type: 'PlanAuction', startDate: START, version: 1 }, TENDERING_BEGINS).state;
const closing = tick(planned, TENDERING_ENDS).state;
const inAuction = applyInput(closing, { type: 'SealBids', bids: bids([], []) }, TENDERING_ENDS).state;
const opening = applyInput(closing, { type: 'SealBids', bids: bids([]) }, TENDERING_ENDS).state;

const waits = (state: TenderState, now = NOW) => waitsOf(state, now, SETTINGS);
const repeated = (state: TenderState, flow: Parameters<typeof repeatedRequest>[1]) =>
  repeatedRequest(state, flow, NOW, SETTINGS);

describe('waitsOf', () => {
  it.each([
    ['enquiries', newTender(), []],
    ['tendering without a start of the auction', tendering, ['planning']],
    ['tendering', planned, []],
    ['closing', closing, ['closing']],
    ['closing without a start', tick(tendering, TENDERING_ENDS).state, ['planning', 'closing']],
    ['auction', inAuction, []],
    ['opening', opening, ['opening']],
    ['qualification', inQualification(), []],
    ['closing and cancelled', inStatus(closing, 'cancelled'), []],
  ] as const)('%s', (_what, state, expected) => {
    expect(waits(state)).toEqual(expected);
  });

  it('a missed auction must be planned again', () => {
    expect(waits(inAuction, parseInstant('2026-05-22T11:00:00+03:00'))).toEqual(['planning']);
  });
});

describe('waitsAfter', () => {
  it('a cancellation waits for the erasure of unopened bids only', () => {
    const after = (erasesBids: boolean) =>
      waitsAfter([{ type: 'TenderCancelled', erasesBids }], inStatus(closing, 'cancelled'), NOW, SETTINGS);
    expect([after(true), after(false)]).toEqual([['erasure'], []]);
  });
});

describe('repeatedRequest', () => {
  it('repeats what the tender still waits for', () => {
    expect(repeated(closing, 'closing')).toEqual({ type: 'TenderingEnded', endDate: '2026-05-20T18:00:00+03:00' });
    expect(repeated(opening, 'opening')).toMatchObject({ type: 'QualificationDue' });
    expect(repeated(tendering, 'planning')).toEqual({ type: 'TenderFacts' });
    expect(repeated(inStatus(closing, 'cancelled'), 'erasure')).toEqual({ type: 'TenderCancelled', erasesBids: true });
  });

  it('repeats nothing once the answer is there or the tender is over', () => {
    expect([
      repeated(opening, 'closing'),
      repeated(inQualification(), 'opening'),
      repeated(planned, 'planning'),
    ]).toEqual([undefined, undefined, undefined]);
    expect(repeated(inStatus(opening, 'cancelled'), 'opening')).toBeUndefined();
    expect(repeated(closing, 'erasure')).toBeUndefined();
  });
});
