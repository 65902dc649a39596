import type { AskAgain } from '@procurement/kit/messaging/request/ask-again';
import type { DueWait } from '@procurement/kit/messaging/request/flow-waits';
import type { Deps } from '../deps.ts';
import { hasAddress, hasOutcome } from '../domain/auction-outcome.ts';
import { auctionUrlOf } from '../domain/hand-off.addresses.ts';
import { AUCTION_STATUS } from '../domain/hand-off.guards.ts';
import { readWaitId, type HandOffFlow } from '../store/hand-off-waits.ts';

const REQUEST_ID = 'ask again';

/**
 * How this service asks again, by flow: it looks at the tender, and at the links that the bids have, and publishes the fact
 * again as a newer one while they lack it. A service that does not respond leaves the wait for its next repetition.
 */
export function askAgain(deps: Pick<Deps, 'handOff' | 'otherServices'>): Readonly<Record<HandOffFlow, AskAgain>> {
  return {
    addresses: async (wait) => repeatAddresses(deps, wait),
    results: async (wait) => repeatResults(deps, wait),
  };
}

async function repeatAddresses(
  { handOff, otherServices }: Pick<Deps, 'handOff' | 'otherServices'>,
  { id, version }: DueWait,
): Promise<'asked' | 'answered'> {
  const { tenderId, ...auction } = readWaitId(id);
  const [{ publicTender }, addresses] = await Promise.all([otherServices.view(tenderId), handOff.addresses(tenderId)]);
  if (publicTender.status !== AUCTION_STATUS) return 'answered';
  const haveLinks = ((await otherServices.linksVersion(tenderId)) ?? 0) >= version;
  if (haveLinks && hasAddress(publicTender, addresses, auction)) return 'answered';
  const auctionUrl = auctionUrlOf(addresses, auction);
  // The event carries no links: the bids service requests them.
  const event = {
    type: 'AddressesPublished',
    ...auction,
    ...(auctionUrl === undefined ? {} : { auctionUrl }),
    bids: [],
  } as const;
  await handOff.repeat(tenderId, event, REQUEST_ID);
  return 'asked';
}

async function repeatResults(
  { handOff, otherServices }: Pick<Deps, 'handOff' | 'otherServices'>,
  { id }: DueWait,
): Promise<'asked' | 'answered'> {
  const { tenderId, ...auction } = readWaitId(id);
  const report = await handOff.report(tenderId, auction);
  if (report === undefined) return 'answered';
  if (hasOutcome((await otherServices.view(tenderId)).publicTender, auction)) return 'answered';
  await handOff.repeat(tenderId, { type: 'ResultsReported', ...report }, REQUEST_ID);
  return 'asked';
}
