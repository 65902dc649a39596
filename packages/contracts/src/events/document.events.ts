import { z } from 'zod';

/** What a document hangs off, beside its tender. */
export const DocumentParent = z.object({
  kind: z.enum(['tender', 'bid', 'award', 'complaint', 'award complaint', 'cancellation', 'contract']),
  /** Of the parent; of a document of the tender itself the tender's. */
  id: z.string(),
});
export type DocumentParent = z.infer<typeof DocumentParent>;

/**
 * Every version of all documents of one tender that anybody may see, oldest first: whoever shows them shows all (http.md 2.4).
 * Sealed ones never.
 */
export const DocumentFacts = z.object({
  /** Of the tender. */
  id: z.string(),
  version: z.int(),
  documents: z.array(
    z.object({ parent: DocumentParent, document: z.looseObject({ id: z.string(), title: z.string() }) }),
  ),
});
export type DocumentFacts = z.infer<typeof DocumentFacts>;

/** Documents of a tender changed; carries all of them, so any one event is enough. */
export const documentEvents = { 'document.changed': { schema: 'document.changed/1', data: DocumentFacts } } as const;
