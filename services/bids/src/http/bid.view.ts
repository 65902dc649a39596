import { askSubjects } from '@procurement/contracts/events/subjects';
import { toJsonText } from '@procurement/contracts/json-text';
import { ask } from '@procurement/kit/ask';
import { z } from 'zod';
import type { Deps } from '../deps.ts';
import type { BidState } from '../domain/bid.ts';

const Documents = z.array(z.looseObject({ id: z.string() }));

/**
 * A bid as its owner, and after the opening everybody, sees it: all but who owns it (bids-awards-auction.md 1.5), with the
 * all versions of its documents. Those are asked for: nothing of a sealed bid's files is told to anybody before. Without
 * an answer the bid is shown without them, because what is offered does not hang on another service.
 */
export async function bidView({ bus }: Pick<Deps, 'bus'>, bid: BidState): Promise<string> {
  const asked = await ask(bus, askSubjects.bidDocuments, { id: bid.id });
  const found = asked.kind === 'answer' ? Documents.safeParse(asked.value) : undefined;
  const documents = found?.success === true && found.data.length > 0 ? found.data : undefined;
  return toJsonText(documents === undefined ? bid.document : { ...bid.document, documents });
}

/** The same of a bid that was just made without documents, or is no more: neither has any to be shown. */
export function bareBidView(bid: BidState): string {
  return toJsonText(bid.document);
}

/**
 * The answer to a change by somebody who may not see the bid: the Administrator corrects who the bidder is, and learns
 * nothing of what is offered.
 */
export function sealedBidView({ document }: BidState): string {
  const { id, date, status, tenderers } = document;
  return toJsonText({ id, date, status, tenderers });
}
