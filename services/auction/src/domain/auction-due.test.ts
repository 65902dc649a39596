import { parseInstant } from '@procurement/contracts/reading/instant';
import { isQuickAuction } from '@procurement/domain/acceleration';
import { describe, expect, it } from 'vitest';
import { tenderFacts } from '../../test-support/tender-facts.ts';
import { comparePlans, planModeOf, type StoredPlan } from './auction-due.ts';

const NOW = parseInstant('2017-02-09T10:00:00+02:00');
const EARLIEST = '2017-02-16T00:00:00+02:00';
const START = '2017-02-16T11:12:34+02:00';
const storedPlan: StoredPlan = {
  start: parseInstant(START),
  slot: { day: '2017-02-16', stream: 1, minute: 660 },
  confirmed: true,
};
const unconfirmed: StoredPlan = { ...storedPlan, confirmed: false };
const quick: StoredPlan = { start: parseInstant(START), confirmed: true };

const due = { shouldStartAfter: parseInstant(EARLIEST) };
const nothing = { free: [], confirm: [], repeat: [], plan: [] };

function compare(auctionPeriod: { shouldStartAfter?: string; startDate?: string }, own: readonly StoredPlan[] = []) {
  return comparePlans(tenderFacts({ auctionPeriod }), own, NOW);
}

describe('comparePlans: due auctions (bids-awards-auction.md 2.9)', () => {
  it('plans an auction without a start', () => {
    expect(compare({ shouldStartAfter: EARLIEST })).toEqual({ ...nothing, plan: [due] });
  });

  it('plans nothing when the start is not before shouldStartAfter, or shouldStartAfter is absent', () => {
    expect(compare({ shouldStartAfter: EARLIEST, startDate: START })).toEqual(nothing);
    expect(compare({ shouldStartAfter: EARLIEST, startDate: EARLIEST })).toEqual(nothing);
    expect(compare({ startDate: START })).toEqual(nothing);
    expect(comparePlans(tenderFacts({ status: 'active.enquiries', auctionPeriod: undefined }), [], NOW)).toEqual(
      nothing,
    );
  });

  it('plans a missed auction again and frees its slot', () => {
    const missed = { shouldStartAfter: '2017-02-17T00:00:00+02:00', startDate: START };
    const plan = [{ shouldStartAfter: parseInstant('2017-02-17T00:00:00+02:00') }];
    expect(compare(missed, [storedPlan])).toEqual({ ...nothing, free: [storedPlan], plan });
  });

  it('plans again after the start was removed', () => {
    expect(compare({ shouldStartAfter: EARLIEST }, [storedPlan])).toEqual({
      free: [storedPlan],
      confirm: [],
      repeat: [],
      plan: [due],
    });
  });
});

describe('comparePlans: unconfirmed plans', () => {
  it('are not published again', () => {
    expect(compare({ shouldStartAfter: EARLIEST }, [unconfirmed])).toEqual(nothing);
  });

  it('are published again when the tender still needs them long after the publication', () => {
    const overdue = { ...unconfirmed, isOverdue: true };
    expect(compare({ shouldStartAfter: EARLIEST }, [overdue])).toEqual({ ...nothing, repeat: [overdue] });
  });

  it('are confirmed when the tender has the start', () => {
    const taken = { shouldStartAfter: EARLIEST, startDate: START };
    expect(compare(taken, [unconfirmed])).toEqual({ ...nothing, confirm: [unconfirmed] });
    expect(compare(taken, [storedPlan])).toEqual(nothing);
  });

  it('are replaced when shouldStartAfter has moved past the start', () => {
    const shouldStartAfter = '2017-02-17T00:00:00+02:00';
    const plan = [{ shouldStartAfter: parseInstant(shouldStartAfter) }];
    expect(compare({ shouldStartAfter }, [unconfirmed])).toEqual({ ...nothing, free: [unconfirmed], plan });
  });

  it('are replaced when the start has passed before the tender took it', () => {
    const facts = tenderFacts();
    expect(comparePlans(facts, [unconfirmed], unconfirmed.start).plan).toEqual([due]);
  });
});

describe('comparePlans: freed slots (bids-awards-auction.md 2.10)', () => {
  it.each([
    ['11:00:00, the first instant of the half hour', '2017-02-16T11:00:00+02:00', false],
    ['11:29:59', '2017-02-16T11:29:59+02:00', false],
    ['11:30:00', '2017-02-16T11:30:00+02:00', true],
    ['another day', '2017-02-17T11:12:34+02:00', true],
  ])('frees the slot when the start was set to %s: %s', (_, startDate, freed) => {
    expect(compare({ shouldStartAfter: EARLIEST, startDate }, [storedPlan]).free).toEqual(freed ? [storedPlan] : []);
  });

  it('frees the slot of an auction without a start', () => {
    expect(compare({}, [storedPlan])).toEqual({ ...nothing, free: [storedPlan] });
  });

  it('frees a quick plan when the start differs', () => {
    expect(compare({ shouldStartAfter: EARLIEST, startDate: START }, [quick])).toEqual(nothing);
    expect(compare({ startDate: '2017-02-16T11:12:35+02:00' }, [quick]).free).toEqual([quick]);
  });

  it.each(['cancelled', 'unsuccessful', 'complete'])('frees all slots of a tender in %s', (status) => {
    const facts = tenderFacts({ status, auctionPeriod: { shouldStartAfter: EARLIEST, startDate: START } });
    expect(comparePlans(facts, [storedPlan], NOW)).toEqual({ ...nothing, free: [storedPlan] });
  });

  it.each(['active.qualification', 'active.awarded'])('frees nothing after the auction: %s', (status) => {
    const facts = tenderFacts({ status, auctionPeriod: { startDate: START } });
    expect(comparePlans(facts, [storedPlan], NOW)).toEqual(nothing);
  });
});

describe('comparePlans: lots', () => {
  const lot = (id: string, status = 'active', startDate?: string) => ({
    id,
    status,
    auctionPeriod: { shouldStartAfter: EARLIEST, ...(startDate === undefined ? {} : { startDate }) },
  });

  it('plans each active lot, and not the tender', () => {
    const facts = tenderFacts({ lots: [lot('a'), lot('b', 'cancelled'), lot('c', 'active', START), lot('d')] });
    const plan = [
      { lotId: 'a', ...due },
      { lotId: 'd', ...due },
    ];
    expect(comparePlans(facts, [], NOW)).toEqual({ ...nothing, plan });
  });

  it('frees the slots of lots that are not active or do not exist any more', () => {
    const [a, b, c] = [
      { ...storedPlan, lotId: 'a' },
      { ...storedPlan, lotId: 'b' },
      { ...storedPlan, lotId: 'c' },
    ];
    const facts = tenderFacts({ lots: [lot('a', 'active', START), lot('b', 'unsuccessful', START)] });
    expect(comparePlans(facts, [a, b, c], NOW)).toEqual({ ...nothing, free: [b, c] });
  });

  it('frees the slot of a tender that got lots', () => {
    expect(comparePlans(tenderFacts({ lots: [lot('a')] }), [storedPlan], NOW)).toEqual({
      free: [storedPlan],
      confirm: [],
      repeat: [],
      plan: [{ lotId: 'a', ...due }],
    });
  });
});

describe('planModeOf and isQuickAuction', () => {
  it.each([
    [undefined, 'real'],
    ['test', 'test'],
  ])('mode %s has the plan mode %s', (mode, plan) => {
    expect(planModeOf(tenderFacts({ mode }))).toBe(plan);
  });

  it.each([
    ['quick', true, true],
    ['quick(mode:no-auction)', true, true],
    ['as quick as can be', true, true],
    ['Quick', true, false],
    ['quick', false, false],
    [undefined, true, false],
  ])('%s, sandbox %s: quick %s (tenders.md 7.4)', (submissionMethodDetails, sandbox, expected) => {
    expect(isQuickAuction(tenderFacts({ submissionMethodDetails }), sandbox)).toBe(expected);
  });
});
