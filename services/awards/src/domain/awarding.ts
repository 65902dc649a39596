import type { Owned, Ownership } from '@procurement/domain/ownership';
import type { OwnershipChange } from '@procurement/domain/ownership-change';
import type { Actor } from '@procurement/contracts/api/actor';
import type { BodyResult } from '@procurement/contracts/reading/body-result';
import type { JsonObject } from '@procurement/contracts/reading/json-object';
import type { ComplaintsMode } from '@procurement/domain/complaints';
import type { Instant } from '@procurement/contracts/reading/instant';
import type { RankedParameter } from '@procurement/domain/ranking';
import type { StoredAward } from '@procurement/contracts/resources/award';
import type { StoredContract } from '@procurement/contracts/resources/contract';
import type { TenderFacts } from '@procurement/contracts/resources/tender-facts';
import type { Value } from '@procurement/contracts/resources/value';
import type { Calendar } from '@procurement/domain/calendar';

/** A bid from `bid.opened`, with its final values. Lists of bids are in order of registration. */
export interface OpenedBid {
  readonly id: string;
  readonly date: string;
  readonly tenderers?: readonly Party[] | undefined;
  readonly value?: Value | undefined;
  readonly lotValues?:
    | readonly { readonly relatedLot: string; readonly value: Value; readonly date?: string | undefined }[]
    | undefined;
  readonly parameters?: readonly RankedParameter[] | undefined;
}

/** A tenderer of a bid, who becomes the supplier of its award. */
export type Party = StoredAward['suppliers'][number];

/** The members of an awarding that events replace. */
export interface AwardingParts {
  /** The awards in order of creation, with their complaints. */
  readonly awards: readonly StoredAward[];
  readonly contracts: readonly StoredContract[];
  /** Absent until the bids are opened. */
  readonly bids?: readonly OpenedBid[] | undefined;
  /** Owners of complaints about awards, by complaint id. */
  readonly complaintOwners: Readonly<Record<string, Ownership>>;
  /** Holders of tokens issued for single contracts, by contract id (clients.md). */
  readonly contractOwners: Readonly<Record<string, ContractOwnership>>;
  /** The procuring entity of the tender when its first contract was created; contracts show it. Absent before. */
  readonly procuringEntity?: JsonObject | undefined;
}

/** The holder of the tokens of one contract. */
export interface ContractOwnership extends Ownership {
  /** Another broker has taken the contract over: the tender's token opens it no more (contracting.md 8). */
  readonly isTakenOver?: true | undefined;
}

/** All awards and contracts of one tender. They are one aggregate because one decision changes several of them. */
export interface AwardingState extends AwardingParts {
  /** The id of the tender. */
  readonly id: string;
  /** Number of applied events; 0 before the first. */
  readonly version: number;
}

/** The state with the facts of its tender. */
export interface Awarding extends AwardingState {
  readonly tender: TenderFacts;
}

export interface AwardSettings {
  /** Whether accelerators count (tenders.md 7.3). */
  readonly sandbox: boolean;
  readonly complaintsMode: ComplaintsMode;
  /** Whether segments older than 2.5 may post awards in any status except draft and final ones (rulings R3). */
  readonly legacyGuardsOpen: boolean;
  /** Part of the numbers of complaints and contracts (tenders.md 7.1). */
  readonly serverId: string;
  /** Working days for the stand-still (bids-awards-auction.md 3.5). */
  readonly calendar: Calendar;
}

/** An item of the tender; contracts copy it whole. */
export type TenderItem = Readonly<Record<string, unknown>> & { readonly relatedLot?: string | undefined };

/** External inputs of a decision. */
export interface DecisionContext {
  /** Tender time. */
  readonly now: Instant;
  readonly settings: AwardSettings;
  /** Generates ids for new objects. */
  readonly nextId: () => string;
  /** Items of the tender; absent when they are not needed or the tenders service is unavailable. */
  readonly items?: readonly TenderItem[] | undefined;
  /** The procuring entity of the tender; comes with the items. */
  readonly procuringEntity?: JsonObject | undefined;
}

export interface AwardMeta extends DecisionContext {
  readonly actor: Actor;
}

/** External inputs of commands that create an object. */
export interface CreationMeta extends AwardMeta {
  /** The id of the new object; derived from the seed of the request if it has one, so a repeat gives the same id. */
  readonly id: string;
}

export type AwardingCommand =
  | { readonly type: 'PostAward'; readonly body: BodyResult; readonly meta: CreationMeta }
  | { readonly type: 'ChangeAward'; readonly id: string; readonly body: BodyResult; readonly meta: AwardMeta }
  | FileComplaint
  | ChangeComplaint
  | ChangeComplaintOwner
  | { readonly type: 'PostContract'; readonly body: BodyResult; readonly meta: CreationMeta }
  | { readonly type: 'ChangeContract'; readonly id: string; readonly body: BodyResult; readonly meta: AwardMeta }
  | ChangeStandaloneContract
  | AddContractChange
  | ChangeContractChange
  | PutTransaction
  | ChangeContractOwner
  | IssueCredentials
  | ApplyExternalInput;

export interface FileComplaint {
  readonly type: 'FileComplaint';
  readonly awardId: string;
  readonly body: BodyResult;
  readonly meta: CreationMeta & {
    readonly tokenHash: string;
    readonly transferHash: string;
    /** Owners of the active bids of the tender. */
    readonly bidders: readonly Owned[];
  };
}

export interface ChangeComplaint {
  readonly type: 'ChangeComplaint';
  readonly awardId: string;
  readonly id: string;
  readonly body: BodyResult;
  readonly meta: AwardMeta;
}

/** Gives a complaint about an award to another broker. */
export interface ChangeComplaintOwner {
  readonly type: 'ChangeComplaintOwner';
  readonly awardId: string;
  readonly id: string;
  readonly change: OwnershipChange;
  readonly meta: AwardMeta;
}

/** PATCH of a contract at its own address. Its status decides whether the rules of the tender hold, or those of contracting.md. */
export interface ChangeStandaloneContract {
  readonly type: 'ChangeStandaloneContract';
  readonly id: string;
  readonly body: BodyResult;
  readonly meta: AwardMeta;
}

/** Adds a change to a signed contract. */
export interface AddContractChange {
  readonly type: 'AddContractChange';
  readonly contractId: string;
  readonly body: BodyResult;
  readonly meta: CreationMeta;
}

/** Edits or activates a change of a signed contract. */
export interface ChangeContractChange {
  readonly type: 'ChangeContractChange';
  readonly contractId: string;
  readonly id: string;
  readonly body: BodyResult;
  readonly meta: AwardMeta;
}

/** Reports a payment under a signed contract; the sender has chosen its id. */
export interface PutTransaction {
  readonly type: 'PutTransaction';
  readonly contractId: string;
  readonly id: string;
  readonly body: BodyResult;
  readonly meta: AwardMeta;
}

/** Gives a contract to another broker. */
export interface ChangeContractOwner {
  readonly type: 'ChangeContractOwner';
  readonly id: string;
  readonly change: OwnershipChange;
  readonly meta: AwardMeta;
}

export interface IssueCredentials {
  readonly type: 'IssueCredentials';
  readonly id: string;
  readonly meta: AwardMeta & { readonly tokenHash: string; readonly transferHash: string };
}

/** Inputs without a caller: clock ticks, and opened bids from the bids service. */
export interface ApplyExternalInput {
  readonly type: 'ApplyExternalInput';
  readonly input: { readonly type: 'Tick' } | { readonly type: 'OpenBids'; readonly bids: readonly OpenedBid[] };
  readonly meta: DecisionContext;
}

/** Carries changed members whole, so consumers need no earlier event. */
export interface AwardingChanged {
  readonly type: 'AwardingChanged';
  readonly parts: Partial<AwardingParts>;
  /** The id of a posted award; not that of the command when an existing award was adopted (bids-awards-auction.md 3.8). */
  readonly awardId?: string;
}

export type AwardingEvent = AwardingChanged;
