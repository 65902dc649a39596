import type { TenderFacts } from '@procurement/contracts/resources/tender-facts';
import type { Deps } from '../deps.ts';
import { canBeOpened } from '../domain/document.visibility.ts';

/**
 * Whether the bids of a tender can have been opened, whatever the requester says. Asks the owner of the tender only when the local
 * copy says otherwise: it may lag.
 */
export async function biddingHasEnded(
  { tenders, clock }: Pick<Deps, 'tenders' | 'clock'>,
  tenderId: string,
  known: TenderFacts | undefined,
): Promise<boolean> {
  if (known !== undefined && canBeOpened(known, clock.now())) return true;
  const tender = await tenders.refresh(tenderId);
  return tender !== undefined && canBeOpened(tender, clock.now());
}
