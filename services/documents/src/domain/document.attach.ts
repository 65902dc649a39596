import { invalid, type Problem } from '@procurement/contracts/problems/problems';
import { parseWith } from '@procurement/contracts/reading/parse-with';
import { documentBodies } from '@procurement/contracts/api/documents.api';
import type { AddedVersion, RegisteredFile } from './document.ts';

/** Documents in the body of a bid. The bids service has checked that the bid may have them (bids-awards-auction.md 1.6). */
export interface Attachment {
  readonly bidId: string;
  readonly tenderId: string;
  readonly broker: string;
  /** Date of the bid, which the documents get as well. */
  readonly at: string;
  readonly documents: readonly {
    readonly id: string;
    readonly sent: Readonly<Record<string, unknown>>;
    readonly registration: RegisteredFile['registration'];
  }[];
}

/**
 * Makes the first versions of all documents, or refuses: by the members of a document, then by its address (http.md 2.6), with
 * the location `documents`. Permission and period are checked by the bids service.
 */
export function attachDocuments({
  bidId,
  tenderId,
  broker,
  at,
  documents,
}: Attachment): { readonly versions: readonly AddedVersion[] } | { readonly refused: Problem } {
  const versions: AddedVersion[] = [];
  for (const { id, sent, registration } of documents) {
    const reading = parseWith(documentBodies.create, sent);
    if (!reading.ok) return { refused: locateInDocuments(invalid(reading.errors)) };
    if ('refused' in registration) return { refused: locateInDocuments(registration.refused) };
    const { url: _url, author: _author, sha256: _sha256, documentOf = 'tender', ...described } = reading.value;
    const record = { ...described, documentOf, id, datePublished: at, dateModified: at };
    versions.push({ id, tenderId, parent: { kind: 'bid', id: bidId }, ...registration, record, broker });
  }
  return { versions };
}

/** Gives the errors of a refusal the location `documents`, for a document in the body of a bid. */
export function locateInDocuments(problem: Problem): Problem {
  return { ...problem, errors: problem.errors.map((error) => ({ ...error, location: 'documents' })) };
}
