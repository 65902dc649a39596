import type { Problem } from '@procurement/contracts/problems/problems';
import type { AuditAct } from '@procurement/kit/database/audit';
import { ProblemError } from '@procurement/kit/runtime/problem-error';
import type { Deps } from '../deps.ts';
import { decideDocumentAt } from '../domain/document.decide.ts';
import { dependsOnFacts } from '../domain/document.guards.ts';
import type { DocumentRequest, DocumentVersion, ParentState } from '../domain/document.ts';
import type { DocumentPrecondition } from '../store/documents.store.ts';
import type { StoredFile } from '../store/file-records.store.ts';
import type { ParentRef } from './path.ts';

export interface WriteDocumentInput {
  readonly correlationId: string;
  /** Newest version of the document of the path, when it names one. */
  readonly newest?: DocumentVersion | undefined;
  readonly storedFile?: StoredFile | undefined;
  readonly request: DocumentRequest;
  readonly audit?: AuditAct | undefined;
  readonly precondition?: DocumentPrecondition | undefined;
  readonly isDryRun: boolean;
}

/** A version after a write, and the parent by which it was decided. */
export interface WrittenDocument {
  readonly version: DocumentVersion;
  readonly parentState: ParentState;
}

/**
 * Carries out one request. Decides by the facts that the owners of the parent have now: a client that holds the answer to a change
 * must not write by the state before it (decision 0029). What no facts can change is refused before they are asked, and what is
 * refused takes no lock, so that it does not delay the opening of bids; the rest is decided again under the locks. Throws the refusal;
 * UnavailableError (503) when an owner does not answer.
 */
export async function writeDocument(
  deps: Deps,
  parentRef: ParentRef,
  { correlationId, newest, storedFile, request, audit, precondition, isDryRun }: WriteDocumentInput,
): Promise<WrittenDocument> {
  const refusalBy = (parentState: ParentState): Problem | undefined => {
    const decision = decideDocumentAt({ parentState, newest }, request, deps.clock.now());
    return 'refused' in decision ? decision.refused : undefined;
  };
  const early = refusalBy(parentRef.facts);
  if (early !== undefined && !dependsOnFacts(early)) throw new ProblemError(early);
  const parentState = await parentRef.current();
  const refused = refusalBy(parentState);
  if (refused !== undefined) throw new ProblemError(refused);
  const documentId = newest?.record.id;
  const write = { parentState, documentId, correlationId, storedFile, request, audit, precondition, isDryRun };
  const result = await deps.documents.write(write);
  if ('refused' in result) throw new ProblemError(result.refused);
  return { version: result.version, parentState };
}
