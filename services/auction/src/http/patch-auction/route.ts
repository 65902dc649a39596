import type { Handler } from '@procurement/kit/mount';
import { sendJson } from '@procurement/kit/server';
import type { FastifyRequest } from 'fastify';
import type { Deps } from '../../deps.ts';
import { auctionRecord, withReported, type AuctionRecord } from '../../domain/auction-record.ts';
import { withTriedOut } from '../../domain/auction-trial.ts';
import { resultsOf } from '../../domain/hand-off.results.ts';
import { metaOf } from '../meta.ts';
import { shownAddress, shownOutcome } from '../outcome.ts';
import { recordView } from '../record.view.ts';
import { writeAuction, type Accepted } from '../write-auction.ts';

/**
 * `PATCH /tenders/{id}/auction[/{lot}]`: publishes addresses (bids-awards-auction.md 2.3) or, in older segments and without
 * any address in it, reports results (2.7). Answers the record after that, with amounts as they were reported.
 */
export function patchAuction(deps: Deps): Handler {
  return async (request, reply) => {
    const accepted = await writeAuction(deps, request, 'PATCH');
    return sendJson(reply, 200, await answerOf(deps, request, accepted));
  };
}

async function answerOf(deps: Deps, request: FastifyRequest, accepted: Accepted): Promise<string> {
  const { tender, wish, bids } = accepted;
  const shownAfter = wish.kind === 'results' ? shownOutcome : shownAddress;
  const { shown } = await shownAfter(deps, tender.id, wish);
  const record = auctionRecord(shown, bids, await deps.handOff.addresses(tender.id));
  const meta = metaOf(deps, request, tender, deps.clock.now());
  return recordView(withSent(record, accepted), shown.status, meta);
}

/** The record with what was reported, and as it is where nothing could be: without a lot, on a tender with lots. */
function withSent(record: AuctionRecord, { tender, wish, bids, isTrial }: Accepted): AuctionRecord {
  const isOfNothing = wish.lot === undefined && (tender.lots ?? []).length > 0;
  if (wish.kind !== 'results' || isOfNothing) return record;
  if (isTrial && wish.lot === undefined) return withTriedOut(record, wish.input, tender);
  return withReported(record, resultsOf(tender.id, wish, bids, wish.input));
}
