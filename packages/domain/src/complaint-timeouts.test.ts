import { describe, expect, it } from 'vitest';
import { addMicros, DAY, formatServerDate, parseInstant } from '@procurement/contracts/reading/instant';
import { COMPLAINT_STATUSES, type StoredComplaint } from '@procurement/contracts/resources/complaint';
import { advanceComplaint, complaintDueAt } from './complaint-timeouts.ts';

const SUBMITTED = '2026-05-04T10:00:00.000001+03:00';
const ANSWERED = '2026-05-05T12:00:00.000002+03:00';
const NOW = parseInstant('2026-05-06T09:00:00.000003+03:00');
const REACTION = 3 * DAY;

const dates = { dateSubmitted: SUBMITTED, dateAnswered: ANSWERED };

describe('complaintDueAt (tenders.md 13.3, 13.4; bids-awards-auction.md 3.7)', () => {
  const expected = {
    full: {
      claim: addMicros(parseInstant(SUBMITTED), REACTION),
      answered: addMicros(parseInstant(ANSWERED), REACTION),
    },
    'claims-only': { answered: addMicros(parseInstant(ANSWERED), REACTION), pending: NOW },
  } as const;

  it.each(
    (['full', 'claims-only'] as const).flatMap((mode) => COMPLAINT_STATUSES.map((status) => [mode, status] as const)),
  )('mode %s, status %s', (mode, status) => {
    const due: Readonly<Record<string, number>> = expected[mode];
    expect(complaintDueAt({ status, ...dates }, REACTION, NOW, mode)).toBe(due[status]);
  });

  it.each([
    ['a claim that was never submitted', 'claim'],
    ['an answer without its date', 'answered'],
  ])('is undefined for %s', (_what, status) => {
    expect(complaintDueAt({ status }, REACTION, NOW, 'full')).toBeUndefined();
  });
});

describe('advanceComplaint', () => {
  const complaint: StoredComplaint = {
    id: 'c'.repeat(32),
    complaintID: 'UA-2026-05-04-000001.1',
    type: 'claim',
    status: 'claim',
    date: SUBMITTED,
    title: 'x',
    author: { name: 'x', identifier: { scheme: 'UA-EDR', id: '1' } },
  };
  const date = formatServerDate(NOW);

  it('escalates a claim', () => {
    const escalated = { ...complaint, status: 'pending', type: 'complaint', date, dateEscalated: date };
    expect(advanceComplaint(complaint, NOW)).toEqual(escalated);
    expect(advanceComplaint({ ...complaint, resolutionType: 'resolved' }, NOW)).toEqual({
      ...escalated,
      resolutionType: 'resolved',
    });
  });

  it.each([
    ['answered', { resolutionType: 'declined' }, 'declined'],
    ['answered', {}, 'ignored'],
    ['pending', { resolutionType: 'declined', dateAnswered: ANSWERED, dateEscalated: date }, 'declined'],
    ['pending', { dateAnswered: ANSWERED, dateEscalated: date }, 'ignored'],
    ['pending', { resolutionType: 'declined', dateEscalated: date }, 'declined'],
    ['pending', { resolutionType: 'declined' }, 'ignored'],
  ] as const)('ends a complaint that is %s with %j as %s', (status, members, end) => {
    const due = { ...complaint, status, ...members };
    expect(advanceComplaint(due, NOW)).toEqual({ ...due, status: end, date });
  });
});
