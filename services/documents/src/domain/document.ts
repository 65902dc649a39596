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

/** One version of a document as stored: all members but `url` and `sha256`, which are added when the version is shown. */
export interface StoredRecord extends Omit<DocumentRecord, 'sha256'> {
  readonly id: string;
  readonly datePublished: string;
  readonly dateModified: string;
}

/** One version of a document. */
export interface DocumentVersion {
  /** Id of the version; the id of the document is in the record. */
  readonly id: string;
  readonly tenderId: string;
  readonly parent: DocumentParent;
  /** Documents of one parent may share a file. */
  readonly fileId: string;
  /** Digest of the file in hex; absent while a registered file has not arrived. */
  readonly sha256?: string | undefined;
  readonly record: StoredRecord;
}

/** A version that a broker adds. */
export interface AddedVersion extends DocumentVersion {
  readonly broker: string;
}

/** The parent of documents, with the facts that the rules depend on. */
export interface ParentState {
  readonly tender: TenderFacts;
  readonly parent: DocumentParent;
  /** Owner of a bid or complaint; holder of a token of its own for a contract. */
  readonly ownership?: Owned;
  /** Status of a bid, complaint or contract. */
  readonly status?: string;
  /** Lot of an award, of its complaint or of its contract. */
  readonly lotId?: string;
  /** Changes of a contract. Its items are copies of the tender's. */
  readonly changes?: readonly { readonly id: string; readonly status: string }[];
  readonly items?: readonly { readonly id?: string | undefined }[];
  /** The bid has a pending award. */
  readonly hasPendingAward?: boolean;
  /** The bids of the tender were opened and are public. */
  readonly bidsOpened: boolean;
  /** The path names a contract by its own address (contracting.md 6). */
  readonly standalone?: true;
  /** Another broker has taken the contract over: the tender's token opens it no more (contracting.md 8). */
  readonly isTakenOver?: boolean;
}

export interface DocumentSettings {
  /** Segments older than 2.5 may write and read regardless of the status of the parent (rulings R3). */
  readonly legacyGuardsOpen: boolean;
}

/** Circumstances of a command. */
export interface DocumentMeta {
  /** Current instant in the tender's own time (packages/domain/src/tender-time.ts). */
  readonly now: Instant;
  readonly actor: Actor;
  readonly settings: DocumentSettings;
}

/** A file that came with the request and is in the file storage. */
export interface UploadedFile {
  readonly kind: 'uploaded';
  readonly fileId: string;
  readonly format: string;
  readonly hash: string;
  readonly sha256: string;
  /** Absent when only bytes were sent; the title of the previous version stays. */
  readonly title?: string;
}

/** The file that an address names; `sha256` once it has arrived. */
export interface FileOfAddress {
  readonly fileId: string;
  readonly sha256?: string | undefined;
}

/** A file that is or will be at the document service: the body, and the result of verifying its address (http.md 2.6). */
export interface RegisteredFile {
  readonly kind: 'registered';
  readonly body: BodyResult;
  readonly registration: FileOfAddress | { readonly refused: Problem };
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

/** Stored versions of documents, and the bytes of their records. */
interface Usage {
  readonly versions: number;
  readonly bytes: number;
}

/** What the byte budget counts for a document of one parent and one broker (limits.md 7). */
export interface DocumentUsage {
  readonly versionsOfParent: number;
  readonly ofQuota: Usage;
  readonly ofBroker: Usage;
}

/** The state that a decision depends on. */
export interface DocumentState {
  readonly parentState: ParentState;
  /** Newest version of the document that the command names, if it exists. */
  readonly newest?: DocumentVersion | undefined;
  /** Known under the lock only. */
  readonly usage?: DocumentUsage | undefined;
}

/** A new version, or a change of the members of the newest version. */
export type DocumentEvent =
  | { readonly type: 'VersionAdded'; readonly version: AddedVersion }
  | { readonly type: 'DocumentChanged'; readonly version: DocumentVersion };
