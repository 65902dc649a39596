import type { Instant } from '@procurement/contracts/reading/instant';
import type pg from 'pg';
import type { Bus } from '../messaging/bus.ts';
import type { ClockFailures } from '../database/clock-failures.ts';
import { startScheduler, type Scheduler, type SchedulerDeps } from './scheduler.ts';

export interface ServiceClockOptions {
  readonly service: string;
  readonly base: Pick<SchedulerDeps, 'clock' | 'log' | 'metrics'> & { readonly pool: pg.Pool; readonly bus: Bus };
  readonly rows: Pick<SchedulerDeps, 'runDue'>;
  readonly failures: Pick<ClockFailures, 'refresh'>;
  readonly nextDue: (pool: pg.Pool) => Promise<Instant | undefined>;
}

/** The scheduler of a service whose replicas announce deadlines to each other, and whose rows may be put off (decision 0054). */
export function startServiceClock({ service, base, rows, failures, nextDue }: ServiceClockOptions): Scheduler {
  return startScheduler({
    ...base,
    runDue: async (max) => rows.runDue(max),
    nextDue: async () => {
      // Here, because nothing is run while nothing is due.
      await failures.refresh();
      return nextDue(base.pool);
    },
    replicas: { bus: base.bus, service },
  });
}
