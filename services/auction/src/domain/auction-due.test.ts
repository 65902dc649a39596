import { instantOf } from '@procurement/contracts/reading/instant';
import { describe, expect, it } from 'vitest';
import { tenderFacts } from '../../test-support/tender-facts.ts';
import { isQuick, comparePlans, planModeOf, type StoredPlan } from './auction-due.ts';

const NOW = instantOf('2017-02-09T10:00:00+02:00');
const EARLIEST = '2017-02-16T00:00:00+02:00';
const START = '2017-02-16T11:12:34+02:00';
const storedPlan: StoredPlan = {
  start: instantOf(START),
  slot: { day: '2017-02-16', stream: 1, minute: 660 },
  confirmed: true,
};
const unconfirmed: StoredPlan = { ...storedPlan, confirmed: false };
const quick: StoredPlan = { start: instantOf(START), confirmed: true };

const due = { shouldStartAfter: instantOf(EARLIEST) };
const nothing = { free: [], confirm: [], plan: [] };

function compare(auctionPeriod: { shouldStartAfter?: string; startDate?: string }, own: readonly StoredPlan[] = []) {
  return comparePlans(tenderFacts({ auctionPeriod }), own, NOW);
}

describe('judge: what is due (bids-awards-auction.md 2.9)', () => {
  it('plans an auction that has no start', () => {
    expect(compare({ shouldStartAfter: EARLIEST })).toEqual({ ...nothing, plan: [due] });
  });

  it('plans nothing when the start is late enough, or may not be planned at all', () => {
    expect(compare({ shouldStartAfter: EARLIEST, startDate: START })).toEqual(nothing);
    expect(compare({ shouldStartAfter: EARLIEST, startDate: EARLIEST })).toEqual(nothing);
    expect(compare({ startDate: START })).toEqual(nothing);
    expect(comparePlans(tenderFacts({ status: 'active.enquiries', auctionPeriod: undefined }), [], NOW)).toEqual(
      nothing,
    );
  });

  it('plans a missed auction anew, and frees its place', () => {
    const missed = { shouldStartAfter: '2017-02-17T00:00:00+02:00', startDate: START };
    const plan = [{ shouldStartAfter: instantOf('2017-02-17T00:00:00+02:00') }];
    expect(compare(missed, [storedPlan])).toEqual({ free: [storedPlan], confirm: [], plan });
  });

  it('plans anew after the start was cleared', () => {
    expect(compare({ shouldStartAfter: EARLIEST }, [storedPlan])).toEqual({
      free: [storedPlan],
      confirm: [],
      plan: [due],
    });
  });
});

describe('judge: an answer on its way', () => {
  it('is not given again', () => {
    expect(compare({ shouldStartAfter: EARLIEST }, [unconfirmed])).toEqual(nothing);
  });

  it('is confirmed when the tender shows it', () => {
    const shown = { shouldStartAfter: EARLIEST, startDate: START };
    expect(compare(shown, [unconfirmed])).toEqual({ ...nothing, confirm: [unconfirmed] });
    expect(compare(shown, [storedPlan])).toEqual(nothing);
  });

  it('is given again when the earliest moment has moved behind it', () => {
    const shouldStartAfter = '2017-02-17T00:00:00+02:00';
    const plan = [{ shouldStartAfter: instantOf(shouldStartAfter) }];
    expect(compare({ shouldStartAfter }, [unconfirmed])).toEqual({ free: [unconfirmed], confirm: [], plan });
  });

  it('is given again when its time has come before it was heard', () => {
    const facts = tenderFacts();
    expect(comparePlans(facts, [unconfirmed], unconfirmed.start).plan).toEqual([due]);
  });
});

describe('judge: what is freed (bids-awards-auction.md 2.10)', () => {
  it.each([
    ['11:00:00, the first moment of the half hour', '2017-02-16T11:00:00+02:00', false],
    ['11:29:59', '2017-02-16T11:29:59+02:00', false],
    ['11:30:00', '2017-02-16T11:30:00+02:00', true],
    ['another day', '2017-02-17T11:12:34+02:00', true],
  ])('a place whose start was set to %s: %s', (_, startDate, freed) => {
    expect(compare({ shouldStartAfter: EARLIEST, startDate }, [storedPlan]).free).toEqual(freed ? [storedPlan] : []);
  });

  it('a place whose auction has lost its start', () => {
    expect(compare({}, [storedPlan])).toEqual({ ...nothing, free: [storedPlan] });
  });

  it('a quick plan that was overruled, for it stands for nothing but its start', () => {
    expect(compare({ shouldStartAfter: EARLIEST, startDate: START }, [quick])).toEqual(nothing);
    expect(compare({ startDate: '2017-02-16T11:12:35+02:00' }, [quick]).free).toEqual([quick]);
  });

  it.each(['cancelled', 'unsuccessful', 'complete'])('all places of a tender that is %s', (status) => {
    const facts = tenderFacts({ status, auctionPeriod: { shouldStartAfter: EARLIEST, startDate: START } });
    expect(comparePlans(facts, [storedPlan], NOW)).toEqual({ ...nothing, free: [storedPlan] });
  });

  it.each(['active.qualification', 'active.awarded'])('nothing once the auction is over: %s', (status) => {
    const facts = tenderFacts({ status, auctionPeriod: { startDate: START } });
    expect(comparePlans(facts, [storedPlan], NOW)).toEqual(nothing);
  });
});

describe('judge: lots', () => {
  const lot = (id: string, status = 'active', startDate?: string) => ({
    id,
    status,
    auctionPeriod: { shouldStartAfter: EARLIEST, ...(startDate === undefined ? {} : { startDate }) },
  });

  it('plans each active lot by itself, and not the tender', () => {
    const facts = tenderFacts({ lots: [lot('a'), lot('b', 'cancelled'), lot('c', 'active', START), lot('d')] });
    const plan = [
      { lotId: 'a', ...due },
      { lotId: 'd', ...due },
    ];
    expect(comparePlans(facts, [], NOW)).toEqual({ ...nothing, plan });
  });

  it('frees the place of a lot that is no longer active, and of one that is gone', () => {
    const [a, b, c] = [
      { ...storedPlan, lotId: 'a' },
      { ...storedPlan, lotId: 'b' },
      { ...storedPlan, lotId: 'c' },
    ];
    const facts = tenderFacts({ lots: [lot('a', 'active', START), lot('b', 'unsuccessful', START)] });
    expect(comparePlans(facts, [a, b, c], NOW)).toEqual({ ...nothing, free: [b, c] });
  });

  it('frees the place of a tender that was divided into lots', () => {
    expect(comparePlans(tenderFacts({ lots: [lot('a')] }), [storedPlan], NOW)).toEqual({
      free: [storedPlan],
      confirm: [],
      plan: [{ lotId: 'a', ...due }],
    });
  });
});

describe('which plan', () => {
  it.each([
    [undefined, 'real'],
    ['test', 'test'],
  ])('mode %s is planned with the %s ones', (mode, plan) => {
    expect(planModeOf(tenderFacts({ mode }))).toBe(plan);
  });

  it.each([
    ['quick', true, true],
    ['quick(mode:no-auction)', true, true],
    ['as quick as can be', true, true],
    ['Quick', true, false],
    ['quick', false, false],
    [undefined, true, false],
  ])('%s, sandbox %s: quick %s (tenders.md 7.4)', (submissionMethodDetails, sandbox, isOne) => {
    expect(isQuick(tenderFacts({ submissionMethodDetails }), sandbox)).toBe(isOne);
  });
});
