import { admitWrite, OWNER_UNSAID } from '@procurement/domain/admission';
import { formatServerDate } from '@procurement/contracts/reading/instant';
import { mergePatch } from '@procurement/domain/merge';
import { invalid, problem, type Problem } from '@procurement/contracts/problems/problems';
import { parseWith } from '@procurement/contracts/reading/parse-with';
import { bidsApi } from '@procurement/contracts/api/bids.api';
import type { BidInput, StoredBid } from '@procurement/contracts/resources/bid';
import type { Decision } from '@procurement/domain/decision';
import { editsInAnyStatus, type Edits } from '@procurement/domain/ignored-members';
import { repeatsStatus } from '@procurement/domain/repeated-status';
import { budgetRefusal } from './bid.budget.ts';
import { bidDate } from './bid-date.ts';
import { biddingRefusal } from './bid.guards.ts';
import { bidRoleOf, type BidRole } from './bid.roles.ts';
import type { BidEvent, BiddingState, ChangeBid } from './bid.ts';
import { termsRefusal } from './bid.terms.ts';
import { bidVisibilityRefusal } from './bid.visibility.ts';
import { deepEqual } from '@procurement/domain/equality';
import { clearNamesOfOtherOrganization } from './tenderer-identity.ts';

type JsonObject = Readonly<Record<string, unknown>>;

/** Members that the owner may change (bids-awards-auction.md 1.1). */
const OWNER_EDITS = [
  'status',
  'tenderers',
  'value',
  'lotValues',
  'parameters',
  'selfEligible',
  'selfQualified',
  'subcontractingDetails',
] as const satisfies readonly (keyof StoredBid)[];

/** Members that a change by a role sets, for `ignoredMembers`. */
export function editsOfBid(role: BidRole): Edits {
  return editsInAnyStatus(role === 'bid_owner' ? OWNER_EDITS : ['tenderers']);
}

/**
 * PATCH of a bid (bids-awards-auction.md 1.2 to 1.4): merges by position, reads the merged bid, checks it against the tender's
 * terms and the guards. Accepts no event when nothing changed. Refusals in the order of http.md 0.2.
 */
export function changeBid(
  { tender, phase, bid, lastDate, usage }: BiddingState,
  { body, meta }: ChangeBid,
): Decision<BidEvent> {
  if (tender === undefined) return { refused: problem('object.not-found', { kind: 'tender' }) };
  if (bid === undefined) return { refused: problem('object.not-found', { kind: 'bid' }) };
  const role = bidRoleOf(meta.actor, meta.owns);
  const admission = admitWrite(body, meta.actor, role !== 'stranger', { owned: OWNER_UNSAID });
  if ('refused' in admission) return admission;
  // Before the bid is read: who may not see it must learn nothing by changing it (decision 0071).
  const hidden = meta.owns
    ? undefined
    : bidVisibilityRefusal({ tenderStatus: tender.status, phase, ...meta }, bid, false);
  if (hidden !== undefined) return { refused: hidden };
  const stored = bid.document;
  if (role === 'bid_owner' && repeatsStatus(stored, admission.data)) return { accepted: [] };
  const requested = readRequestedChange(stored, admission.data, meta.actor.segment);
  if ('refused' in requested) return requested;
  if (role === 'bid_owner') {
    const refusal =
      termsRefusal(requested.input, tender, (stored.parameters ?? []).length === 0) ??
      biddingRefusal('update', { tender, phase }, meta) ??
      statusRefusal(stored, requested);
    if (refusal !== undefined) return { refused: refusal };
  }
  const document = applyChange(role, stored, requested.input, formatServerDate(bidDate(meta.now, lastDate, tender)));
  if (deepEqual(document, stored)) return { accepted: [] };
  const tooMuch = budgetRefusal(stored, document, usage);
  return tooMuch === undefined ? { accepted: [{ type: 'BidChanged', document }] } : { refused: tooMuch };
}

interface RequestedChange {
  readonly input: Omit<BidInput, 'documents'>;
  /** The requested status, even one that no bid can have. */
  readonly status: string | undefined;
}

function readRequestedChange(
  stored: StoredBid,
  data: JsonObject,
  segment: string,
): RequestedChange | { readonly refused: Problem } {
  const isEarly = segment !== '2.5';
  // Documents have their own endpoints; here they are ignored.
  const { documents: _ignored, ...sent } = data;
  // Older segments use this name for several statuses; only the bid says which (bids-awards-auction.md 5.1). No bid here has one.
  const isInvalid = isEarly && sent['status'] === 'invalidBid';
  const patch = isInvalid ? { ...sent, status: null } : sent;
  const merged = mergePatch({ ...stored }, isEarly ? clearNamesOfOtherOrganization(stored, patch) : patch);
  // Members that an older segment may leave out are not required while they stay unchanged (generations.md 5.7).
  const usesEarlySchema = isEarly || deepEqual(merged['tenderers'], stored.tenderers);
  const { body: schema, bodyBySegment } = bidsApi.patchBid;
  const reading = parseWith(usesEarlySchema ? bodyBySegment['0'] : schema, merged, stored);
  if (!reading.ok) return { refused: invalid(reading.errors) };
  const { documents: _documents, ...input } = reading.value;
  return { input, status: isInvalid ? 'invalidBid' : input.status };
}

/** A draft may be activated; no other change of status is allowed (bids-awards-auction.md 1.4). */
function statusRefusal(stored: StoredBid, { status = stored.status }: RequestedChange): Problem | undefined {
  return status === stored.status || status === 'active' ? undefined : problem('bid.to-status', { status });
}

/** Applies the members that the role may change; others are read and ignored. */
function applyChange(role: BidRole, stored: StoredBid, input: RequestedChange['input'], now: string): StoredBid {
  if (role !== 'bid_owner') return { ...stored, tenderers: input.tenderers };
  const { value, lotValues = [], parameters = [] } = input;
  return {
    ...unchangedMembers(stored),
    ...declarations(input),
    status: input.status ?? stored.status,
    tenderers: input.tenderers,
    date: value?.amount === stored.value?.amount ? stored.date : now,
    ...(value === undefined ? {} : { value }),
    ...(lotValues.length === 0 ? {} : { lotValues: datedLotValues(stored, lotValues, now) }),
    ...(parameters.length === 0 ? {} : { parameters }),
  };
}

/** The bid without the members that the owner may remove. */
function unchangedMembers(stored: StoredBid): Omit<StoredBid, 'value' | 'lotValues' | 'parameters'> {
  const { value: _value, lotValues: _lotValues, parameters: _parameters, ...unchanged } = stored;
  return unchanged;
}

/** What the bidder declares (bids-awards-auction.md 1.1); a member that the change removed is undefined. */
function declarations({ selfEligible, selfQualified, subcontractingDetails }: RequestedChange['input']) {
  return { selfEligible, selfQualified, subcontractingDetails };
}

type LotValues = NonNullable<BidInput['lotValues']>;

/** Dates and links follow the lot to its new position; a date changes with the amount of its lot (bids-awards-auction.md 1.1). */
function datedLotValues(stored: StoredBid, requested: LotValues, now: string): LotValues {
  const before = new Map((stored.lotValues ?? []).map((lotValue) => [lotValue.relatedLot, lotValue]));
  return requested.map(({ relatedLot, value }) => {
    const previous = before.get(relatedLot);
    if (previous === undefined) return { relatedLot, value, date: now };
    return { ...previous, value, date: previous.value.amount === value.amount ? (previous.date ?? now) : now };
  });
}
