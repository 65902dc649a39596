import type { ExportKind } from '@procurement/contracts/resources/export';
import { z } from 'zod';
import { EXPORT_NAME } from './domain/export-schedule.ts';

/** Kinds of exports from which a lost register is rebuilt (register.md 2.6). */
export const ARCHIVE_KINDS = ['revisions', 'releases'] as const satisfies readonly ExportKind[];
export type ArchiveKind = (typeof ARCHIVE_KINDS)[number];

/** A whole number as text: positions exceed what every reader of JSON takes as a number. */
const Whole = z
  .string()
  .regex(/^\d{1,18}$/)
  .transform(BigInt);
const ExportName = z.string().regex(EXPORT_NAME);

/** A restore of the owner: publications between were lost there (register.md 2.7). */
const ArchiveVoid = z.object({ epoch: z.int(), restoredTo: Whole, began: Whole });
export type ArchiveVoid = z.infer<typeof ArchiveVoid>;

/** What the archive has of one export: all that its row in the database says, and the keys of its files. */
export const ArchiveManifest = z.object({
  name: ExportName,
  kind: z.enum(ARCHIVE_KINDS),
  mode: z.enum(['real', '_all_']),
  /** Exclusive; null: from the beginning. */
  from: Whole.nullable(),
  /** Inclusive. */
  to: Whole,
  seqFrom: Whole.nullable(),
  seqTo: Whole.nullable(),
  epoch: z.int(),
  finished: Whole,
  /** Name of the export that was archived before this one. */
  previous: ExportName.nullable(),
  files: z.array(
    z.object({
      n: z.int(),
      key: z.string(),
      lines: z.int(),
      bytes: z.int(),
      rawBytes: z.int(),
      /** SHA-256 of the file as it is stored, in hex. */
      sha256: z.string(),
      first: Whole,
      last: Whole,
      walkedTo: Whole,
      zstdBytes: z.int().nullish(),
      zstdSha256: z.string().nullish(),
    }),
  ),
});
export type ArchiveManifest = z.infer<typeof ArchiveManifest>;

/** The only object of the archive that is replaced: with it the others are found without a list of the storage. */
export const ArchiveIndex = z.object({
  kind: z.enum(ARCHIVE_KINDS),
  latest: ExportName,
  voids: z.array(ArchiveVoid),
});
export type ArchiveIndex = z.infer<typeof ArchiveIndex>;

export function manifestKey(name: string): string {
  return `archive/${name}.json`;
}

export function indexKey(kind: ArchiveKind): string {
  return `archive/${kind}.json`;
}

/** JSON with whole numbers as text, as the shapes above read them. */
export function archiveText(content: ArchiveManifest | ArchiveManifest['files'] | ArchiveIndex): string {
  return JSON.stringify(content, (_name, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
}

/** Whether a later restore of the owner took back a position of an export. */
export function isVoid(voids: readonly ArchiveVoid[], epoch: number, position: bigint): boolean {
  return voids.some((one) => one.epoch > epoch && position > one.restoredTo && position < one.began);
}
