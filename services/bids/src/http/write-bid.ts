import type { Instant } from '@procurement/contracts/reading/instant';
import type { TenderFacts } from '@procurement/contracts/resources/tender-facts';
import type { Deps } from '../deps.ts';
import { decideBid } from '../domain/bid.decide.ts';
import type { BidCommand, BidEvent, BidState } from '../domain/bid.ts';
import { tenderTime } from '@procurement/domain/tender-time';
import { decideWithRefresh } from '@procurement/kit/http/decide-with-refresh';
import { dependsOnTender } from '../domain/bid.guards.ts';
import { refreshableTender } from './path.ts';

export interface WriteBidInput {
  readonly tender: TenderFacts;
  /** The bid of the path, when it names one. */
  readonly bid?: BidState;
  readonly requestId: string;
  /** The command as it stands at that time of the tender. */
  commandAt(now: Instant): BidCommand;
  /** What has to be done of an event before it is stored, or why it cannot be; done again, it changes nothing more. */
  beforeStore?(events: readonly BidEvent[]): Promise<void>;
}

/**
 * Carries out one command and gives the bid after it; throws its refusal. Decided twice: outside, so that what is refused
 * holds no lock (those who come after the end would keep the closing waiting), then for good, under the locks.
 */
export async function writeBid(deps: Deps, input: WriteBidInput): Promise<BidState> {
  const { bid, requestId, commandAt, beforeStore } = input;
  const { bid: written } = await decideWithRefresh(
    refreshableTender(deps, input.tender),
    dependsOnTender,
    async (tender) => {
      const preliminary = decideBid({ tender, phase: 'open', bid }, commandAt(tenderTime(deps.clock.now(), tender)));
      if ('refused' in preliminary) return preliminary;
      await beforeStore?.(preliminary.accepted);
      return deps.bids.write({ tenderId: tender.id, bidId: bid?.id, requestId }, ({ now, ...found }) =>
        decideBid({ tender, ...found }, commandAt(tenderTime(now, tender))),
      );
    },
  );
  return written;
}
