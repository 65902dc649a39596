import { z } from 'zod';

/** The redactions of texts after an id, oldest first (proof.md 3.2). Answered by lines of `RedactionRow`; without any by one empty line. */
export const RedactionsQuestion = z.object({ after: z.int().nonnegative(), rowsMax: z.int().min(1).max(1_000) });
export type RedactionsQuestion = z.infer<typeof RedactionsQuestion>;

/** A public text that has lost a member by law. Of several of one text the last has its present digest. */
export const RedactionRow = z.object({
  /** Grows, also over a restore of the register. */
  id: z.int().positive(),
  tender: z.string().regex(/^[0-9a-f]{32}$/),
  rev: z.int().positive(),
  /** Position of the publication: microseconds since 1970 UTC, as decimal text. */
  position: z.string().regex(/^\d{1,19}$/),
  /** The member that was removed, as a JSON Pointer. */
  member: z.string(),
  /** SHA-256 of the text without it, in hex. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  /** Length of that text. */
  bytes: z.int().positive(),
});
export type RedactionRow = z.infer<typeof RedactionRow>;
