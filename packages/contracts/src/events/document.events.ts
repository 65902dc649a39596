import { z } from 'zod';
import { openEnum } from './open-enums.ts';

/** Parent of a document within its tender. */
export const DocumentParent = z.object({
  kind: z.enum(['tender', 'bid', 'award', 'complaint', 'award complaint', 'cancellation', 'contract']),
  /** Id of the parent; the tender's id for a document of the tender itself. */
  id: z.string(),
});
export type DocumentParent = z.infer<typeof DocumentParent>;

/**
 * Every version of all public documents of one tender, oldest first (http.md 2.4). Documents of sealed bids are absent. Loose
 * objects: a consumer that stores them keeps members of a later release (docs/rules-for-upgrades.md).
 */
export const DocumentFacts = z.looseObject({
  /** Id of the tender. */
  id: z.string(),
  version: z.int(),
  documents: z.array(
    z.looseObject({
      parent: DocumentParent.extend({ kind: openEnum('parent of a document') }).loose(),
      document: z.looseObject({ id: z.string(), title: z.string() }),
    }),
  ),
});
export type DocumentFacts = z.infer<typeof DocumentFacts>;

/** Public documents of a tender changed. Carries all of them, so a consumer needs only the latest event. */
export const documentEvents = { 'document.changed': { schema: 'document.changed/1', data: DocumentFacts } } as const;
