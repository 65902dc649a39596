import type { Ownership } from '@procurement/domain/ownership';
import type { NewOwnership, OwnershipChange } from '@procurement/domain/ownership-change';
import type { Actor } from '@procurement/contracts/api/actor';
import type { BodyResult } from '@procurement/contracts/reading/body-result';
import type { ComplaintsMode } from '@procurement/domain/complaints';
import type { BidsSealFact, SealedBid } from '@procurement/contracts/events/bid.events';
import type { DocumentFacts } from '@procurement/contracts/events/document.events';
import type { Instant } from '@procurement/contracts/reading/instant';
import type { AwardFacts } from '@procurement/contracts/resources/award-facts';
import type { StoredTender } from '@procurement/contracts/resources/tender';

/**
 * The phase of bidding (architecture.md, handshakes 1 and 2). `closing`: tendering has ended, and the bids service has not answered
 * with the sealed set. `sealed`: these bids take part. `opening`: no auction is left, and the tender waits for opened bids and
 * awards, which are shown together. `opened`: both are shown.
 */
export type Bidding =
  | { readonly phase: 'open' | 'closing' }
  | { readonly phase: 'sealed' | 'opening' | 'opened'; readonly bids: readonly SealedBid[] };

/** The public view of a bid, as the bids service publishes it. */
export type OpenedBid = Readonly<Record<string, unknown>> & { readonly id: string };

/** The parts of a tender that commands change. */
export interface TenderParts {
  /** The public members that this service decides. */
  readonly document: StoredTender;
  /** Owners of claims and complaints, by complaint id. */
  readonly complaintOwners: Readonly<Record<string, Ownership>>;
  /** Brokers that asked the questions, by question id. */
  readonly questionBrokers: Readonly<Record<string, string>>;
  /** Microseconds by which the tender's time is ahead of real time (rulings R18). */
  readonly clockShift: number;
  readonly bidding: Bidding;
  /** The opened bids; shown from qualification on. */
  readonly bids?: readonly OpenedBid[] | undefined;
  /** The newest awards and contracts that the awards service published. */
  readonly awards?: AwardFacts | undefined;
  /** Every version of the public documents, as the documents service published them last. */
  readonly documents?: DocumentFacts | undefined;
  /** The last auction, until its end is shown together with the opened bids. */
  readonly held?: EndedAuction | undefined;
  /** The newest applied version of each kind of auction fact, by kind and lot (`tender.external-inputs.ts`). */
  readonly auctionVersions?: Readonly<Record<string, number>> | undefined;
}

/** An auction that is over: of the tender, or of one lot. */
export interface EndedAuction {
  readonly lot?: string | undefined;
  /** The date at which its results were reported. */
  readonly at: string;
}

/** The state of a tender, as this service stores it. */
export interface TenderState extends TenderParts {
  readonly id: string;
  /** The number of `TenderCreated` and `TenderChanged` events. */
  readonly version: number;
  readonly owner: string;
  readonly ownerTokenHash: string;
  readonly transferHash: string;
}

export interface TenderCreated {
  readonly type: 'TenderCreated';
  readonly id: string;
  readonly owner: string;
  readonly ownerTokenHash: string;
  readonly transferHash: string;
  readonly document: StoredTender;
}

/** Carries each changed part whole, so no earlier event is needed to apply it. */
export interface TenderChanged {
  readonly type: 'TenderChanged';
  readonly parts: Partial<TenderParts>;
}

export interface TenderOwnerChanged {
  readonly type: 'TenderOwnerChanged';
  readonly owner: NewOwnership;
}

/** Requests to other services, published after the change that caused them. */
export type TenderProcessEvent =
  | { readonly type: 'TenderingEnded'; readonly endDate: string }
  | { readonly type: 'QualificationDue'; readonly at: string }
  | { readonly type: 'TenderCancelled'; readonly erasesBids: boolean };

export type TenderEvent = TenderCreated | TenderChanged | TenderOwnerChanged | TenderProcessEvent;

export interface TenderSettings {
  /** Acceleration and quick auctions take effect (tenders.md 7.3, 7.4). */
  readonly sandbox: boolean;
  /** Acceleration of a tender without `mode: test` is refused (tenders.md 7.3). */
  readonly strictTestMode: boolean;
  /** See tenders.md 13.4. */
  readonly complaintsMode: ComplaintsMode;
  /** Guards of status and period are off for segments older than 2.5 (rulings R3). */
  readonly legacyGuardsOpen: boolean;
  /** Part of complaint numbers where several installations share a number space; else empty (tenders.md 7.1). */
  readonly serverId: string;
  /** Most bytes of a stored tender (limits.md 4). */
  readonly tenderBytesMax: number;
}

export interface TenderMeta {
  /** The time of the request, in the tender's time: the value of every date that the command sets. */
  readonly now: Instant;
  readonly actor: Actor;
  readonly settings: TenderSettings;
  /** Generates ids for parts that came without one. */
  readonly nextId: () => string;
}

export interface CreateTender {
  readonly type: 'CreateTender';
  readonly body: BodyResult;
  readonly meta: TenderMeta & {
    readonly id: string;
    readonly ownerTokenHash: string;
    readonly transferHash: string;
  };
}

export interface ChangeTender {
  readonly type: 'PatchTender' | 'PutTender';
  readonly body: BodyResult;
  readonly meta: TenderMeta;
}

/** Adds a question, complaint, cancellation or lot. */
export interface AddSubresource {
  readonly type: 'AskQuestion' | 'FileComplaint' | 'AddCancellation' | 'AddLot';
  readonly body: BodyResult;
  readonly meta: TenderMeta & {
    readonly id: string;
    /** Hashes of the tokens for its owner; used for complaints only. */
    readonly tokenHash: string;
    readonly transferHash: string;
  };
}

/** Changes or removes a question, complaint, cancellation or lot. */
export interface ChangeSubresource {
  readonly type: 'AnswerQuestion' | 'ChangeComplaint' | 'ChangeCancellation' | 'ChangeLot' | 'DeleteLot';
  readonly id: string;
  readonly body: BodyResult;
  readonly meta: TenderMeta;
}

/** Gives the tender, or one of its complaints, to another broker. */
export interface ChangeOwner {
  readonly type: 'ChangeOwner';
  readonly complaintId?: string | undefined;
  readonly change: OwnershipChange;
  readonly meta: TenderMeta;
}

/** A fact of the auction service about the auction of the tender or of one lot. */
export interface AuctionFact {
  readonly lot?: string | undefined;
  /** Grows with each fact of this auction. */
  readonly version: number;
}

/** Inputs without a caller: clock ticks and events from other services. */
export type ExternalInput =
  | { readonly type: 'Tick' }
  | { readonly type: 'MoveClock'; readonly byMicros: number }
  | (AuctionFact & { readonly type: 'PlanAuction'; readonly startDate: string })
  | (AuctionFact & { readonly type: 'PublishAuction'; readonly auctionUrl?: string | undefined })
  | { readonly type: 'EndAuction'; readonly held: EndedAuction }
  | { readonly type: 'ReplaceDocuments'; readonly facts: DocumentFacts }
  /** Their owner has lost them. */
  | { readonly type: 'RemoveDocuments' }
  | { readonly type: 'SealBids'; readonly bids: readonly SealedBid[]; readonly seal?: BidsSealFact | undefined }
  | { readonly type: 'OpenBids'; readonly bids: readonly OpenedBid[]; readonly seal?: BidsSealFact | undefined }
  | { readonly type: 'ReplaceAwards'; readonly facts: AwardFacts };

export interface ApplyExternalInput {
  readonly type: 'ApplyExternalInput';
  readonly input: ExternalInput;
  readonly meta: Pick<TenderMeta, 'now' | 'settings'>;
}

/** What a client asks for. */
export type ClientCommand = Exclude<TenderCommand, { readonly type: 'ApplyExternalInput' }>;

export type TenderCommand =
  | CreateTender
  | ChangeTender
  | AddSubresource
  | ChangeSubresource
  | ChangeOwner
  | ApplyExternalInput;
