import { inParallel } from '@procurement/kit/runtime/in-parallel';
import type { Logger } from '@procurement/kit/runtime/log';
import { startLoop } from '@procurement/kit/runtime/loop';
import type { Room } from '../room.ts';
import type { FollowedAuction, FollowStore } from '../store/follow.store.ts';
import type { TenderService } from '../tender-service/client.ts';
import { readAheadMicros } from './read-tenders.ts';

export interface ClocksDeps {
  readonly follow: FollowStore;
  readonly service: TenderService;
  readonly room: Room;
  readonly log: Logger;
}

const EVERY_MS = 1_000;
const CONCURRENT_MAX = 8;
/** Tenders whose clocks are read in one second (auction-room.md 14.2). When there are more, each is read less often. */
const TENDERS_MAX = 200;

/** Takes over how far each tender's clock was moved, in a sandbox (auction-room.md 14.2). */
export function followClocks({ follow, service, room, log }: ClocksDeps): { stop(): Promise<void> } {
  let lastRead = '';

  async function round(stopping: AbortSignal): Promise<void> {
    if (room.leadership.lease(0) === undefined) return;
    const auctions = await follow.unfinished();
    const tenders = [...new Set(auctions.map(({ tenderId }) => tenderId))].toSorted();
    const first = Math.max(
      tenders.findIndex((id) => id > lastRead),
      0,
    );
    // The tenders after the last one that was read, then those from the beginning.
    const batch = [...tenders.slice(first), ...tenders.slice(0, first)].slice(0, TENDERS_MAX);
    lastRead = batch.at(-1) ?? '';
    await inParallel(batch, CONCURRENT_MAX, async (tender) => {
      if (stopping.aborted) return;
      const ofTender = auctions.filter(({ tenderId }) => tenderId === tender);
      await takeOverClock({ service, room }, tender, ofTender).catch((error: unknown) =>
        log.warn({ err: error, tenderId: tender }, 'clock of a tender not read'),
      );
    });
  }

  return startLoop(round, { pauseMs: EVERY_MS, log, failure: 'clocks of tenders not read' });
}

/** Moves the auctions of one tender to its time. */
export async function takeOverClock(
  { service, room }: Pick<ClocksDeps, 'service' | 'room'>,
  tenderId: string,
  auctions: readonly FollowedAuction[],
): Promise<void> {
  const ahead = await readAheadMicros(service, tenderId);
  for (const { id, aheadMicros } of auctions) {
    if (ahead === aheadMicros) continue;
    await room.auctions.moveAhead(id, ahead);
    room.wakeTimers();
  }
}
