import { decideWithRefresh } from '@procurement/kit/http/decide-with-refresh';
import type { Deps } from '../deps.ts';
import { decideDocumentAt } from '../domain/document.decide.ts';
import { dependsOnFacts } from '../domain/document.guards.ts';
import type { DocumentRequest, DocumentVersion, ParentState } from '../domain/document.ts';
import type { DocumentWriteResult } from '../store/documents.store.ts';
import type { StoredFile } from '../store/file-records.store.ts';
import type { ParentRef } from './path.ts';

export interface WriteDocumentInput {
  readonly correlationId: string;
  /** Newest version of the document of the path, when it names one. */
  readonly newest?: DocumentVersion | undefined;
  readonly storedFile?: StoredFile | undefined;
  readonly request: DocumentRequest;
}

/**
 * Carries out one request and returns the version after it. Throws its refusal; one that depends on tender, bid or awards only
 * after newer facts were looked for (decision 0029).
 */
export async function writeDocument(
  deps: Deps,
  parentRef: ParentRef,
  input: WriteDocumentInput,
): Promise<DocumentVersion> {
  const { version } = await decideWithRefresh(parentRef, dependsOnFacts, async (parentState) =>
    tryWriteDocument(deps, input, parentState),
  );
  return version;
}

/** One attempt by one state of the parent. Decides without a lock first: a refused request takes none (decision 0028). */
async function tryWriteDocument(
  deps: Deps,
  { correlationId, newest, storedFile, request }: WriteDocumentInput,
  parentState: ParentState,
): Promise<DocumentWriteResult> {
  const preliminary = decideDocumentAt({ parentState, newest }, request, deps.clock.now());
  if ('refused' in preliminary) return preliminary;
  return deps.documents.write({ parentState, documentId: newest?.record.id, correlationId, storedFile, request });
}
