import type { Logger } from '@procurement/kit/runtime/log';
import { makeSignal } from '@procurement/kit/runtime/signal';
import { followClocks } from './follow/follow-clocks.ts';
import { followTenders } from './follow/follow-tenders.ts';
import { readTenders } from './follow/read-tenders.ts';
import type { AdmissionSettings } from './follow/admit-auctions.ts';
import type { Room } from './room.ts';
import type { MasterKey } from './session/links.ts';
import { followStore } from './store/follow.store.ts';
import { tasksStore } from './store/tasks.store.ts';
import { startTasks } from './tasks/run-tasks.ts';
import type { TenderService } from './tender-service/client.ts';

export interface HandOffOptions {
  readonly room: Room;
  readonly replicaId: string;
  readonly service: TenderService;
  readonly settings: AdmissionSettings;
  readonly keys: readonly MasterKey[];
  readonly followPauseMs: number;
  /** Answers a number from 0 to 1, which spreads repeated requests. */
  readonly random: () => number;
  readonly log: Logger;
}

/** The exchange with the tender service: reads plans, publishes addresses, reports results (auction-room.md 7). */
export interface HandOff {
  /** An auction changed: it may have work to do. */
  wake(): void;
  lagSeconds(): number | undefined;
  stop(): Promise<void>;
}

export function startHandOff(options: HandOffOptions): HandOff {
  const { room, replicaId, service, settings, keys, followPauseMs, random, log } = options;
  const follow = followStore(room.pool, replicaId);
  const tasks = tasksStore(room.pool, replicaId);
  const signal = makeSignal();
  const readings = readTenders({ follow, service, room, settings, random, log });
  const requestReading = async (tenderId: string): Promise<void> => {
    await follow.request(tenderId);
    readings.wake();
  };
  const follower = followTenders({
    follow,
    service,
    leadership: room.leadership,
    now: room.clock.now,
    pauseMs: followPauseMs,
    onRequested: readings.wake,
    log,
  });
  const { publicUrl } = settings;
  const work = startTasks({ room, tasks, service, publicUrl, keys, requestReading, signal, random, log });
  const clocks = settings.sandbox ? followClocks({ follow, service, room, log }) : undefined;
  return {
    wake: signal.notify,
    lagSeconds: follower.lagSeconds,
    async stop() {
      await Promise.all([follower.stop(), readings.stop(), work.stop(), clocks?.stop()]);
    },
  };
}
