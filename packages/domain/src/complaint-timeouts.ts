import { addMicros, formatServerDate, parseInstant, type Instant } from '@procurement/contracts/reading/instant';
import type { ComplaintStatus, StoredComplaint } from '@procurement/contracts/resources/complaint';
import type { ComplaintsMode } from './complaints.ts';

export interface TimedComplaint {
  readonly status: string;
  readonly dateAnswered?: string | undefined;
  readonly dateSubmitted?: string | undefined;
}

/**
 * When the clock changes a complaint next (tenders.md 13.3 and 13.4, bids-awards-auction.md 3.7): an answered one and, in mode
 * `full`, a claim after `reactionMicros`; in mode `claims-only` a pending one at once, because it has no reviewer.
 * `undefined` when it waits for a person. Whether the tender is still active is the caller's to check.
 */
export function complaintDueAt(
  { status, dateAnswered, dateSubmitted }: TimedComplaint,
  reactionMicros: number,
  now: Instant,
  mode: ComplaintsMode,
): Instant | undefined {
  const after = (date: string | undefined): Instant | undefined =>
    date === undefined ? undefined : addMicros(parseInstant(date), reactionMicros);
  if (status === 'answered') return after(dateAnswered);
  if (status === 'claim' && mode === 'full') return after(dateSubmitted);
  return status === 'pending' && mode === 'claims-only' ? now : undefined;
}

/**
 * A complaint that is due, after the clock has changed it: a claim is escalated; an answered one ends with the resolution of
 * its answer; an escalated one ends with the resolution that it has, else a pending one is ignored (tenders.md 13.4).
 */
export function advanceComplaint(complaint: StoredComplaint, now: Instant): StoredComplaint {
  const date = formatServerDate(now);
  if (complaint.status === 'claim') {
    return { ...complaint, status: 'pending', type: 'complaint', date, dateEscalated: date };
  }
  const hasResolution = complaint.status === 'answered' || complaint.dateEscalated !== undefined;
  const status: ComplaintStatus = hasResolution ? (complaint.resolutionType ?? 'ignored') : 'ignored';
  return { ...complaint, status, date };
}
