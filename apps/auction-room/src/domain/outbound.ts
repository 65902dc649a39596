import { addMicros, SECOND, type Instant } from '@procurement/contracts/reading/instant';
import type { Auction } from './auction.ts';
import { announcementStage } from './timetable.ts';

/**
 * A request to the tender service (auction-room.md 7.3, 7.4). `links` publishes addresses, `check` reads the record once more,
 * `protocol` publishes the file, `results` reports, `names` reads the names of the bidders, `identities` adds them to the file.
 */
export const TASK_KINDS = ['links', 'check', 'protocol', 'results', 'names', 'identities'] as const;
export type TaskKind = (typeof TASK_KINDS)[number];

export interface OutboundTask {
  readonly kind: TaskKind;
  /** When to send it, in the auction's time. Absent: at once. */
  readonly at?: Instant;
}

const CHECK_BEFORE_START = 60 * SECOND;
/** The second version of the protocol names the bidders. */
export const FINAL_PROTOCOL_VERSION = 2;

/** What an auction still needs from the tender service: a function of its log, so that a killed replica leaves nothing undone. */
export function outboundTasks(auction: Auction): readonly OutboundTask[] {
  const { phase } = auction;
  if (phase === 'cancelled' || phase === 'missed' || auction.conflict) return [];
  return [...beforeTheEnd(auction), ...reporting(auction), ...afterTheReport(auction)];
}

function beforeTheEnd(auction: Auction): readonly OutboundTask[] {
  const { phase, plan, starts } = auction;
  if (phase !== 'planned' && phase !== 'running') return [];
  const [start = plan.startAt] = starts;
  return [
    ...(auction.linksPublished || plan.withoutAddresses === true ? [] : [{ kind: 'links' } as const]),
    ...(phase === 'planned' ? [{ kind: 'check', at: addMicros(start, -CHECK_BEFORE_START) } as const] : []),
  ];
}

function reporting(auction: Auction): readonly OutboundTask[] {
  if (auction.phase !== 'finished') return [];
  const announcement = auction.starts[announcementStage(auction.bids.length)] ?? auction.plan.startAt;
  const protocol: OutboundTask = { kind: 'protocol', at: announcement };
  const results: OutboundTask = { kind: 'results', at: announcement };
  return [
    ...(auction.protocol === undefined ? [protocol] : []),
    ...(auction.resultsAcceptedAt === undefined ? [results] : []),
  ];
}

function afterTheReport(auction: Auction): readonly OutboundTask[] {
  if (auction.resultsAcceptedAt === undefined) return [];
  if (Object.keys(auction.names).length === 0) return [{ kind: 'names' }];
  return (auction.protocol?.version ?? 0) < FINAL_PROTOCOL_VERSION ? [{ kind: 'identities' }] : [];
}

/** The stored tasks that a command adds to an auction or removes from it. */
export function changedTasks(
  before: Auction | undefined,
  after: Auction,
): { readonly added: readonly OutboundTask[]; readonly removed: readonly TaskKind[] } {
  const earlier = before === undefined ? [] : outboundTasks(before);
  const later = outboundTasks(after);
  return {
    added: later.filter(({ kind, at }) => !earlier.some((task) => task.kind === kind && task.at === at)),
    removed: earlier.filter(({ kind }) => !later.some((task) => task.kind === kind)).map(({ kind }) => kind),
  };
}
