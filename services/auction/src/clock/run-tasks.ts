import type { Instant } from '@procurement/contracts/reading/instant';
import type { AuctionInput } from '@procurement/contracts/resources/auction';
import type { TenderFacts } from '@procurement/contracts/resources/tender-facts';
import type { RoundResult } from '@procurement/kit/runtime/scheduler';
import type { Deps } from '../deps.ts';
import { addressesPublished } from '../domain/hand-off.addresses.ts';
import { decideHandOff } from '../domain/hand-off.decide.ts';
import type { AuctionRef, BidderLink, HandOffMeta, OfferedBid, HandOffCommand } from '../domain/hand-off.ts';
import { makeAuctionUrl, makeParticipationUrl, specialTasks } from '../domain/special-mode.ts';
import { realTime, tenderTime } from '@procurement/domain/tender-time';
import type { StoredTask } from '../store/tasks.store.ts';

/**
 * Does what is due for auctions that nobody holds (tenders.md 7.4). Each task is claimed for some seconds, done in a
 * transaction of its own, and dropped after it: ended in between it comes again, and finds what was done.
 */
export async function runTasks(deps: Deps, max: number): Promise<RoundResult> {
  const now = deps.clock.now();
  const tasks = await deps.tasks.claim(now, max);
  for (const task of tasks) {
    try {
      await runTask(deps, task);
    } catch (error) {
      // A sibling is away, or others held the lock: it comes again when the claim ends.
      deps.log.warn({ err: error, tenderId: task.tenderId, kind: task.kind }, 'auction task put off');
    }
  }
  return { processed: tasks.length, latenessMaxMicros: tasks[0] === undefined ? 0 : now - tasks[0].dueAt };
}

async function runTask(deps: Deps, task: StoredTask): Promise<void> {
  const tender = await deps.tenders.refresh(task.tenderId);
  const isStillDue = tender !== undefined && isDue(deps, tender, task);
  if (isStillDue)
    await (task.kind === 'publish' ? publishAddresses(deps, tender, task) : reportUnchanged(deps, tender, task));
  await deps.tasks.drop(task);
}

/** What is not due any more (cancelled, over) is dropped; should it be due later, its news will bring it again. */
function isDue({ config, clock }: Deps, tender: TenderFacts, { kind, lot }: StoredTask): boolean {
  const task = specialTasks(tender, config.SANDBOX_MODE).find((one) => one.kind === kind && one.lot === lot);
  return task !== undefined && realTime(task.dueAt, tender) <= clock.now();
}

/** Addresses as a component would publish them; once, so that links already given out stay as they are. */
async function publishAddresses(deps: Deps, tender: TenderFacts, { lot, requestId }: StoredTask): Promise<void> {
  const bids = await deps.otherServices.offeredBids(tender.id);
  const auctionUrl = makeAuctionUrl(deps.config.AUCTIONS_URL ?? deps.config.PUBLIC_BASE_URL, tender.id, { lot });
  const links = bids
    .filter((bid) => takesPart(bid, { lot }))
    .map(({ id }): BidderLink => {
      const participationUrl = makeParticipationUrl(auctionUrl, id, deps.ids.nextToken());
      return { id, lot, participationUrl };
    });
  await deps.handOff.write({ tender, lot, requestId }, ({ addresses }) => {
    if (addresses.auctions.some((known) => known.lot === lot)) return { accepted: [] };
    const event = addressesPublished(addresses, { lot }, auctionUrl, links);
    return { accepted: event === undefined ? [] : [event] };
  });
}

function takesPart({ lotValues = [] }: OfferedBid, { lot }: AuctionRef): boolean {
  return lot === undefined || lotValues.some(({ relatedLot }) => relatedLot === lot);
}

/** All bids unchanged, as the component reports them that nobody bid in (bids-awards-auction.md 2.10). */
async function reportUnchanged(deps: Deps, tender: TenderFacts, { lot, requestId }: StoredTask): Promise<void> {
  const bids = await deps.otherServices.offeredBids(tender.id);
  const command: HandOffCommand = { kind: 'results', by: 'POST', lot, input: NO_CHANGES };
  const outcome = await deps.handOff.write({ tender, lot, requestId }, ({ recorded, addresses, now }) =>
    decideHandOff({ tender, bids, recorded, addresses }, command, componentMeta(deps, tenderTime(now, tender))),
  );
  if ('refused' in outcome) deps.log.info({ tenderId: tender.id, code: outcome.refused.code }, 'auction task refused');
}

const NO_CHANGES: AuctionInput = {};

/** This service in the place of the component, under the rules that hold for it. */
function componentMeta({ settings }: Deps, now: Instant): HandOffMeta {
  return { now, settings, ownsTender: false, actor: { group: 'auction', levels: '', segment: '2.5' } };
}
