import { readFileSync } from 'node:fs';
import type { Tender } from '@procurement/client';
import { describe, expect, it } from 'vitest';
import { lotLifeLine } from './lot-life-line.ts';

const EXAMPLE = new URL('../../../../packages/ocds/examples/lots-cancelled.states.json', import.meta.url);
const states: Tender[] = JSON.parse(readFileSync(EXAMPLE, 'utf8'));

/** Enquiries, bidding and so on, by their first letters, with a mark for the state of each. */
const MARKS = { done: '✓', current: '●', ahead: '○', skipped: '–', stopped: '✕', never: '·' };
const drawLifeLines = (tender: Tender, now = tender.dateModified): readonly string[] =>
  (tender.lots ?? []).map((lot) =>
    lotLifeLine(tender, lot, now)
      .map(({ state }) => MARKS[state])
      .join(''),
  );

/** A state of the example with other members of its lots, in their order. */
function stateWith(n: number, ...lots: readonly object[]): Tender {
  const tender = states[n]!;
  return { ...tender, lots: (tender.lots ?? []).map((lot, at) => ({ ...lot, ...lots[at] })) };
}

const HELD = { auctionPeriod: { startDate: '2026-03-17T11:00:00+02:00', endDate: '2026-03-17T11:40:00+02:00' } };
const STANDSTILL = { startDate: '2026-03-18T12:00:05+02:00', endDate: '2026-03-20T12:00:05+02:00' };

describe('lotLifeLine', () => {
  it('is that of the tender until the bids are opened', () => {
    expect([0, 2, 3].map((n) => drawLifeLines(states[n]!))).toEqual([
      ['●○○○○○', '●○○○○○'],
      ['✓●○○○○', '✓●○○○○'],
      ['✓✓●○○○', '✓✓●○○○'],
    ]);
  });

  it('while auctions go on: a lot that has none waits, and so does one whose auction is over', () => {
    expect(drawLifeLines(stateWith(3, { auctionPeriod: undefined }, HELD))).toEqual(['✓✓–○○○', '✓✓✓○○○']);
  });

  it('an auction that is to be planned again is not over', () => {
    expect(drawLifeLines(stateWith(3, { auctionPeriod: { shouldStartAfter: '2026-03-18T00:00:00+02:00' } }))[0]).toBe(
      '✓✓●○○○',
    );
  });

  it('a lot in its stand-still is ahead of one whose bid is being considered again', () => {
    const tender = stateWith(6, HELD, HELD);
    const awards = tender.awards!.map((award) => ({ ...award, complaintPeriod: STANDSTILL }));
    const withPeriods = { ...tender, awards };
    expect(drawLifeLines(withPeriods)).toEqual(['✓✓✓●○○', '✓✓✓✓●○']);
    expect(drawLifeLines(withPeriods, '2026-03-21T00:00:00+02:00')).toEqual(['✓✓✓●○○', '✓✓✓✓✓●']);
    const [waiting, standing] = tender.lots!.map((lot) => lotLifeLine(withPeriods, lot, tender.dateModified));
    expect(waiting![3]).toEqual({ step: 'qualification', state: 'current', from: '2026-03-17T12:00:05+02:00' });
    // The stand-still of the decision that was withdrawn is not the one to come.
    expect(waiting!.slice(4).map(({ from, until }) => from ?? until)).toEqual([undefined, undefined]);
    expect(standing![3]?.until).toBe('2026-03-18T12:00:05+02:00');
    expect(standing![4]).toMatchObject({ step: 'standstill', until: STANDSTILL.endDate });
  });

  it('a lot that ended stands where it ended, whatever the others do', () => {
    const noBids = { status: 'unsuccessful', auctionPeriod: undefined };
    expect(drawLifeLines(stateWith(3, noBids, {}))).toEqual(['✓✕····', '✓✓●○○○']);
    const cancelled = { status: 'cancelled', date: '2026-03-10T12:00:00+02:00', auctionPeriod: undefined };
    const later = stateWith(4, cancelled, HELD);
    expect(drawLifeLines({ ...later, awards: later.awards!.slice(1) })).toEqual(['✓✕····', '✓✓✓●○○']);
    // With a bid under consideration the same lot would have ended there.
    expect(drawLifeLines({ ...later, lots: states.at(-1)!.lots! })[0]).toBe('✓✓✓✕··');
  });

  it('a lot with a signed contract is complete, and its dates are its own', () => {
    const tender = stateWith(6, HELD, { ...HELD, status: 'complete' });
    const contract = { awardID: tender.awards![1]!.id, status: 'active', dateSigned: '2026-03-21T10:00:00+02:00' };
    const lot = tender.lots![1]!;
    const steps = lotLifeLine({ ...tender, contracts: [contract] } as unknown as Tender, lot, tender.dateModified);
    expect(steps.map(({ state }) => MARKS[state]).join('')).toBe('✓✓✓✓✓✓');
    expect(steps.at(-1)?.until).toBe('2026-03-21T10:00:00+02:00');
  });
});
