import { formatServerDate, type Instant } from '@procurement/contracts/reading/instant';
import { secondsText } from '@procurement/domain/feed-offset';
import { causesIn } from '@procurement/contracts/resources/causes';
import { REVISION_FLAGS } from '../revisions/domain/revision-flags.ts';
import type { StoredRevision } from '../revisions/history.store.ts';

/** An entry of a history (register.md 7.1), with its address below `base`. */
export function revisionEntry(revision: StoredRevision, tenderId: string, base: string): Record<string, unknown> {
  const { rev, position, status, causes, changed, bytes, flags } = revision;
  return {
    rev,
    position: secondsText(position),
    // Safe cast: a position is a whole number of microseconds, exact until 2255.
    dateModified: formatServerDate(Number(position) as Instant),
    status,
    causes: causesIn(causes),
    ...(changed === undefined ? {} : { changed }),
    bytes,
    ...((flags & REVISION_FLAGS.folded) === 0 ? {} : { folded: true }),
    ...((flags & REVISION_FLAGS.redacted) === 0 ? {} : { redacted: true }),
    uri: `${base}${historyPath(tenderId)}/${rev}`,
  };
}

export function historyPath(tenderId: string): string {
  return `/api/2.5/tenders/${tenderId}/history`;
}

/** The answer of one revision: the public text, unchanged, with its entry beside it. */
export function revisionAnswer(text: string, entry: Record<string, unknown>): string {
  return `${text.slice(0, -1)},"revision":${JSON.stringify(entry)}}`;
}

/** False for a text that could not be read: it waits for an operator. */
export function isRead({ flags }: StoredRevision): boolean {
  return (flags & REVISION_FLAGS.unread) === 0;
}
