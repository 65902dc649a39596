import { describe, expect, it } from 'vitest';
import { activeLots, competitionUnits, lotIsOpen, lotsOf } from './lots.ts';

const lots = [
  { id: 'L1', status: 'active' },
  { id: 'L2', status: 'cancelled' },
  { id: 'L3', status: 'active' },
];

describe('lotsOf and activeLots', () => {
  it('keep the order of the tender', () => {
    expect(lotsOf({ lots })).toBe(lots);
    expect(activeLots({ lots }).map((lot) => lot.id)).toEqual(['L1', 'L3']);
  });

  it('are empty for a tender without lots', () => {
    expect(lotsOf({})).toEqual([]);
    expect(activeLots({ lots: undefined })).toEqual([]);
  });
});

describe('lotIsOpen', () => {
  it.each([
    ['no lot', undefined, true],
    ['an active lot', 'L1', true],
    ['a cancelled lot', 'L2', false],
    ['an unknown lot', 'L4', false],
  ])('%s', (_what, lot, isOpen) => {
    expect(lotIsOpen({ lots }, lot)).toBe(isOpen);
  });

  it('is false for any lot of a tender without lots', () => {
    expect(lotIsOpen({}, 'L1')).toBe(false);
    expect(lotIsOpen({}, undefined)).toBe(true);
  });
});

describe('competitionUnits', () => {
  it('are the active lots', () => expect(competitionUnits({ lots })).toEqual(['L1', 'L3']));

  it.each([{}, { lots: [] }])('are the whole of a tender without lots', (tender) => {
    expect(competitionUnits(tender)).toEqual([undefined]);
  });

  it('are none when every lot is over', () => {
    expect(competitionUnits({ lots: [{ id: 'L2', status: 'cancelled' }] })).toEqual([]);
  });
});
