import type { Ownership } from '@procurement/domain/ownership';
import type { Actor } from '@procurement/contracts/api/actor';
import type { BodyResult } from '@procurement/contracts/reading/body-result';
import type { ComplaintsMode } from '@procurement/domain/complaints';
import type { SealedBid } from '@procurement/contracts/events/bid.events';
import type { DocumentFacts } from '@procurement/contracts/events/document.events';
import type { Instant } from '@procurement/contracts/reading/instant';
import type { AwardFacts } from '@procurement/contracts/resources/award-facts';
import type { StoredTender } from '@procurement/contracts/resources/tender';

/**
 * How far the closing of bids has come (architecture.md, handshake 1). `closing`: the end is announced, and the service that
 * keeps the bids has not answered. `sealed`: these take part. `opening`: nothing is left to be auctioned, and bids and
 * awards are awaited, to be shown together.
 */
export type Bidding =
  | { readonly phase: 'open' | 'closing' }
  | { readonly phase: 'sealed' | 'opening' | 'opened'; readonly bids: readonly SealedBid[] };

/** A bid as its own service shows it to anyone. */
export type OpenedBid = Readonly<Record<string, unknown>> & { readonly id: string };

/** What of a tender changes. */
export interface TenderParts {
  /** Everything public that this service decides. */
  readonly document: StoredTender;
  /** Owners of claims and complaints, by id. */
  readonly complaintOwners: Readonly<Record<string, Ownership>>;
  /** Microseconds by which the time of this tender is ahead of everybody's (rulings R18). */
  readonly clockShift: number;
  readonly bidding: Bidding;
  /** Once they were opened; shown from qualification on. */
  readonly bids?: readonly OpenedBid[] | undefined;
  /** As their own service told them last. */
  readonly awards?: AwardFacts | undefined;
  /** Every version of documents that anybody may see, as their own service told them last. */
  readonly documents?: DocumentFacts | undefined;
  /** The auction whose end is shown when bids are open. */
  readonly held?: EndedAuction | undefined;
}

/** An auction that is over: of the tender, or of a lot. */
export interface EndedAuction {
  readonly lot?: string | undefined;
  /** When its results were reported. */
  readonly at: string;
}

/** A tender as this service stores it. */
export interface TenderState extends TenderParts {
  readonly id: string;
  /** Counts the accepted commands. */
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

/** Carries changed parts whole: what siblings build from it needs no earlier event. */
export interface TenderChanged {
  readonly type: 'TenderChanged';
  readonly parts: Partial<TenderParts>;
}

/** Calls upon the siblings that come beside a change. */
export type TenderProcessEvent =
  | { readonly type: 'TenderingEnded'; readonly endDate: string }
  | { readonly type: 'QualificationDue'; readonly at: string }
  | { readonly type: 'TenderCancelled'; readonly erasesBids: boolean };

export type TenderEvent = TenderCreated | TenderChanged | TenderProcessEvent;

export interface TenderSettings {
  /** Acceleration and quick auctions are understood (tenders.md 7.3, 7.4). */
  readonly sandbox: boolean;
  /** Acceleration is refused outside test mode. */
  readonly strictTestMode: boolean;
  /** tenders.md 13.4. */
  readonly complaintsMode: ComplaintsMode;
  /** Segments older than 2.5 ignore status and period (rulings R3). */
  readonly legacyGuardsOpen: boolean;
  /** Part of the numbers of complaints where several installations share a number space (tenders.md 7.1). */
  readonly serverId: string;
}

export interface TenderMeta {
  /** The one time of the request, as this tender lives in it: every date that it sets. */
  readonly now: Instant;
  readonly actor: Actor;
  readonly settings: TenderSettings;
  /** Gives ids for what came without. */
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

/** Something that hangs off a tender comes to be. */
export interface AddSubresource {
  readonly type: 'AskQuestion' | 'FileComplaint' | 'AddCancellation' | 'AddLot';
  readonly body: BodyResult;
  readonly meta: TenderMeta & {
    readonly id: string;
    /** Of the tokens that its owner is given, for what has an owner. */
    readonly tokenHash: string;
    readonly transferHash: string;
  };
}

/** Something that hangs off a tender changes, or goes. */
export interface ChangeSubresource {
  readonly type: 'AnswerQuestion' | 'ChangeComplaint' | 'ChangeCancellation' | 'ChangeLot' | 'DeleteLot';
  readonly id: string;
  readonly body: BodyResult;
  readonly meta: TenderMeta;
}

/** Nobody's wish: time passes, or a sibling tells what has happened there. */
export type ExternalInput =
  | { readonly type: 'Tick' }
  | { readonly type: 'MoveClock'; readonly byMicros: number }
  | { readonly type: 'PlanAuction'; readonly lot?: string | undefined; readonly startDate: string }
  | { readonly type: 'PublishAuction'; readonly lot?: string | undefined; readonly auctionUrl?: string | undefined }
  | { readonly type: 'EndAuction'; readonly held: EndedAuction }
  | { readonly type: 'ReplaceDocuments'; readonly facts: DocumentFacts }
  | { readonly type: 'SealBids'; readonly bids: readonly SealedBid[] }
  | { readonly type: 'OpenBids'; readonly bids: readonly OpenedBid[] }
  | { readonly type: 'ReplaceAwards'; readonly facts: AwardFacts };

export interface ApplyExternalInput {
  readonly type: 'ApplyExternalInput';
  readonly input: ExternalInput;
  readonly meta: Pick<TenderMeta, 'now' | 'settings'>;
}

export type TenderCommand = CreateTender | ChangeTender | AddSubresource | ChangeSubresource | ApplyExternalInput;
