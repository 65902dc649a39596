import type { ComplaintStatus } from '@procurement/contracts/resources/complaint';
import { AUTHOR } from '@procurement/testing/bodies';
import { describe, expect, it } from 'vitest';
import { newTender, tenderWithLots } from '../../test-support/run-command.ts';
import { addsBlockingComplaint, cancels } from './frozen-changes.ts';
import type { TenderState } from './tender.ts';

const tender = newTender();

function withStatus(status: TenderState['document']['status'], state = tender): TenderState {
  return { ...state, document: { ...state.document, status } };
}

function withComplaint(status: ComplaintStatus): TenderState {
  const complaint = { id: 'c', complaintID: 'c', title: 'x', date: '', author: AUTHOR, type: 'claim' as const, status };
  return { ...tender, document: { ...tender.document, complaints: [complaint] } };
}

describe('cancels', () => {
  it('is true when the tender or a lot becomes cancelled, and only then', () => {
    const lots = tenderWithLots();
    const [first, ...others] = lots.document.lots ?? [];
    if (first === undefined) throw new Error('no lot');
    const lotCancelled = {
      ...lots,
      document: { ...lots.document, lots: [{ ...first, status: 'cancelled' as const }, ...others] },
    };
    expect(cancels(tender, withStatus('cancelled'))).toBe(true);
    expect(cancels(lots, lotCancelled)).toBe(true);
    expect(cancels(withStatus('cancelled'), withStatus('cancelled'))).toBe(false);
    expect(cancels(lotCancelled, lotCancelled)).toBe(false);
    expect(cancels(tender, withStatus('unsuccessful'))).toBe(false);
  });
});

describe('addsBlockingComplaint', () => {
  it.each([
    ['draft', 'claim', 'full', true],
    ['draft', 'claim', 'claims-only', false],
    ['claim', 'answered', 'full', false],
    ['claim', 'answered', 'claims-only', true],
    ['claim', 'pending', 'full', false],
    ['answered', 'pending', 'claims-only', false],
    ['pending', 'resolved', 'full', false],
    ['draft', 'cancelled', 'full', false],
  ] as const)('%s to %s in mode %s: %s', (from, to, mode, expected) => {
    expect(addsBlockingComplaint(withComplaint(from), withComplaint(to), mode)).toBe(expected);
  });

  it('is true for a new claim, and false for a new draft', () => {
    expect(addsBlockingComplaint(tender, withComplaint('claim'), 'full')).toBe(true);
    expect(addsBlockingComplaint(tender, withComplaint('draft'), 'full')).toBe(false);
  });
});
