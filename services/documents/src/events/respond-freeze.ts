import type { Deps } from '../deps.ts';
import { lockTenderDocuments } from '../store/documents.store.ts';

/** Freezes the documents of a tender under the lock of their writes, while tenders cancels it, and lifts the freeze again (decision 0060). */
export function respondFreeze({ freeze }: Pick<Deps, 'freeze'>): (request: unknown) => Promise<unknown> {
  return async (request) => freeze.respond(request, lockTenderDocuments);
}
