import { monotonicMs } from '@procurement/kit/runtime/clock';
import type { Logger } from '@procurement/kit/runtime/log';
import type { Outage, ReplicasStore } from '../store/replicas.store.ts';

/** Writes every second that this replica works (auction-room.md 4.4). */
export interface WorkSigns {
  /** Whether the last sign is younger than 3 s. Each transaction checks the same by the clock of the database. */
  working(): boolean;
  stop(): Promise<void>;
}

export interface WorkSignsDeps {
  readonly replicas: ReplicasStore;
  readonly log: Logger;
}

const EVERY_MS = 1_000;
const WORKING_MS_MAX = 3_000;

/** Looks for an outage, and then writes a sign every second. Throws when the database is away. */
export async function startWorkSigns({ replicas, log }: WorkSignsDeps): Promise<WorkSigns> {
  let signedAtMs = Number.NEGATIVE_INFINITY;
  let writing: Promise<void> = Promise.resolve();

  function report(outage: Outage | undefined): void {
    if (outage === undefined) return;
    const { awayFrom, awayUntil, number } = outage;
    log.error({ number, durationMs: (awayUntil - awayFrom) / 1_000 }, 'no replica worked: timetables wait');
  }

  async function sign(): Promise<void> {
    const beganMs = monotonicMs();
    if (!(await replicas.recordHeartbeat())) report(await replicas.detectOutage());
    signedAtMs = beganMs;
  }

  report(await replicas.detectOutage());
  signedAtMs = monotonicMs();
  const timer = setInterval(() => {
    writing = writing.then(sign).catch((error: unknown) => log.warn({ err: error }, 'sign of work not written'));
  }, EVERY_MS);

  return {
    working: () => monotonicMs() - signedAtMs < WORKING_MS_MAX,
    async stop() {
      clearInterval(timer);
      await writing;
    },
  };
}
