import type { ChangeNotice } from '@procurement/contracts/resources/change-notice';
import { noticeFor, type StreamedRevision } from '../../revisions/domain/change-notice.ts';
import type { Filter } from '../../requests/domain/filters.ts';
import { REVISION_FLAGS } from '../../revisions/domain/revision-flags.ts';

/** A notice that is sent with the text of its tender. */
export interface ExpandedEntry {
  readonly notice: ChangeNotice;
  readonly revision: StreamedRevision;
  /** False where the revision has no public text, or one that is no JSON. */
  readonly hasText: boolean;
}

/** Consecutive notices whose texts are in memory together. */
export interface ExpandedPage {
  readonly entries: readonly ExpandedEntry[];
  /** Everything up to it is in this page, or does not match. */
  readonly upTo: bigint;
}

/** About what a notice without its text takes. */
const NOTICE_BYTES = 512;

/** What a filter lets through of revisions that reach up to `end`: at most so many bytes, but at least one notice. */
export function expandedPage(
  filter: Filter,
  revisions: readonly StreamedRevision[],
  end: bigint,
  bytesMax: number,
): ExpandedPage {
  const entries: ExpandedEntry[] = [];
  let bytes = 0;
  for (const revision of revisions) {
    const notice = noticeFor(filter, revision);
    if (notice === undefined) continue;
    const hasText = revision.tender.listed && (revision.flags & REVISION_FLAGS.unread) === 0;
    bytes += NOTICE_BYTES + (hasText ? revision.bytes : 0);
    const last = entries.at(-1);
    if (last !== undefined && bytes > bytesMax) return { entries, upTo: last.revision.position };
    entries.push({ notice, revision, hasText });
  }
  return { entries, upTo: end };
}
