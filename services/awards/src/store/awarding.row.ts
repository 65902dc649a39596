import type { Instant } from '@procurement/contracts/reading/instant';
import { toJsonText } from '@procurement/domain/json-text';
import { ContractRecord, AwardRecord } from '@procurement/contracts/resources/award-facts';
import type { StoredAward } from '@procurement/contracts/resources/award';
import type { StoredContract } from '@procurement/contracts/resources/contract';
import type { TenderFacts } from '@procurement/contracts/resources/tender-facts';
import { Value } from '@procurement/contracts/resources/value';
import { z } from 'zod';
import { dueAt } from '../domain/awarding.timers.ts';
import type { AwardingState, AwardSettings, OpenedBid } from '../domain/awarding.ts';
import { realTime, tenderTime } from '@procurement/domain/tender-time';

// What others told or a row holds is untrusted input: checked as far as a decision relies on it, kept as it is.
const OpenedBidEssentials = z.looseObject({
  id: z.string(),
  date: z.string(),
  tenderers: z.array(z.looseObject({ identifier: z.looseObject({ scheme: z.string() }) })).optional(),
  value: Value.optional(),
  lotValues: z.array(z.looseObject({ relatedLot: z.string(), value: Value, date: z.string().optional() })).optional(),
  parameters: z.array(z.object({ code: z.string(), value: z.number() })).optional(),
});

const OwnershipRow = z.object({ owner: z.string(), tokenHash: z.string(), transferHash: z.string().optional() });

const PrivateState = z.object({
  complaintOwners: z.record(z.string(), OwnershipRow).default({}),
  contractOwners: z.record(z.string(), OwnershipRow).default({}),
  bids: z.array(z.unknown()).optional(),
});

const AwardingDocument = z.object({ awards: z.array(AwardRecord), contracts: z.array(ContractRecord) });

const Row = z.object({
  id: z.string(),
  version: z.coerce.number().int(),
  document: z.string(),
  inner: z.string(),
  dueAt: z.string().nullable(),
});

/** An awarding as it was found. */
export interface AwardingRecord {
  readonly state: AwardingState;
  /** When the clock has to act, in real time. */
  readonly dueAt: Instant | undefined;
}

/** Columns of an awarding under the names that `readRow` expects. */
export const AWARDING_COLUMNS = `tender_id AS id, version, document, "inner", due_at AS "dueAt"`;

/** Bids as their service opened them. Throws when they cannot be ranked. */
export function readBids(bids: readonly unknown[]): readonly OpenedBid[] {
  // Names and addresses of bidders are passed on as they are: their own service has read them.
  return bids.map((bid) => OpenedBidEssentials.parse(bid) as unknown as OpenedBid);
}

/** A state from its row. Throws when the row is not one of ours. */
export function readRow(given: unknown): AwardingRecord {
  const { id, version, document, inner, dueAt: due } = Row.parse(given);
  const { awards, contracts } = AwardingDocument.parse(JSON.parse(document));
  const { bids, ...owners } = PrivateState.parse(JSON.parse(inner));
  return {
    state: {
      id,
      version,
      // Written from what had been read whole; frames are checked, their parts are only shown or read again.
      awards: awards as unknown as readonly StoredAward[],
      contracts: contracts as unknown as readonly StoredContract[],
      ...owners,
      ...(bids === undefined ? {} : { bids: readBids(bids) }),
    },
    // The column holds what `dueInRealTime` computed.
    dueAt: due === null ? undefined : (Number(due) as Instant),
  };
}

/** What a state is stored as. */
export function columnsOf({ awards, contracts, complaintOwners, contractOwners, bids }: AwardingState): {
  readonly document: string;
  readonly inner: string;
} {
  return {
    document: toJsonText({ awards, contracts }),
    inner: toJsonText({ complaintOwners, contractOwners, bids }),
  };
}

/** When the clock has to act for these awards, in everybody's time. */
export function dueInRealTime(
  state: AwardingState,
  tender: TenderFacts,
  realNow: Instant,
  settings: AwardSettings,
): Instant | undefined {
  const dueInTenderTime = dueAt({ ...state, tender }, tenderTime(realNow, tender), settings);
  return dueInTenderTime === undefined ? undefined : realTime(dueInTenderTime, tender);
}
