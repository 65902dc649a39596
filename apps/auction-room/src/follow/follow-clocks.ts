import type { Logger } from '@procurement/kit/runtime/log';
import { makeSignal } from '@procurement/kit/runtime/signal';
import type { Room } from '../room.ts';
import type { FollowedAuction, FollowStore } from '../store/follow.store.ts';
import type { TenderService } from '../tender-service/client.ts';
import { aheadOf } from './read-tenders.ts';

export interface ClocksDeps {
  readonly follow: FollowStore;
  readonly service: TenderService;
  readonly room: Room;
  readonly log: Logger;
}

const EVERY_MS = 1_000;
const CONCURRENT_MAX = 8;

/** In a sandbox: takes over how far each tender's clock was moved (auction-room.md 14.2). */
export function followClocks({ follow, service, room, log }: ClocksDeps): { stop(): Promise<void> } {
  const signal = makeSignal();
  let stopped = false;

  async function round(): Promise<void> {
    if (room.leadership.lease(0) === undefined) return;
    const auctions = await follow.unfinished();
    const rest = [...new Set(auctions.map(({ tenderId }) => tenderId))];
    const worker = async (): Promise<void> => {
      for (let next = rest.shift(); next !== undefined && !stopped; next = rest.shift()) {
        const ofTender = auctions.filter(({ tenderId }) => tenderId === next);
        await takeOverClock({ service, room }, next, ofTender).catch((error: unknown) =>
          log.warn({ err: error, tender: next }, 'clock of a tender not read'),
        );
      }
    };
    await Promise.all(Array.from({ length: CONCURRENT_MAX }, worker));
  }

  async function run(): Promise<void> {
    while (!stopped) {
      await round().catch((error: unknown) => log.warn({ err: error }, 'clocks of tenders not read'));
      await signal.wait(EVERY_MS);
    }
  }
  const running = run();

  return {
    async stop() {
      stopped = true;
      signal.notify();
      await running;
    },
  };
}

/** Moves the auctions of one tender to its time. */
export async function takeOverClock(
  { service, room }: Pick<ClocksDeps, 'service' | 'room'>,
  tenderId: string,
  auctions: readonly FollowedAuction[],
): Promise<void> {
  const ahead = await aheadOf(service, tenderId);
  for (const { id, aheadMicros } of auctions) {
    if (ahead === aheadMicros) continue;
    await room.auctions.moveAhead(id, ahead);
    room.wakeTimers();
  }
}
