import { describe, expect, it } from 'vitest';
import { TENDER_STATUSES } from '@procurement/contracts/resources/tender';
import { isFinal, isRunning, isUnfinished, legacyGuardsAreOpen, statusesThat } from './tender-status.ts';

const FINAL = ['complete', 'cancelled', 'unsuccessful'];

describe('isFinal (tenders.md 8.1)', () => {
  it.each(TENDER_STATUSES)('%s', (status) => {
    expect(isFinal(status)).toBe(FINAL.includes(status));
  });
});

describe('a status of a later release', () => {
  it('is neither running nor final, and opens no guard', () => {
    const status = 'active.prequalification';
    expect([isFinal(status), isRunning(status), isUnfinished(status)]).toEqual([false, false, false]);
    expect(legacyGuardsAreOpen({ segment: '2.3' }, { legacyGuardsOpen: true }, status)).toBe(false);
  });
});

describe('isRunning and isUnfinished', () => {
  it.each(TENDER_STATUSES)('%s', (status) => {
    expect(isRunning(status)).toBe(status.startsWith('active.'));
    expect(isUnfinished(status)).toBe(!FINAL.includes(status));
  });
});

describe('statusesThat', () => {
  it('lists the statuses for which a rule holds', () => {
    expect(statusesThat(isFinal)).toEqual(TENDER_STATUSES.filter((status) => FINAL.includes(status)));
  });
});

describe('legacyGuardsAreOpen (rulings R3)', () => {
  const open = { legacyGuardsOpen: true };

  it.each(TENDER_STATUSES)('%s on an older segment: open unless draft or final', (status) => {
    const isOpen = status !== 'draft' && !FINAL.includes(status);
    expect(legacyGuardsAreOpen({ segment: '2.3' }, open, status)).toBe(isOpen);
  });

  it.each(TENDER_STATUSES)('%s: closed on segment 2.5 and with strict guards', (status) => {
    expect(legacyGuardsAreOpen({ segment: '2.5' }, open, status)).toBe(false);
    expect(legacyGuardsAreOpen({ segment: '0' }, { legacyGuardsOpen: false }, status)).toBe(false);
  });
});
