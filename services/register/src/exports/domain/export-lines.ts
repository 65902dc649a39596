import type { ExportKind } from '@procurement/contracts/resources/export';
import { secondsText } from '@procurement/domain/feed-offset';
import { causesIn } from '@procurement/contracts/resources/causes';

/** A revision that an export has a line for. */
export interface ExportedRevision {
  readonly position: bigint;
  readonly id: string;
  readonly rev: number;
  /** Bit set (`causesIn`). */
  readonly causes: bigint;
  /** The public text; undefined for a tender that has left the list. */
  readonly text: string | undefined;
  /** Its first public revision, and all before it were drafts. */
  readonly isFirst: boolean;
  /** A member was removed from its text by law (register.md 11.5). */
  readonly isRedacted?: boolean;
  /** The revision has no text because the tender has become a test tender, which this export leaves out. */
  readonly isHiddenTest: boolean;
}

/**
 * Precedes the tender in a line of `revisions`. The tender is the last member and pasted, so that its bytes can be cut out as they were
 * published.
 */
export const TENDER_OF_LINE = ',"tender":';

/** One line of an export, without the line feed. Texts are pasted, so the tender is what everybody could read, byte for byte. */
export function exportLine(kind: ExportKind, revision: ExportedRevision): string {
  const { position, id, rev, causes, text, isFirst, isRedacted = false, isHiddenTest } = revision;
  const tender = text?.slice('{"data":'.length, -1);
  if (kind !== 'revisions') return tender ?? JSON.stringify({ id, removed: true });
  const place = { position: secondsText(position), rev };
  if (tender === undefined)
    return JSON.stringify({ ...place, id, removed: true, ...(isHiddenTest && { mode: 'test' }) });
  const marks = { ...(isFirst && { first: true }), ...(isRedacted && { redacted: true }) };
  const head = { ...place, ...marks, causes: causesIn(causes) };
  return `${JSON.stringify(head).slice(0, -1)}${TENDER_OF_LINE}${tender}}`;
}
