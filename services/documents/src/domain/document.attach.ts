import { invalid, type Problem } from '@procurement/contracts/problems/problems';
import { parseWith } from '@procurement/contracts/reading/parse-with';
import { DocumentInput } from '@procurement/contracts/resources/document';
import type { DocumentVersion, RegisteredFile } from './document.ts';

/** Documents in the body of a bid, of which the owner of bids says that the bid may have them (bids-awards-auction.md 1.6). */
export interface Attachment {
  readonly bidId: string;
  readonly tenderId: string;
  /** The moment of the bid. */
  readonly at: string;
  readonly documents: readonly {
    readonly id: string;
    readonly sent: Readonly<Record<string, unknown>>;
    readonly registration: RegisteredFile['registration'];
  }[];
}

/**
 * First versions of all of them, or why one cannot be: what it says of itself, then its address (http.md 2.6), with `documents`
 * as the place of the error. Whether the bid may be made, and when, is for its owner to say.
 */
export function attachDocuments({
  bidId,
  tenderId,
  at,
  documents,
}: Attachment): { readonly versions: readonly DocumentVersion[] } | { readonly refused: Problem } {
  const versions: DocumentVersion[] = [];
  for (const { id, sent, registration } of documents) {
    const reading = parseWith(DocumentInput, sent);
    if (!reading.ok) return { refused: locateInDocuments(invalid(reading.errors)) };
    if ('refused' in registration) return { refused: locateInDocuments(registration.refused) };
    const { url: _url, author: _author, documentOf = 'tender', ...said } = reading.value;
    const record = { ...said, documentOf, id, datePublished: at, dateModified: at };
    versions.push({ id, tenderId, parent: { kind: 'bid', id: bidId }, fileId: registration.fileId, record });
  }
  return { versions };
}

/** The same refusal of a document that stands in the body of a bid. */
export function locateInDocuments(problem: Problem): Problem {
  return { ...problem, errors: problem.errors.map((error) => ({ ...error, location: 'documents' })) };
}
