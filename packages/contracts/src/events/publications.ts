import { z } from 'zod';

/** A position in the publication log: microseconds since 1970 UTC, as decimal text. */
const Position = z.string().regex(/^\d{1,19}$/);

const rowsMax = z.int().min(1).max(10_000);
const bytesMax = z.int().min(1).max(16_000_000);
/** False: rows have digests instead of texts, and `bytesMax` does not count (proof.md 3.2). */
const texts = z.boolean().default(true);

/** Texts above it come in parts of `TEXT_PART_BYTES` (register.md 2.3). */
export const TEXT_BYTES_MAX = 6_000_000;
export const TEXT_PART_BYTES = 4_000_000;

/** The publications after a position, or a part of the text of one of them. */
export const PublicationsQuestion = z.union([
  z.object({ position: Position, part: z.int().nonnegative() }),
  z.object({
    after: Position,
    /** The newest epoch that the asker has applied. */
    epoch: z.int().nonnegative(),
    rowsMax,
    bytesMax,
    /** Also a horizon: everything at or below it is in this answer or before it, and nothing is published below it later. */
    horizon: z.boolean().default(false),
    texts,
  }),
]);
export type PublicationsQuestion = z.infer<typeof PublicationsQuestion>;

/** The newest view of each tender with a position in a range. */
export const ListingQuestion = z.object({ after: Position, upTo: Position, rowsMax, bytesMax, texts });
export type ListingQuestion = z.infer<typeof ListingQuestion>;

/** The first line of an answer. */
export const PageHead = z.object({
  /** The owner's newest epoch. */
  epoch: z.int().nonnegative(),
  /** Epochs newer than the asker's, oldest first. */
  epochs: z.array(z.object({ epoch: z.int(), restoredTo: Position, began: Position })),
  /** The first publication that the log still has; null when it is empty. */
  oldest: Position.nullable(),
  /** The greatest position at this moment. */
  head: Position,
  horizon: Position.nullable(),
  /** How many rows follow. */
  rows: z.int().nonnegative(),
});
export type PageHead = z.infer<typeof PageHead>;

/** The line of one publication. The line after it is its text, unless it is not listed, comes in parts or was asked for without texts. */
export const PublicationRow = z.object({
  position: Position,
  /** The position of the publication before; 0 for the first. Absent in a listing. */
  previous: Position.optional(),
  id: z.string(),
  rev: z.int().nonnegative(),
  /** It is the first of its tender that is listed: those before it were drafts. Absent otherwise, and in a listing. */
  first: z.literal(true).optional(),
  /** False: a tender that was listed and is a draft again. Its text does not leave the owner. */
  listed: z.boolean(),
  test: z.boolean(),
  causes: z.array(z.string()).default([]),
  /** Bytes of the text in UTF-8; 0 when not listed. */
  bytes: z.int().nonnegative(),
  /** How many parts the text has; absent when it is the next line. */
  parts: z.int().positive().optional(),
  /** SHA-256 of the text, in hex; of a listed row that was asked for without texts. */
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional(),
  /** The number among the listed publications of all tenders, from 1 without a gap; beside `sha256`. Absent in a listing. */
  number: z.int().positive().optional(),
});
export type PublicationRow = z.infer<typeof PublicationRow>;

/** How many listed tenders have their newest position in a range, and a sum over them; `from` is exclusive. */
export const CensusQuestion = z.object({ from: Position, to: Position });
export const CensusAnswer = z.object({
  count: z.int().nonnegative(),
  /** Sum of the first 8 bytes of md5(`id:rev:position`), as signed numbers. */
  sum: z.string(),
  /** The answer is as of this position. */
  head: Position,
});
export type CensusAnswer = z.infer<typeof CensusAnswer>;
