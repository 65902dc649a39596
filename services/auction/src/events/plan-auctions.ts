import { auctionEvents, type AuctionPlanned } from '@procurement/contracts/events/auction.events';
import {
  formatLocalDate,
  formatServerDate,
  type Instant,
  type LocalDate,
} from '@procurement/contracts/reading/instant';
import type { TenderFacts } from '@procurement/contracts/resources/tender-facts';
import type { OutboxRow } from '@procurement/kit/messaging/publish/outbox';
import type pg from 'pg';
import type { PlanningDeps } from '../deps.ts';
import { comparePlans, planModeOf, type DueAuction, type PlanMode, type StoredPlan } from '../domain/auction-due.ts';
import { planAuction, slotKey, type Plan } from '../domain/auction-plan.ts';
import { isQuickAuction } from '@procurement/domain/acceleration';
import { tenderTime } from '@procurement/domain/tender-time';
import { nextFactVersions } from '../store/fact-versions.ts';
import { plansStore, type AuctionKey, type NewPlan } from '../store/plans.store.ts';

/** The newest facts of a tender, and the correlation id of their event. */
export interface TenderUpdate {
  readonly facts: TenderFacts;
  readonly requestId: string;
}

/** A published start that the tender still needs. */
interface RepeatTask extends TenderUpdate {
  readonly repeated: StoredPlan;
}

interface PlanningTask extends TenderUpdate {
  readonly due: DueAuction;
}

/**
 * Updates the plan after changes of tenders: frees slots, takes new ones, and appends `auction.planned` in the same
 * transaction. The replica must contain these facts already in `tx`. Idempotent.
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
  const repeats: RepeatTask[] = [];
  for (const { facts, requestId } of updates) {
    const { id: tenderId, version } = facts;
    // A late event: newer facts of this tender were planned already.
    if (version < (versions.get(tenderId) ?? 0)) continue;
    const changes = comparePlans(facts, storedPlans.get(tenderId) ?? [], tenderTime(deps.clock.now(), facts));
    freedKeys.push(...changes.free.map(({ lotId }) => ({ tenderId, lotId })));
    confirmedKeys.push(...changes.confirm.map(({ lotId }) => ({ tenderId, lotId })));
    repeats.push(...changes.repeat.map((repeated) => ({ facts, requestId, repeated })));
    tasks.push(...changes.plan.map((due) => ({ facts, requestId, due })));
  }
  await plansStore.release(tx, freedKeys);
  await plansStore.confirm(tx, confirmedKeys);
  if (tasks.length > 0 || repeats.length > 0) await planAll(deps, tx, tasks, repeats);
}

/** Plans in order of the updates: the first gets the earliest slot. Publishes the starts of `repeats` again. */
async function planAll(
  deps: PlanningDeps,
  tx: pg.PoolClient,
  tasks: readonly PlanningTask[],
  repeats: readonly RepeatTask[],
): Promise<void> {
  await plansStore.lock(tx);
  const takenSlotsOn = cacheTakenSlots(tx);
  const newPlans: NewPlan[] = [];
  const published: PublishedStart[] = repeats.map(({ repeated, ...update }) => ({ ...update, ...repeated }));
  for (const task of tasks) {
    const plan = await findPlan(deps, task, takenSlotsOn);
    newPlans.push({ tenderId: task.facts.id, lotId: task.due.lotId, mode: planModeOf(task.facts), plan });
    published.push({ ...task, lotId: task.due.lotId, start: plan.start });
  }
  await plansStore.insert(tx, newPlans);
  const keys = published.map(({ facts, lotId }) => ({ tenderId: facts.id, lotId }));
  await plansStore.touch(tx, keys);
  const versions = await nextFactVersions(tx, keys);
  await deps.outbox.append(
    tx,
    published.map((start, n) => plannedRow(deps, start, versions[n] ?? 0)),
  );
}

/** A start to publish: a new one, or one that may be lost. */
interface PublishedStart extends TenderUpdate {
  readonly lotId?: string | undefined;
  readonly start: Instant;
}

type TakenSlotsOn = (mode: PlanMode, day: LocalDate) => Promise<Set<string>>;

/** Reads each day once: under the lock only this transaction takes slots. */
function cacheTakenSlots(tx: pg.PoolClient): TakenSlotsOn {
  const days = new Map<string, Set<string>>();
  return async (mode, day) => {
    const cached = days.get(`${mode} ${day}`);
    if (cached !== undefined) return cached;
    const taken = await plansStore.takenSlots(tx, mode, day);
    days.set(`${mode} ${day}`, taken);
    return taken;
  };
}

async function findPlan(deps: PlanningDeps, { facts, due }: PlanningTask, takenSlotsOn: TakenSlotsOn): Promise<Plan> {
  const { shouldStartAfter } = due;
  const quick = isQuickAuction(facts, deps.config.SANDBOX_MODE);
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
  { facts, requestId, lotId, start }: PublishedStart,
  version: number,
): OutboxRow {
  const lot = lotId === undefined ? {} : { lot: lotId };
  const data: AuctionPlanned = { id: facts.id, ...lot, startDate: formatLocalDate(start), version };
  return outbox.row({
    type: 'auction.planned',
    schema: auctionEvents['auction.planned'].schema,
    subjectId: facts.id,
    version,
    time: formatServerDate(clock.now()),
    data,
    correlationId: requestId,
  });
}
