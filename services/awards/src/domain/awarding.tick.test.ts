import type { ComplaintsMode } from '@procurement/domain/complaints';
import type { ComplaintStatus } from '@procurement/contracts/resources/complaint';
import { parseInstant } from '@procurement/contracts/reading/instant';
import { TENDER_STATUSES } from '@procurement/contracts/resources/tender';
import { complaintReactionMicros } from '@procurement/domain/acceleration';
import { NO_HOLIDAYS } from '@procurement/domain/calendar';
import { describe, expect, it } from 'vitest';
import {
  bid,
  tenderFacts,
  fileComplaint,
  hours,
  lots,
  bidForLots,
  tenderFactsWithLots,
  NOW,
  NOW_TEXT,
  withOpenedBids,
  patchAward,
  SETTINGS,
  tick,
  withTender,
  type Data,
} from '../../test-support/run-command.ts';
import { standStillEnd } from './stand-still.ts';
import { dueAt, timers } from './awarding.timers.ts';
import type { Awarding } from './awarding.ts';

const state = withOpenedBids([bid('b1', 390)]);
const THREE_DAYS = hours(72);

function withComplaint(status: ComplaintStatus, more: Data = {}, of = state): Awarding {
  const filed = fileComplaint(of, 0).state;
  const [first, ...others] = filed.awards;
  if (first === undefined) throw new Error('nothing was awarded');
  const complaints = first.complaints?.map((one) => ({ ...one, dateAnswered: NOW_TEXT, status, ...more }));
  return { ...filed, awards: [{ ...first, complaints }, ...others] };
}

const complaintStatusOf = (awarding: Awarding) => awarding.awards[0]?.complaints?.[0]?.status;
const inMode = (complaintsMode: ComplaintsMode) => ({ settings: { complaintsMode } });

describe('standStillEnd and complaintReactionMicros (bids-awards-auction.md 3.5)', () => {
  it.each([
    ['2016-07-21T17:18:08.600122+03:00', '2016-07-25T17:18:08.600122+03:00'],
    ['2017-02-18T15:00:00+02:00', '2017-02-22T00:00:00+02:00'],
  ])('from %s to %s', (from, to) => {
    expect(standStillEnd(parseInstant(from), {}, SETTINGS)).toBe(parseInstant(to));
  });

  it.each([
    ['quick, accelerator=1440', true, 120, 180],
    ['quick, accelerator=1', true, 172_800, 259_200],
    ['quick, accelerator=1440', false, 4 * 86_400, 259_200],
    ['accelerator=1440', true, 4 * 86_400, 259_200],
  ])(
    '%s, sandbox %s: stand-still of %d s, reaction time of %d s',
    (procurementMethodDetails, sandbox, seconds, reaction) => {
      const settings = { ...SETTINGS, sandbox };
      const tender = { procurementMethodDetails };
      expect(standStillEnd(NOW, tender, settings) - NOW).toBe(seconds * 1_000_000);
      expect(complaintReactionMicros(tender, sandbox)).toBe(reaction * 1_000_000);
    },
  );

  it('skips holidays', () => {
    const calendar = { ...NO_HOLIDAYS, daysOff: new Set(['2017-02-20']) };
    expect(standStillEnd(NOW, {}, { ...SETTINGS, calendar })).toBe(parseInstant('2017-02-22T12:00:00+02:00'));
  });
});

describe('Tick: complaints (bids-awards-auction.md 3.7)', () => {
  it.each<[ComplaintsMode, ComplaintStatus, Data, ComplaintStatus]>([
    ['full', 'claim', {}, 'pending'],
    ['full', 'answered', { resolutionType: 'declined' }, 'declined'],
    ['full', 'answered', { resolutionType: 'invalid' }, 'invalid'],
    ['full', 'draft', {}, 'draft'],
    ['full', 'pending', {}, 'pending'],
    ['claims-only', 'claim', {}, 'claim'],
    ['claims-only', 'answered', { resolutionType: 'resolved' }, 'resolved'],
  ])('%s: %s %j becomes %s after three days, not earlier', (mode, from, more, to) => {
    const complaint = withComplaint(from, more);
    expect(complaintStatusOf(tick(complaint, hours(71.999), inMode(mode)).state)).toBe(from);
    const result = tick(complaint, THREE_DAYS, inMode(mode));
    expect(complaintStatusOf(result.state)).toBe(to);
    expect(tick(result.state, THREE_DAYS, inMode(mode)).events).toEqual([]);
  });

  it.each<[Data, ComplaintStatus]>([
    [{ resolutionType: 'declined', dateEscalated: NOW_TEXT }, 'declined'],
    [{ resolutionType: 'declined' }, 'ignored'],
    [{ dateEscalated: NOW_TEXT }, 'ignored'],
    [{ resolutionType: 'declined', dateEscalated: NOW_TEXT, dateAnswered: undefined }, 'declined'],
  ])('claims-only: a pending one with %j becomes %s at once', (more, to) => {
    expect(complaintStatusOf(tick(withComplaint('pending', more), NOW, inMode('claims-only')).state)).toBe(to);
  });

  it('escalation sets dateEscalated and the type complaint', () => {
    const date = '2017-02-20T12:00:00.000000+02:00';
    expect(tick(withComplaint('claim'), THREE_DAYS).state.awards[0]?.complaints?.[0]).toMatchObject({
      type: 'complaint',
      date,
      dateEscalated: date,
    });
  });

  it.each(TENDER_STATUSES)(
    'changes claims only while the tender is active, or left-over claims after its end; tender in %s',
    (status) => {
      const over = !status.startsWith('active.');
      const complaint = withTender(withComplaint('claim'), { status });
      expect(complaintStatusOf(tick(complaint, THREE_DAYS).state)).toBe(over ? 'claim' : 'pending');
      expect(dueAt(complaint, NOW, SETTINGS)).toBe(over ? undefined : THREE_DAYS);
      const isFinal = over && status !== 'draft';
      const leftOver = tick(complaint, NOW, inMode('claims-only'));
      expect(complaintStatusOf(leftOver.state)).toBe(isFinal ? 'ignored' : 'claim');
    },
  );

  it.each(['active', 'complete', 'unsuccessful', 'cancelled'])(
    'claims-only: ignores left-over claims of a lot in %s',
    (status) => {
      const lotted = withComplaint('claim', {}, withOpenedBids([bidForLots('b1', 400)], tenderFactsWithLots()));
      const closed = withTender(lotted, { lots: lots(status) });
      expect(complaintStatusOf(tick(closed, NOW, inMode('claims-only')).state)).toBe(
        status === 'active' ? 'claim' : 'ignored',
      );
      expect(complaintStatusOf(tick(closed, NOW).state)).toBe('claim');
    },
  );
});

describe('Tick: missing contract (bids-awards-auction.md 4.2)', () => {
  const missing = patchAward(state, 0, { status: 'active' }, { items: undefined }).state;

  it('is added when the items of the tender are available', () => {
    expect(timers(missing, hours(1), SETTINGS)).toEqual([{ at: NOW, why: 'contract is missing' }]);
    expect(tick(missing, hours(1), { items: undefined }).events).toEqual([]);
    const { state: added } = tick(missing, hours(1));
    expect(added.contracts).toMatchObject([{ awardID: added.awards[0]?.id, contractID: 'UA-2017-02-06-000001-1' }]);
    expect(tick(added, hours(2)).events).toEqual([]);
  });

  it('is not added in a tender with a final status', () => {
    const over = { ...missing, tender: tenderFacts({ status: 'cancelled' }) };
    expect([timers(over, NOW, SETTINGS), tick(over, NOW).events]).toEqual([[], []]);
  });
});

describe('timers', () => {
  it('are empty without complaints and missing contracts', () => {
    expect(timers(state, NOW, SETTINGS)).toEqual([]);
    expect(dueAt(state, NOW, SETTINGS)).toBeUndefined();
  });

  it('give the earliest deadline to dueAt; an accelerator makes it earlier', () => {
    const both = fileComplaint(withComplaint('claim'), 0, {}, { id: '8', now: hours(-0) }).state;
    expect(timers(both, NOW, SETTINGS)).toHaveLength(2);
    const quick = withTender(both, { procurementMethodDetails: 'quick, accelerator=1440' });
    expect(dueAt(quick, NOW, { ...SETTINGS, sandbox: true })).toBe(hours(0.05));
  });
});
