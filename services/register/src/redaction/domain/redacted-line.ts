import { parseDateTime } from '@procurement/contracts/reading/instant';
import type { ExportKind } from '@procurement/contracts/resources/export';
import { secondsText } from '@procurement/domain/feed-offset';
import { TENDER_OF_LINE } from '../../exports/domain/export-lines.ts';
import { withoutMember, type MemberPath } from '../../revisions/domain/redact-text.ts';

/** The lines of an export that are redacted. */
export interface RedactedLines {
  readonly kind: ExportKind;
  readonly tender: string;
  readonly path: MemberPath;
  /** Positions of the revisions. */
  readonly positions: ReadonlySet<bigint>;
}

/** A line of an export without the member; undefined when it stays as it is. */
export function redactedLine(line: string, lines: RedactedLines): string | undefined {
  return line.includes(lines.tender)
    ? (lines.kind === 'revisions' ? revisionLine : tenderLine)(line, lines)
    : undefined;
}

function tenderLine(line: string, { tender, path, positions }: RedactedLines): string | undefined {
  // Safe cast: a line of such an export is a tender, or says that it was removed.
  const { id, dateModified } = JSON.parse(line) as { readonly id: string; readonly dateModified?: string };
  const position = dateModified === undefined ? undefined : parseDateTime(dateModified)?.instant;
  if (id !== tender || position === undefined || !positions.has(BigInt(position))) return undefined;
  return withoutMember(line, path)?.text;
}

function revisionLine(line: string, { path, positions }: RedactedLines): string | undefined {
  const at = line.indexOf(TENDER_OF_LINE);
  if (at < 0) return undefined;
  // Safe cast: the form of `exportLine`.
  const { causes, ...head } = JSON.parse(`${line.slice(0, at)}}`) as { readonly position: string; causes: unknown };
  if (![...positions].some((position) => secondsText(position) === head.position)) return undefined;
  const redacted = withoutMember(line.slice(at + TENDER_OF_LINE.length, -1), path);
  if (redacted === undefined) return undefined;
  const newHead = JSON.stringify({ ...head, redacted: true, causes });
  return `${newHead.slice(0, -1)}${TENDER_OF_LINE}${redacted.text}}`;
}
