import { watchPosition, type PositionWatchDeps } from './position-watch.ts';
import { countApplied, findRepair, requestRebuild } from './repair-rows.ts';
import { repairCounters, stepRepair } from './run-repair.ts';
import { makeSignal } from '../../runtime/signal.ts';
import type { Subscription } from '../consume/subscription.ts';

const RETRY_MS = 500;

/**
 * Removes what the owner does not have, then rebuilds what a durable maintains, and returns when it is done, with the number of
 * facts. Processes of the service take part. Waits for an owner that is away; the rebuild continues in the service when the command is
 * ended before.
 */
export async function rebuildNow(
  subscription: Subscription,
  deps: Pick<PositionWatchDeps, 'pool' | 'bus' | 'log' | 'metrics'>,
): Promise<number> {
  const { pool } = deps;
  const { durable } = subscription;
  await watchPosition(subscription, { ...deps, checkEveryMs: 0 }).check();
  await requestRebuild(
    pool,
    durable,
    'requested by an operator',
    subscription.copies === undefined ? 'rebuild' : 'removal',
  );
  const repairDeps = { ...deps, ...repairCounters(deps.metrics, durable) };
  for (;;) {
    const repair = await findRepair(pool, durable);
    if (repair === undefined) return countApplied(pool, durable);
    if ((await stepRepair(subscription, repairDeps, repair)) === 'waiting') await makeSignal().wait(RETRY_MS);
  }
}
