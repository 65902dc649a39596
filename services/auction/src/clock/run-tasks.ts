import type { Instant } from '@procurement/contracts/instant';
import type { AuctionInput } from '@procurement/contracts/resources/auction';
import type { TenderFacts } from '@procurement/contracts/resources/tender-facts';
import type { Round } from '@procurement/kit/scheduler';
import type { Deps } from '../deps.ts';
import { published } from '../domain/hand-off.addresses.ts';
import { decideHandOff } from '../domain/hand-off.decide.ts';
import type { AuctionOf, BidderLink, HandOffMeta, OfferedBid, Wish } from '../domain/hand-off.ts';
import { auctionAddress, bidderAddress, tasksOf } from '../domain/special-mode.ts';
import { everybodysTime, tenderTime } from '../domain/tender-time.ts';
import type { StoredTask } from '../store/tasks.store.ts';

/**
 * Does what is due for auctions that nobody holds (tenders.md 7.4). Each task is claimed for some seconds, done in a
 * transaction of its own, and dropped after it: ended in between it comes again, and finds what was done.
 */
export async function runTasks(deps: Deps, max: number): Promise<Round> {
  const now = deps.clock.now();
  const tasks = await deps.tasks.claim(now, max);
  for (const task of tasks) {
    try {
      await run(deps, task);
    } catch (error) {
      // A sibling is away, or others held the lock: it comes again when the claim ends.
      deps.log.warn({ err: error, tenderId: task.tenderId, kind: task.kind }, 'auction task put off');
    }
  }
  return { acted: tasks.length, latestMicros: tasks[0] === undefined ? 0 : now - tasks[0].dueAt };
}

async function run(deps: Deps, task: StoredTask): Promise<void> {
  const tender = await deps.tenders.refresh(task.tenderId);
  const isStillDue = tender !== undefined && isDue(deps, tender, task);
  if (isStillDue) await (task.kind === 'publish' ? publish(deps, tender, task) : report(deps, tender, task));
  await deps.tasks.drop(task);
}

/** What is not due any more (cancelled, over) is dropped; should it be due later, its news will bring it again. */
function isDue({ config, clock }: Deps, tender: TenderFacts, { kind, lot }: StoredTask): boolean {
  const task = tasksOf(tender, config.SANDBOX_MODE).find((one) => one.kind === kind && one.lot === lot);
  return task !== undefined && everybodysTime(task.dueAt, tender) <= clock.now();
}

/** Addresses as a component would publish them; once, so that links already given out stay as they are. */
async function publish(deps: Deps, tender: TenderFacts, { lot, requestId }: StoredTask): Promise<void> {
  const bids = await deps.siblings.offeredBids(tender.id);
  const auctionUrl = auctionAddress(deps.config.AUCTIONS_URL ?? deps.config.PUBLIC_BASE_URL, tender.id, { lot });
  const links = bids
    .filter((bid) => takesPart(bid, { lot }))
    .map(({ id }): BidderLink => {
      const participationUrl = bidderAddress(auctionUrl, id, deps.mint.token());
      return { id, lot, participationUrl };
    });
  await deps.handOff.write({ tender, lot, requestId }, ({ addresses }) => {
    if (addresses.auctions.some((known) => known.lot === lot)) return { accepted: [] };
    const event = published(addresses, { lot }, auctionUrl, links);
    return { accepted: event === undefined ? [] : [event] };
  });
}

function takesPart({ lotValues = [] }: OfferedBid, { lot }: AuctionOf): boolean {
  return lot === undefined || lotValues.some(({ relatedLot }) => relatedLot === lot);
}

/** All bids unchanged, as the component reports them that nobody bid in (bids-awards-auction.md 2.10). */
async function report(deps: Deps, tender: TenderFacts, { lot, requestId }: StoredTask): Promise<void> {
  const bids = await deps.siblings.offeredBids(tender.id);
  const wish: Wish = { kind: 'results', by: 'POST', lot, input: UNCHANGED };
  const outcome = await deps.handOff.write({ tender, lot, requestId }, ({ recorded, addresses, now }) =>
    decideHandOff({ tender, bids, recorded, addresses }, wish, ownMeta(deps, tenderTime(now, tender))),
  );
  if ('refused' in outcome) deps.log.info({ tenderId: tender.id, code: outcome.refused.code }, 'auction task refused');
}

const UNCHANGED: AuctionInput = {};

/** This service in the place of the component, under the rules that hold for it. */
function ownMeta({ settings }: Deps, now: Instant): HandOffMeta {
  return { now, settings, ownsTender: false, actor: { group: 'auction', levels: '', segment: '2.5' } };
}
