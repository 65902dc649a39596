import { formatServerDate, type Instant } from '@procurement/contracts/reading/instant';
import type { ChangeNotice } from '@procurement/contracts/resources/change-notice';
import { secondsText } from '@procurement/domain/feed-offset';
import { causesIn } from '@procurement/contracts/resources/causes';
import { hasCause, isFiltered, matches, type Filter, type FilteredAttributes } from '../../requests/domain/filters.ts';
import { REVISION_FLAGS } from './revision-flags.ts';

/** A revision with what filters read of it and of the revision before. */
export interface StreamedRevision {
  readonly position: bigint;
  readonly rev: number;
  /** `tenderID`. */
  readonly number: string;
  readonly causes: bigint;
  readonly flags: number;
  readonly changed?: readonly string[];
  /** Length of the public text; 0 without a text. */
  readonly bytes: number;
  readonly tender: FilteredAttributes;
  /** Absent for the first revision of a tender. */
  readonly before?: FilteredAttributes;
}

/**
 * What a reader with a filter is told of a revision: undefined when neither it nor the one before matches. A tender that matched
 * and does no longer has left the set, once (register.md 4.3).
 */
export function noticeFor(filter: Filter, revision: StreamedRevision): ChangeNotice | undefined {
  const { tender, before } = revision;
  const isIn = matches(filter, tender) && hasCause(filter, revision.causes);
  const hasLeft = !isIn && before !== undefined && matches(filter, before) && !matches(filter, tender);
  if (!isIn && !hasLeft) return undefined;
  const isRemoved = !tender.listed;
  const isShown = isFiltered(filter) || (hasLeft && !isRemoved);
  return buildNotice(revision, isShown ? (isIn ? 'in' : 'left') : undefined);
}

function buildNotice(revision: StreamedRevision, match: ChangeNotice['match']): ChangeNotice {
  const { position, rev, number, causes, flags, changed, tender } = revision;
  return {
    type: noticeTypeOf(revision),
    position: secondsText(position),
    id: tender.id,
    tenderID: number,
    // Safe cast: a position is a whole number of microseconds, exact until 2255.
    dateModified: formatServerDate(Number(position) as Instant),
    rev,
    status: tender.status,
    ...(tender.isTest ? { mode: 'test' } : {}),
    causes: [...causesIn(causes)],
    ...(changed === undefined ? {} : { changed: [...changed] }),
    ...(match === undefined ? {} : { match }),
    ...((flags & REVISION_FLAGS.folded) === 0 ? {} : { folded: true }),
  };
}

/** The first revision of a back-fill is no creation: what was before it is not known. */
function noticeTypeOf({ tender, before, flags }: StreamedRevision): ChangeNotice['type'] {
  if (!tender.listed) return 'tender.removed';
  return before === undefined && (flags & REVISION_FLAGS.baseline) === 0 ? 'tender.created' : 'tender.changed';
}
