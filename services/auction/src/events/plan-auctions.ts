import { auctionEvents, type AuctionPlanned } from '@procurement/contracts/events/auction.events';
import { formatLocalDate, formatServerDate, type LocalDate } from '@procurement/contracts/instant';
import type { TenderFacts } from '@procurement/contracts/resources/tender-facts';
import type { OutboxRow } from '@procurement/kit/outbox';
import type pg from 'pg';
import type { Planning } from '../deps.ts';
import { isQuick, judge, planModeOf, type DueAuction, type PlanMode } from '../domain/auction-due.ts';
import { planAuction, placeKey, type Plan } from '../domain/auction-plan.ts';
import { tenderTime } from '../domain/tender-time.ts';
import { plansStore, type AuctionKey, type MadePlan } from '../store/plans.store.ts';

/** A tender's newest facts, and the request that led to them. */
export interface TenderNews {
  readonly facts: TenderFacts;
  readonly requestId: string;
}

interface Task extends TenderNews {
  readonly due: DueAuction;
}

/**
 * Brings the plan in line with what tenders say: frees places, takes new ones, and tells of them by `auction.planned` in the
 * same transaction. `tx` must hold these facts in the replica already. Told the same twice, it does nothing the second time.
 */
export async function planAuctions(deps: Planning, tx: pg.PoolClient, news: readonly TenderNews[]): Promise<void> {
  if (news.length === 0) return;
  const ids = news.map(({ facts }) => facts.id);
  const versions = await plansStore.versions(tx, ids);
  const held = await plansStore.held(tx, ids);
  const free: AuctionKey[] = [];
  const confirm: AuctionKey[] = [];
  const tasks: Task[] = [];
  for (const { facts, requestId } of news) {
    const { id: tenderId, version } = facts;
    // A late event: what it says was planned from, or has passed.
    if (version < (versions.get(tenderId) ?? 0)) continue;
    const judgement = judge(facts, held.get(tenderId) ?? [], tenderTime(deps.clock.now(), facts));
    free.push(...judgement.free.map(({ lotId }) => ({ tenderId, lotId })));
    confirm.push(...judgement.confirm.map(({ lotId }) => ({ tenderId, lotId })));
    tasks.push(...judgement.plan.map((due) => ({ facts, requestId, due })));
  }
  await plansStore.free(tx, free);
  await plansStore.confirm(tx, confirm);
  if (tasks.length > 0) await plan(deps, tx, tasks);
}

/** One after the other, in the order in which tenders were heard of: the first gets the earliest place. */
async function plan(deps: Planning, tx: pg.PoolClient, tasks: readonly Task[]): Promise<void> {
  await plansStore.lock(tx);
  const takenOn = rememberTaken(tx);
  const made: MadePlan[] = [];
  const rows: OutboxRow[] = [];
  for (const task of tasks) {
    const found = await findPlan(deps, task, takenOn);
    made.push({ tenderId: task.facts.id, lotId: task.due.lotId, mode: planModeOf(task.facts), plan: found });
    rows.push(plannedRow(deps, task, found));
  }
  await plansStore.keep(tx, made);
  await deps.outbox.append(tx, rows);
}

type TakenOn = (mode: PlanMode, day: LocalDate) => Promise<Set<string>>;

/** Reads each day once: under the lock only this transaction takes places. */
function rememberTaken(tx: pg.PoolClient): TakenOn {
  const days = new Map<string, Set<string>>();
  return async (mode, day) => {
    const known = days.get(`${mode} ${day}`);
    if (known !== undefined) return known;
    const taken = await plansStore.taken(tx, mode, day);
    days.set(`${mode} ${day}`, taken);
    return taken;
  };
}

async function findPlan(deps: Planning, { facts, due }: Task, takenOn: TakenOn): Promise<Plan> {
  const { shouldStartAfter } = due;
  const quick = isQuick(facts, deps.config.SANDBOX_MODE);
  const mode = planModeOf(facts);
  const search = planAuction(
    { shouldStartAfter, now: tenderTime(deps.clock.now(), facts), quick },
    deps.planSettings,
    deps.random,
  );
  let step = search.next();
  while (step.done !== true) step = search.next(await takenOn(mode, step.value));
  const { place } = step.value;
  if (place !== undefined) (await takenOn(mode, place.day)).add(placeKey(place));
  return step.value;
}

function plannedRow({ outbox, clock }: Planning, { facts, requestId, due }: Task, { start }: Plan): OutboxRow {
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
