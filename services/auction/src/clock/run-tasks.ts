import type { Instant } from '@procurement/contracts/reading/instant';
import type { AuctionInput } from '@procurement/contracts/resources/auction';
import type { TenderFacts } from '@procurement/contracts/resources/tender-facts';
import { inParallel } from '@procurement/kit/runtime/in-parallel';
import type { RoundResult } from '@procurement/kit/service/scheduler';
import { playsSpecialModes } from '../config.ts';
import type { Deps } from '../deps.ts';
import { addressesPublished } from '../domain/hand-off.addresses.ts';
import { decideHandOff } from '../domain/hand-off.decide.ts';
import type { AuctionRef, BidderLink, HandOffMeta, OfferedBid, HandOffCommand } from '../domain/hand-off.ts';
import { isBeforeAuction, makeAuctionUrl, makeParticipationUrl, specialTasks } from '../domain/special-mode.ts';
import { lotIsOpen } from '@procurement/domain/lots';
import { isFinal } from '@procurement/domain/tender-status';
import { realTime, tenderTime } from '@procurement/domain/tender-time';
import type { StoredTask } from '../store/tasks.store.ts';

/** Tenders whose tasks run at the same time: each may hold one connection, or wait for another service or the end of a freeze. */
const CONCURRENT_MAX = 8;

/**
 * Runs due tasks of auctions in special modes (tenders.md 7.4). Each task is claimed for some seconds, executed in its own
 * transaction, and deleted after that. If the process ends in between, the task runs again without a second effect. The tasks of
 * one tender follow one another; a tender that waits holds no other.
 */
export async function runTasks(deps: Deps, max: number): Promise<RoundResult> {
  const now = deps.clock.now();
  const tasks = await deps.tasks.claim(now, max);
  await inParallel(tasksByTender(tasks), CONCURRENT_MAX, async (own) => {
    for (const task of own) await tryTask(deps, task);
  });
  return { processed: tasks.length, latenessMaxMicros: tasks[0] === undefined ? 0 : now - tasks[0].dueAt };
}

/** The tasks of each tender, in their order. */
function tasksByTender(tasks: readonly StoredTask[]): (readonly StoredTask[])[] {
  const byTender = new Map<string, StoredTask[]>();
  for (const task of tasks) byTender.set(task.tenderId, [...(byTender.get(task.tenderId) ?? []), task]);
  return [...byTender.values()];
}

async function tryTask(deps: Deps, task: StoredTask): Promise<void> {
  try {
    await runTask(deps, task);
  } catch (error) {
    // Another service is unavailable, the tender is frozen, or the lock was taken. The task becomes due again when its claim ends.
    deps.log.warn({ err: error, tenderId: task.tenderId, kind: task.kind }, 'auction task failed, will be retried');
  }
}

async function runTask(deps: Deps, task: StoredTask): Promise<void> {
  const tender = await deps.tenders.refresh(task.tenderId);
  // The tender is being closed. The task becomes due again when its claim ends.
  if (tender !== undefined && isBeforeAuction(tender)) return;
  const isStillDue = tender !== undefined && isDue(deps, tender, task);
  if (isStillDue) await runDueTask(deps, tender, task);
  await deps.tasks.drop(task);
}

/** Has no second effect when it runs again, also at the same time. */
export async function runDueTask(deps: Deps, tender: TenderFacts, task: StoredTask): Promise<void> {
  // Before the report too: the event by which the publication is scheduled may be lost.
  const tasks = specialTasks(tender, playsSpecialModes(deps.config));
  if (tasks.some(({ kind, lot }) => kind === 'publish' && lot === task.lot)) await publishAddresses(deps, tender, task);
  if (task.kind === 'report') await reportUnchanged(deps, tender, task);
}

/** Whether the task is still due. If not (tender cancelled or ended), it is dropped; a later event can schedule it again. */
function isDue({ config, clock }: Deps, tender: TenderFacts, { kind, lot }: StoredTask): boolean {
  const task = specialTasks(tender, playsSpecialModes(config)).find((one) => one.kind === kind && one.lot === lot);
  return task !== undefined && realTime(task.dueAt, tender) <= clock.now();
}

/**
 * Publishes addresses like an auction component, once: links that bidders already have stay valid. Without `AUCTIONS_URL` nothing shows
 * the auction, and an address would lead nowhere.
 */
async function publishAddresses(deps: Deps, tender: TenderFacts, { lot, requestId }: StoredTask): Promise<void> {
  const { AUCTIONS_URL } = deps.config;
  if (AUCTIONS_URL === undefined) return;
  const bids = await deps.otherServices.offeredBids(tender.id);
  const auctionUrl = makeAuctionUrl(AUCTIONS_URL, tender.id, { lot });
  const links = bids
    .filter((bid) => takesPart(bid, { lot }))
    .map(({ id }): BidderLink => {
      const participationUrl = makeParticipationUrl(auctionUrl, id, deps.ids.nextToken());
      return { id, lot, participationUrl };
    });
  await deps.handOff.write({ tender, lot, requestId }, ({ tender: current, addresses }) => {
    // Cancelled since the task was found due.
    if (isFinal(current.status) || !lotIsOpen(current, lot)) return { accepted: [] };
    if (addresses.auctions.some((published) => published.lot === lot)) return { accepted: [] };
    const event = addressesPublished(addresses, { lot }, auctionUrl, links);
    return { accepted: event === undefined ? [] : [event] };
  });
}

function takesPart({ lotValues = [] }: OfferedBid, { lot }: AuctionRef): boolean {
  return lot === undefined || lotValues.some(({ relatedLot }) => relatedLot === lot);
}

/** Reports all bids unchanged, as an auction component does when nobody lowers a bid (bids-awards-auction.md 2.10). */
async function reportUnchanged(deps: Deps, tender: TenderFacts, { lot, requestId }: StoredTask): Promise<void> {
  const bids = await deps.otherServices.offeredBids(tender.id);
  const command: HandOffCommand = { kind: 'results', by: 'POST', lot, input: NO_CHANGES };
  const outcome = await deps.handOff.write({ tender, lot, requestId }, ({ now, ...state }) =>
    decideHandOff({ ...state, bids }, command, componentMeta(deps, tenderTime(now, state.tender))),
  );
  if ('refused' in outcome) deps.log.info({ tenderId: tender.id, code: outcome.refused.code }, 'auction task refused');
}

const NO_CHANGES: AuctionInput = {};

/** The service acts as the auction component, under the same rules. */
function componentMeta({ settings }: Deps, now: Instant): HandOffMeta {
  return { now, settings, ownsTender: false, actor: { group: 'auction', levels: '', segment: '2.5' } };
}
