import type { Instant } from '@procurement/contracts/reading/instant';
import { toJsonText } from '@procurement/domain/json-text';
import { ContractRecord, AwardRecord } from '@procurement/contracts/resources/award-facts';
import type { TenderFacts } from '@procurement/contracts/resources/tender-facts';
import { Value } from '@procurement/contracts/resources/value';
import { z } from 'zod';
import { dueAt } from '../domain/awarding.timers.ts';
import type { AwardingState, AwardSettings, OpenedBid } from '../domain/awarding.ts';
import { realTime, tenderTime } from '@procurement/domain/tender-time';

// Events and rows are untrusted input. These schemas check only the members that decisions read, and keep all others.
const OpenedBidEssentials = z.looseObject({
  id: z.string(),
  date: z.string(),
  tenderers: z.array(z.looseObject({ identifier: z.looseObject({ scheme: z.string() }) })).optional(),
  value: Value.optional(),
  lotValues: z.array(z.looseObject({ relatedLot: z.string(), value: Value, date: z.string().optional() })).optional(),
  parameters: z.array(z.object({ code: z.string(), value: z.number() })).optional(),
});

const OwnershipRow = z.object({ owner: z.string(), tokenHash: z.string(), transferHash: z.string() });

const PrivateState = z.object({
  complaintOwners: z.record(z.string(), OwnershipRow),
  contractOwners: z.record(z.string(), OwnershipRow.extend({ isTakenOver: z.literal(true).optional() })),
  bids: z.array(z.unknown()).optional(),
  procuringEntity: z.record(z.string(), z.unknown()).optional(),
});

const AwardingDocument = z.object({ awards: z.array(AwardRecord), contracts: z.array(ContractRecord) });

const Row = z.object({
  id: z.string(),
  version: z.coerce.number().int(),
  document: z.string(),
  inner: z.string(),
  dueAt: z.string().nullable(),
});

/** A row of the table `awarding`. */
export interface AwardingRecord {
  readonly state: AwardingState;
  /** The earliest deadline, in real time. */
  readonly dueAt: Instant | undefined;
}

/** Columns under the names that `readRow` expects. */
export const AWARDING_COLUMNS = `tender_id AS id, version, document, "inner", due_at AS "dueAt"`;

/** Bids from `bid.opened`. Throws when a member that ranking needs is invalid. */
export function readBids(bids: readonly unknown[]): readonly OpenedBid[] {
  // The bids service has checked the other members, such as names and addresses of tenderers.
  return bids.map((bid) => OpenedBidEssentials.parse(bid) as unknown as OpenedBid);
}

/** Parses a row. Throws when it is invalid. */
export function readRow(given: unknown): AwardingRecord {
  const { id, version, document, inner, dueAt: due } = Row.parse(given);
  const stored: unknown = JSON.parse(document);
  // Checked and not taken from the schema, which would put the members that it names first: texts are compared by their hashes.
  AwardingDocument.parse(stored);
  const { awards, contracts } = stored as Pick<AwardingState, 'awards' | 'contracts'>;
  const { bids, ...owners } = PrivateState.parse(JSON.parse(inner));
  return {
    state: {
      id,
      version,
      // Written from checked awards and contracts: only their frames are checked again here.
      awards,
      contracts,
      ...owners,
      ...(bids === undefined ? {} : { bids: readBids(bids) }),
    },
    // The column holds what `dueInRealTime` computed.
    dueAt: due === null ? undefined : (Number(due) as Instant),
  };
}

/** The JSON columns of a state. */
export function buildColumns(state: AwardingState): {
  readonly document: string;
  readonly inner: string;
} {
  const { awards, contracts, complaintOwners, contractOwners, bids, procuringEntity } = state;
  return {
    document: toJsonText({ awards, contracts }),
    inner: toJsonText({ complaintOwners, contractOwners, bids, procuringEntity }),
  };
}

/** The earliest deadline of the awards, in real time. */
export function dueInRealTime(
  state: AwardingState,
  tender: TenderFacts,
  realNow: Instant,
  settings: AwardSettings,
): Instant | undefined {
  const dueInTenderTime = dueAt({ ...state, tender }, tenderTime(realNow, tender), settings);
  return dueInTenderTime === undefined ? undefined : realTime(dueInTenderTime, tender);
}
