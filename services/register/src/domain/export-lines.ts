import type { ExportKind } from '@procurement/contracts/resources/export';
import { secondsText } from '@procurement/domain/feed-offset';
import { causesOf } from './causes.ts';

/** A revision that an export has a line for. */
export interface ExportedRevision {
  readonly position: bigint;
  readonly id: string;
  readonly rev: number;
  /** Bit set (`causesOf`). */
  readonly causes: bigint;
  /** The public text; undefined for a tender that has left the list. */
  readonly text: string | undefined;
}

/** One line of an export, without the line feed. Texts are pasted, so the tender is what everybody could read, byte for byte. */
export function exportLine(kind: ExportKind, { position, id, rev, causes, text }: ExportedRevision): string {
  const tender = text?.slice('{"data":'.length, -1);
  if (kind !== 'revisions') return tender ?? JSON.stringify({ id, removed: true });
  const place = { position: secondsText(position), rev };
  if (tender === undefined) return JSON.stringify({ ...place, id, removed: true });
  return `${JSON.stringify({ ...place, causes: causesOf(causes) }).slice(0, -1)},"tender":${tender}}`;
}
