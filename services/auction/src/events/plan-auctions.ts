import { auctionEvents, type AuctionPlanned } from '@procurement/contracts/events/auction.events';
import { formatLocalDate, formatServerDate, type LocalDate } from '@procurement/contracts/reading/instant';
import type { TenderFacts } from '@procurement/contracts/resources/tender-facts';
import type { OutboxRow } from '@procurement/kit/messaging/outbox';
import type pg from 'pg';
import type { PlanningDeps } from '../deps.ts';
import { isQuick, comparePlans, planModeOf, type DueAuction, type PlanMode } from '../domain/auction-due.ts';
import { planAuction, slotKey, type Plan } from '../domain/auction-plan.ts';
import { tenderTime } from '@procurement/domain/tender-time';
import { plansStore, type AuctionKey, type NewPlan } from '../store/plans.store.ts';

/** A tender's newest facts, and the request that led to them. */
export interface TenderUpdate {
  readonly facts: TenderFacts;
  readonly requestId: string;
}

interface PlanningTask extends TenderUpdate {
  readonly due: DueAuction;
}

/**
 * Brings the plan in line with what tenders say: frees places, takes new ones, and tells of them by `auction.planned` in the
 * same transaction. `tx` must hold these facts in the replica already. Told the same twice, it does nothing the second time.
 */
export async function planAuctions(
  deps: PlanningDeps,
  tx: pg.PoolClient,
  updates: readonly TenderUpdate[],
): Promise<void> {
  if (updates.length === 0) return;
  const ids = updates.map(({ facts }) => facts.id);
  const versions = await plansStore.versions(tx, ids);
  const storedPlans = await plansStore.storedPlans(tx, ids);
  const freedKeys: AuctionKey[] = [];
  const confirmedKeys: AuctionKey[] = [];
  const tasks: PlanningTask[] = [];
  for (const { facts, requestId } of updates) {
    const { id: tenderId, version } = facts;
    // A late event: what it says was planned from, or has passed.
    if (version < (versions.get(tenderId) ?? 0)) continue;
    const changes = comparePlans(facts, storedPlans.get(tenderId) ?? [], tenderTime(deps.clock.now(), facts));
    freedKeys.push(...changes.free.map(({ lotId }) => ({ tenderId, lotId })));
    confirmedKeys.push(...changes.confirm.map(({ lotId }) => ({ tenderId, lotId })));
    tasks.push(...changes.plan.map((due) => ({ facts, requestId, due })));
  }
  await plansStore.release(tx, freedKeys);
  await plansStore.confirm(tx, confirmedKeys);
  if (tasks.length > 0) await planAll(deps, tx, tasks);
}

/** One after the other, in the order in which tenders were heard of: the first gets the earliest place. */
async function planAll(deps: PlanningDeps, tx: pg.PoolClient, tasks: readonly PlanningTask[]): Promise<void> {
  await plansStore.lock(tx);
  const takenSlotsOn = cacheTakenSlots(tx);
  const newPlans: NewPlan[] = [];
  const rows: OutboxRow[] = [];
  for (const task of tasks) {
    const found = await findPlan(deps, task, takenSlotsOn);
    newPlans.push({ tenderId: task.facts.id, lotId: task.due.lotId, mode: planModeOf(task.facts), plan: found });
    rows.push(plannedRow(deps, task, found));
  }
  await plansStore.insert(tx, newPlans);
  await deps.outbox.append(tx, rows);
}

type TakenSlotsOn = (mode: PlanMode, day: LocalDate) => Promise<Set<string>>;

/** Reads each day once: under the lock only this transaction takes places. */
function cacheTakenSlots(tx: pg.PoolClient): TakenSlotsOn {
  const days = new Map<string, Set<string>>();
  return async (mode, day) => {
    const known = days.get(`${mode} ${day}`);
    if (known !== undefined) return known;
    const taken = await plansStore.takenSlots(tx, mode, day);
    days.set(`${mode} ${day}`, taken);
    return taken;
  };
}

async function findPlan(deps: PlanningDeps, { facts, due }: PlanningTask, takenSlotsOn: TakenSlotsOn): Promise<Plan> {
  const { shouldStartAfter } = due;
  const quick = isQuick(facts, deps.config.SANDBOX_MODE);
  const mode = planModeOf(facts);
  const search = planAuction(
    { shouldStartAfter, now: tenderTime(deps.clock.now(), facts), quick },
    deps.planSettings,
    deps.randomSeconds,
  );
  let step = search.next();
  while (step.done !== true) step = search.next(await takenSlotsOn(mode, step.value));
  const { slot } = step.value;
  if (slot !== undefined) (await takenSlotsOn(mode, slot.day)).add(slotKey(slot));
  return step.value;
}

function plannedRow(
  { outbox, clock }: PlanningDeps,
  { facts, requestId, due }: PlanningTask,
  { start }: Plan,
): OutboxRow {
  const lot = due.lotId === undefined ? {} : { lot: due.lotId };
  const data: AuctionPlanned = { id: facts.id, ...lot, startDate: formatLocalDate(start) };
  return outbox.row({
    type: 'auction.planned',
    schema: auctionEvents['auction.planned'].schema,
    subjectId: facts.id,
    // Of the tender that was planned for: its newer facts tell what became of the plan.
    version: facts.version,
    time: formatServerDate(clock.now()),
    data,
    correlationId: requestId,
  });
}
