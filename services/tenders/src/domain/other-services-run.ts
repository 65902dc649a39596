import type { AuctionRun, AwardsRun } from '@procurement/contracts/events/run-due';
import { lotsOf } from '@procurement/domain/lots';
import { openAuctions } from './auction-period.ts';
import type { TenderParts } from './tender.ts';

/** What other services say that they ran of a tender. Absent: the service has nothing of it, or did not answer. */
export interface OtherServicesRun {
  readonly awards?: AwardsRun | undefined;
  readonly auction?: AuctionRun | undefined;
}

/** Whether the awards service or the auction service may have something due of this tender. */
export function mayBeDueElsewhere({ document, awards }: TenderParts): {
  readonly awards: boolean;
  readonly auction: boolean;
} {
  return { awards: awards !== undefined, auction: document.status === 'active.auction' };
}

/** Whether the tender shows what the other services ran (ruling R18). */
export function showsRun(tender: TenderParts, { awards, auction }: OtherServicesRun): boolean {
  if (awards !== undefined && (tender.awards?.version ?? 0) < awards.version) return false;
  const { published = [], reported = [] } = auction ?? {};
  const open = tender.bidding.phase === 'sealed' ? openAuctions(tender) : [];
  return (
    published.every(({ lot }) => auctionUrlOf(tender, lot) !== undefined) &&
    reported.every(({ lot }) => !open.some((one) => one.lot === lot))
  );
}

function auctionUrlOf({ document }: TenderParts, lot: string | undefined): string | undefined {
  return lot === undefined ? document.auctionUrl : lotsOf(document).find(({ id }) => id === lot)?.auctionUrl;
}
