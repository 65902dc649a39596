import type { Instant } from '@procurement/contracts/instant';
import type { TenderFacts } from '@procurement/contracts/resources/tender-facts';
import type { Deps } from '../deps.ts';
import { decideBid } from '../domain/bid.decide.ts';
import type { BidCommand, BidEvent, BidState } from '../domain/bid.ts';
import { tenderTime } from '../domain/tender-time.ts';
import { decideFreshly } from './decide-freshly.ts';

export interface WriteWish {
  readonly tender: TenderFacts;
  /** The bid of the path, when it names one. */
  readonly bid?: BidState;
  readonly requestId: string;
  /** The command as it stands at that time of the tender. */
  commandAt(now: Instant): BidCommand;
  /** What has to be done of an event before it is stored, or why it cannot be; done again, it changes nothing more. */
  prepare?(events: readonly BidEvent[]): Promise<void>;
}

/**
 * Carries out one command and gives the bid after it; throws its refusal. Decided twice: outside, so that what is refused
 * holds no lock (those who come after the end would keep the closing waiting), then for good, under the locks.
 */
export async function writeBid(deps: Deps, wish: WriteWish): Promise<BidState> {
  const { bid, requestId, commandAt, prepare } = wish;
  const { bid: written } = await decideFreshly(deps, wish.tender, async (tender) => {
    const outside = decideBid({ tender, phase: 'open', bid }, commandAt(tenderTime(deps.clock.now(), tender)));
    if ('refused' in outside) return outside;
    await prepare?.(outside.accepted);
    return deps.bids.write({ tenderId: tender.id, bidId: bid?.id, requestId }, ({ now, ...found }) =>
      decideBid({ tender, ...found }, commandAt(tenderTime(now, tender))),
    );
  });
  return written;
}
