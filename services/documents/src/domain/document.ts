import type { WithoutNow } from '@procurement/domain/command';
import type { Owned } from '@procurement/domain/ownership';
import type { Actor } from '@procurement/contracts/api/actor';
import type { BodyResult } from '@procurement/contracts/reading/body-result';
import type { DocumentParent } from '@procurement/contracts/events/document.events';
import type { Instant } from '@procurement/contracts/reading/instant';
import type { Problem } from '@procurement/contracts/problems/problems';
import type { DocumentRecord } from '@procurement/contracts/resources/document';
import type { TenderFacts } from '@procurement/contracts/resources/tender-facts';

export type ParentKind = DocumentParent['kind'];

/** What is said about one version of a document: all that is shown but its address, which is made when it is shown. */
export interface StoredRecord extends DocumentRecord {
  readonly id: string;
  readonly datePublished: string;
  readonly dateModified: string;
}

/** One version of a document. */
export interface DocumentVersion {
  /** Of the version; the document's own id stands in the record. */
  readonly id: string;
  readonly tenderId: string;
  readonly parent: DocumentParent;
  /** The file, which several documents may share. */
  readonly fileId: string;
  readonly record: StoredRecord;
}

/** Where documents hang, with all that rules about them look at. */
export interface ParentState {
  readonly tender: TenderFacts;
  readonly parent: DocumentParent;
  /** Of a bid or complaint, whose owner is not the tender's. */
  readonly ownership?: Owned;
  /** Of a bid, complaint or contract. */
  readonly status?: string;
  /** Lot that an award, its complaint or its contract is about. */
  readonly lotId?: string;
  /** A bid is being considered for an award. */
  readonly hasPendingAward?: boolean;
  /** Bids of this tender were opened: everybody may see them. */
  readonly bidsOpened: boolean;
}

export interface DocumentSettings {
  /** Segments older than 2.5 ignore the status of whatever documents hang off (rulings R3). */
  readonly legacyGuardsOpen: boolean;
}

/** Circumstances of a command. */
export interface DocumentMeta {
  /** In the time in which the tender lives (`tender-time.ts`). */
  readonly now: Instant;
  readonly actor: Actor;
  readonly settings: DocumentSettings;
}

/** A file that came with the request and is stored. */
export interface UploadedFile {
  readonly kind: 'uploaded';
  readonly fileId: string;
  readonly format: string;
  readonly hash: string;
  /** Absent where only bytes were sent: the title stays. */
  readonly title?: string;
}

/** A file that is, or will be, at the document service: the body, and what its address came to (http.md 2.6). */
export interface RegisteredFile {
  readonly kind: 'registered';
  readonly body: BodyResult;
  readonly registration: { readonly fileId: string } | { readonly refused: Problem };
}

export type DocumentCommand =
  | {
      readonly type: 'AddDocument';
      readonly id: string;
      readonly versionId: string;
      readonly file: UploadedFile | RegisteredFile;
      readonly meta: DocumentMeta;
    }
  | {
      readonly type: 'AddVersion';
      readonly versionId: string;
      readonly file: UploadedFile | RegisteredFile;
      readonly meta: DocumentMeta;
    }
  | { readonly type: 'ChangeDocument'; readonly body: BodyResult; readonly meta: DocumentMeta };

/** A command without its time, which the store reads under its lock. */
export type DocumentRequest = WithoutNow<DocumentCommand>;

/** What a decision looks at. */
export interface DocumentState {
  readonly parentState: ParentState;
  /** Newest version of the document that the command names. */
  readonly newest?: DocumentVersion | undefined;
}

/** What happened: one more version, or another word about the newest. */
export type DocumentEvent =
  | { readonly type: 'VersionAdded'; readonly version: DocumentVersion }
  | { readonly type: 'DocumentChanged'; readonly version: DocumentVersion };
