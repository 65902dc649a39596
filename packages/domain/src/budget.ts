import { BROKER_SHARE_OF_QUOTA, OBJECT_BYTES_MAX } from '@procurement/contracts/limits';
import type { limitProblems } from '@procurement/contracts/problems/limit-problems';
import { problem, type Problem } from '@procurement/contracts/problems/problems';
import type { StoredComplaint } from '@procurement/contracts/resources/complaint';
import { jsonBytes } from './json-text.ts';

export type LimitCode = keyof typeof limitProblems;

/** What a command adds or changes: the id of the object, and the broker whose share it takes. */
export interface LimitSubject {
  readonly id: string;
  readonly broker: string | undefined;
  /** The id of the object that holds it, where a limit is one of that object. */
  readonly parent?: string;
}

/** One limit on a state `S`. */
export interface Limit<S> {
  readonly unit: 'bytes' | 'objects';
  readonly max: number;
  measure(state: S, subject: LimitSubject): number;
}

export interface LimitedChange<S> {
  /** Undefined for a creation. */
  readonly before: S | undefined;
  readonly after: S;
  readonly subject: LimitSubject;
  /** Not less than the size of `after`: limits in bytes that are not less need no measuring. */
  readonly bytesBound: number;
}

/** The refusal of a change that exceeds a limit and adds to what is measured. What is above a limit may stay or shrink. */
export function limitRefusal<S>(
  limits: Readonly<Partial<Record<LimitCode, Limit<S>>>>,
  codes: readonly LimitCode[],
  { before, after, subject, bytesBound }: LimitedChange<S>,
): Problem | undefined {
  const code = codes.find((name) => {
    const limit = limits[name];
    if (limit === undefined || (limit.unit === 'bytes' && bytesBound <= limit.max)) return false;
    const value = limit.measure(after, subject);
    return value > limit.max && (before === undefined || value > limit.measure(before, subject));
  });
  return code === undefined ? undefined : problem(code, { max: String(limits[code]?.max) });
}

/** An upper bound of the size of a text in UTF-8: no UTF-16 code unit takes more than three bytes. */
export function utf8Bound(text: string): number {
  return text.length * 3;
}

export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** The share of one broker in a quota. */
export function brokerShare(quotaBytes: number): number {
  return Math.floor(quotaBytes * BROKER_SHARE_OF_QUOTA);
}

/** Counted for the reason with which a complaint may be withdrawn later, so that a full quota does not prevent that. */
const RESERVED_REASON_BYTES = 256;

/**
 * Sizes of the texts of a complaint by who writes them: its author, the owner of the tender, the reviewers. Status and dates
 * do not count, so that a complaint can go on where the quota is full.
 */
export function complaintBytes(complaint: StoredComplaint): {
  readonly author: number;
  readonly replies: number;
  readonly decisions: number;
} {
  const { author, title, description, cancellationReason, resolution, tendererAction, decision } = complaint;
  const reason = Math.max(RESERVED_REASON_BYTES, jsonBytes({ cancellationReason }));
  return {
    author: jsonBytes({ author, title, description }) + reason,
    replies: jsonBytes({ resolution, tendererAction }),
    decisions: jsonBytes({ decision }),
  };
}

interface ComplaintLimitsInput<S> {
  readonly complaintsOf: (state: S) => readonly StoredComplaint[];
  readonly brokerOf: (state: S, complaintId: string) => string | undefined;
  readonly objectsMax: { readonly ofTender: number; readonly ofBroker: number };
  readonly bytesMax: { readonly complaints: number; readonly replies: number; readonly decisions: number };
}

/** The limits of complaints: the same for those about a tender and those about its awards. */
export function complaintLimits<S>(input: ComplaintLimitsInput<S>) {
  const { complaintsOf, brokerOf, objectsMax, bytesMax } = input;
  const ofBroker = (state: S, { broker }: LimitSubject): readonly StoredComplaint[] =>
    complaintsOf(state).filter(({ id }) => brokerOf(state, id) === broker);
  const countBytes = (complaints: readonly StoredComplaint[], part: keyof ReturnType<typeof complaintBytes>): number =>
    sum(complaints.map((complaint) => complaintBytes(complaint)[part]));
  return {
    'limit.complaint-bytes': {
      unit: 'bytes',
      max: OBJECT_BYTES_MAX.complaint,
      measure: (state, { id }) =>
        countBytes(
          complaintsOf(state).filter((complaint) => complaint.id === id),
          'author',
        ),
    },
    'limit.complaints': {
      unit: 'objects',
      max: objectsMax.ofTender,
      measure: (state) => complaintsOf(state).length,
    },
    'limit.complaints-of-broker': {
      unit: 'objects',
      max: objectsMax.ofBroker,
      measure: (state, subject) => ofBroker(state, subject).length,
    },
    'limit.complaint-quota': {
      unit: 'bytes',
      max: bytesMax.complaints,
      measure: (state) => countBytes(complaintsOf(state), 'author'),
    },
    'limit.complaint-quota-of-broker': {
      unit: 'bytes',
      max: brokerShare(bytesMax.complaints),
      measure: (state, subject) => countBytes(ofBroker(state, subject), 'author'),
    },
    'limit.reply-quota': {
      unit: 'bytes',
      max: bytesMax.replies,
      measure: (state) => countBytes(complaintsOf(state), 'replies'),
    },
    'limit.decision-quota': {
      unit: 'bytes',
      max: bytesMax.decisions,
      measure: (state) => countBytes(complaintsOf(state), 'decisions'),
    },
  } as const satisfies Partial<Record<LimitCode, Limit<S>>>;
}

/** The limits that a new complaint is held to. */
export const NEW_COMPLAINT_LIMITS = [
  'limit.complaint-bytes',
  'limit.complaints',
  'limit.complaints-of-broker',
  'limit.complaint-quota',
  'limit.complaint-quota-of-broker',
] as const satisfies readonly LimitCode[];

/** The limits that a change of a complaint is held to, by whoever changes it. */
export const CHANGED_COMPLAINT_LIMITS = [
  'limit.complaint-bytes',
  'limit.complaint-quota',
  'limit.complaint-quota-of-broker',
  'limit.reply-quota',
  'limit.decision-quota',
] as const satisfies readonly LimitCode[];
