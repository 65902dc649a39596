import { addMicros, SECOND, type Instant } from '@procurement/contracts/reading/instant';
import type { StageLengths } from './auction.ts';

/** Number of rounds of an auction (bids-awards-auction.md 2.11). */
export const ROUNDS = 3;

const LENGTHS: StageLengths = {
  opening: 300 * SECOND,
  turn: 120 * SECOND,
  pause: 120 * SECOND,
  preAnnouncement: 120 * SECOND,
};
/** An accelerated auction stays slow enough to be watched. */
const ACCELERATED_LENGTH_MIN = 5 * SECOND;

export type StageKind = 'pause' | 'bids' | 'pre_announcement' | 'announcement';

/** Lengths of the stages; in a sandbox divided by the accelerator of the tender (auction-room.md 14.2). */
export function stageLengths(accelerator = 1): StageLengths {
  return mapLengths((length) => Math.max(Math.round(length / accelerator), ACCELERATED_LENGTH_MIN));
}

/** An auction in which nobody can bid: `quick(mode:fast-forward)`. */
export function noLengths(): StageLengths {
  return mapLengths(() => 0);
}

function mapLengths(change: (length: number) => number): StageLengths {
  const { opening, turn, pause, preAnnouncement } = LENGTHS;
  return {
    opening: change(opening),
    turn: change(turn),
    pause: change(pause),
    preAnnouncement: change(preAnnouncement),
  };
}

/** Index of the pre_announcement of an auction of that many bidders; the announcement follows it. */
export function preAnnouncementStage(bidders: number): number {
  return ROUNDS * (bidders + 1);
}

/** Index of the last stage. */
export function announcementStage(bidders: number): number {
  return preAnnouncementStage(bidders) + 1;
}

export function stageKind(bidders: number, stage: number): StageKind {
  if (stage >= preAnnouncementStage(bidders))
    return stage === preAnnouncementStage(bidders) ? 'pre_announcement' : 'announcement';
  return stage % (bidders + 1) === 0 ? 'pause' : 'bids';
}

/** Round (from 0) of a pause or turn, and the turn's place in it (from 0; -1 for the pause before the round). */
export function roundAndTurn(bidders: number, stage: number): { readonly round: number; readonly turn: number } {
  return { round: Math.floor(stage / (bidders + 1)), turn: (stage % (bidders + 1)) - 1 };
}

/** Begin of every stage of an auction of that many bidders. */
export function stageStarts(startAt: Instant, bidders: number, lengths: StageLengths): readonly Instant[] {
  const starts = [startAt];
  let next = startAt;
  for (let stage = 0; stage < announcementStage(bidders); stage += 1) {
    next = addMicros(next, lengthOfStage(stage, bidders, lengths));
    starts.push(next);
  }
  return starts;
}

function lengthOfStage(stage: number, bidders: number, lengths: StageLengths): number {
  if (stage === 0) return lengths.opening;
  const byKind = {
    bids: lengths.turn,
    pause: lengths.pause,
    pre_announcement: lengths.preAnnouncement,
    announcement: 0,
  };
  return byKind[stageKind(bidders, stage)];
}

/** The stage of an instant by the timetable: -1 before the start. */
export function stageAt(starts: readonly Instant[], at: Instant): number {
  return starts.findLastIndex((start) => start <= at);
}
