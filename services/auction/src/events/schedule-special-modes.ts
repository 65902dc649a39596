import type pg from 'pg';
import { playsSpecialModes } from '../config.ts';
import type { PlanningDeps } from '../deps.ts';
import { hasSpecialMode, specialTasks } from '../domain/special-mode.ts';
import { realTime } from '@procurement/domain/tender-time';
import { plansStore } from '../store/plans.store.ts';
import { scheduleTasks } from '../store/tasks.store.ts';
import type { TenderUpdate } from './plan-auctions.ts';

/**
 * Stores the tasks of tenders in special modes (tenders.md 7.4), in the transaction that applies the event, so that no task is
 * lost when the process ends. Idempotent.
 */
export async function scheduleSpecialModes(
  { config }: PlanningDeps,
  tx: pg.PoolClient,
  updates: readonly TenderUpdate[],
): Promise<void> {
  const isPlayed = playsSpecialModes(config);
  const special = updates.filter(({ facts }) => hasSpecialMode(facts, isPlayed));
  if (special.length === 0) return;
  const versions = await plansStore.versions(
    tx,
    special.map(({ facts }) => facts.id),
  );
  const current = special.filter(({ facts }) => facts.version >= (versions.get(facts.id) ?? 0));
  await scheduleTasks(
    tx,
    current.flatMap(({ facts, requestId }) =>
      specialTasks(facts, isPlayed).map(({ dueAt, ...task }) => ({
        ...task,
        tenderId: facts.id,
        dueAt: realTime(dueAt, facts),
        requestId,
      })),
    ),
  );
}
