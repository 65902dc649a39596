import type { StreamedRevision } from '../revisions/domain/change-notice.ts';

const REVISIONS_MAX = 10_000;
const BYTES_MAX = 8_000_000;

/** The newest revisions, for readers that are close behind. */
export interface StreamRing {
  add(revisions: readonly StreamedRevision[]): void;
  /** Whether every revision after a position is here. */
  covers(position: bigint): boolean;
  after(position: bigint): readonly StreamedRevision[];
  /** Forgets all; the next ones follow after this position. */
  restart(position: bigint): void;
}

export function makeStreamRing(): StreamRing {
  let revisions: StreamedRevision[] = [];
  let bytes = 0;
  let start = 0n;
  return {
    add(newer) {
      for (const revision of newer) {
        revisions.push(revision);
        bytes += bytesInMemory(revision);
      }
      let surplus = 0;
      while (revisions.length - surplus > REVISIONS_MAX || bytes > BYTES_MAX) {
        const oldest = revisions[surplus];
        if (oldest === undefined) break;
        bytes -= bytesInMemory(oldest);
        start = oldest.position;
        surplus += 1;
      }
      revisions.splice(0, surplus);
    },
    covers: (position) => position >= start,
    after: (position) => revisions.slice(revisions.findLastIndex((one) => one.position <= position) + 1),
    restart(position) {
      revisions = [];
      bytes = 0;
      start = position;
    },
  };
}

/** About what a revision takes in memory: its codes and names beside what all have. */
function bytesInMemory({ changed = [], tender, before }: StreamedRevision): number {
  const lists = [changed, tender.cpv, tender.regions, before?.cpv ?? [], before?.regions ?? []];
  return 500 + 16 * lists.reduce((sum, list) => sum + list.length, 0);
}
