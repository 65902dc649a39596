import type { Ownership } from '@procurement/domain/ownership';
import type { Actor } from '@procurement/contracts/api/actor';
import type { BodyResult } from '@procurement/contracts/reading/body-result';
import type { ComplaintsMode } from '@procurement/domain/complaints';
import type { Instant } from '@procurement/contracts/reading/instant';
import type { RankedParameter } from '@procurement/domain/ranking';
import type { StoredAward } from '@procurement/contracts/resources/award';
import type { StoredContract } from '@procurement/contracts/resources/contract';
import type { TenderFacts } from '@procurement/contracts/resources/tender-facts';
import type { Value } from '@procurement/contracts/resources/value';
import type { Calendar } from '@procurement/domain/calendar';

/** A bid as its own service opened it: final values, in the order of registration. */
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

/** Bidder and supplier in one: what was read as one becomes the other. */
export type Party = StoredAward['suppliers'][number];

/** What of an awarding changes. */
export interface AwardingParts {
  /** In the order of creation, with their complaints. */
  readonly awards: readonly StoredAward[];
  readonly contracts: readonly StoredContract[];
  /** Absent until the bids of the tender are opened. */
  readonly bids?: readonly OpenedBid[] | undefined;
  /** Owners of complaints about awards, by id. */
  readonly complaintOwners: Readonly<Record<string, Ownership>>;
  /** Who was given a token for a contract of its own, by id (clients.md). */
  readonly contractOwners: Readonly<Record<string, Ownership>>;
}

/** All awards and contracts of one tender: several change in one decision, and one of them decides about others. */
export interface AwardingState extends AwardingParts {
  /** Of the tender. */
  readonly id: string;
  /** Counts the accepted commands; 0: nothing has happened yet. */
  readonly version: number;
}

/** With what must be known of the tender to decide. */
export interface Awarding extends AwardingState {
  readonly tender: TenderFacts;
}

export interface AwardSettings {
  /** Acceleration is understood (tenders.md 7.3). */
  readonly sandbox: boolean;
  /** bids-awards-auction.md 3.7. */
  readonly complaintsMode: ComplaintsMode;
  /** Segments older than 2.5 may post awards whatever the status (rulings R3). */
  readonly legacyGuardsOpen: boolean;
  /** Part of the numbers of complaints and contracts (tenders.md 7.1). */
  readonly serverId: string;
  /** For the stand-still (3.5). */
  readonly calendar: Calendar;
}

/** An item of the tender, as a contract copies it. */
export type TenderItem = Readonly<Record<string, unknown>> & { readonly relatedLot?: string | undefined };

/** The one time of a decision, as the tender lives in it, and what it may need. */
export interface DecisionContext {
  readonly now: Instant;
  readonly settings: AwardSettings;
  /** Gives ids for what comes to be. */
  readonly nextId: () => string;
  /** Items of the tender; absent when nobody could be asked for them. */
  readonly items?: readonly TenderItem[] | undefined;
}

export interface AwardMeta extends DecisionContext {
  readonly actor: Actor;
}

/** Something new, under an id that its route knows. */
export interface CreationMeta extends AwardMeta {
  readonly id: string;
}

export type AwardingCommand =
  | { readonly type: 'PostAward'; readonly body: BodyResult; readonly meta: CreationMeta }
  | { readonly type: 'ChangeAward'; readonly id: string; readonly body: BodyResult; readonly meta: AwardMeta }
  | FileComplaint
  | ChangeComplaint
  | { readonly type: 'PostContract'; readonly body: BodyResult; readonly meta: CreationMeta }
  | { readonly type: 'ChangeContract'; readonly id: string; readonly body: BodyResult; readonly meta: AwardMeta }
  | IssueCredentials
  | ApplyExternalInput;

export interface FileComplaint {
  readonly type: 'FileComplaint';
  readonly awardId: string;
  readonly body: BodyResult;
  readonly meta: CreationMeta & {
    readonly tokenHash: string;
    readonly transferHash: string;
    /** Whose the bids of the tender are. */
    readonly bidders: readonly Ownership[];
  };
}

export interface ChangeComplaint {
  readonly type: 'ChangeComplaint';
  readonly awardId: string;
  readonly id: string;
  readonly body: BodyResult;
  readonly meta: AwardMeta;
}

export interface IssueCredentials {
  readonly type: 'IssueCredentials';
  readonly id: string;
  readonly meta: AwardMeta & { readonly tokenHash: string };
}

/** Nobody's wish: time passes, or bids were opened. */
export interface ApplyExternalInput {
  readonly type: 'TakeFact';
  readonly input: { readonly type: 'Tick' } | { readonly type: 'OpenBids'; readonly bids: readonly OpenedBid[] };
  readonly meta: DecisionContext;
}

/** Carries changed parts whole: what siblings build from it needs no earlier event. */
export interface AwardingChanged {
  readonly type: 'AwardingChanged';
  readonly parts: Partial<AwardingParts>;
  /** Id of what the command was about, where its route does not know it: an award that was there already (3.8). */
  readonly awardId?: string;
}

export type AwardingEvent = AwardingChanged;
