import type { Handler } from '@procurement/kit/http/mount';
import { sendJson } from '@procurement/kit/http/server';
import type { FastifyRequest } from 'fastify';
import type { Deps } from '../deps.ts';
import { auctionRecord, withReported, type AuctionRecord } from '../domain/auction-record.ts';
import { withTrialValues } from '../domain/auction-trial.ts';
import { buildResults } from '../domain/hand-off.results.ts';
import { buildMeta } from './meta.ts';
import { awaitAddress, awaitOutcome } from './await-view.ts';
import { recordView } from './record.view.ts';
import { writeAuction, type AcceptedCommand } from './write-auction.ts';

/**
 * `PATCH /tenders/{id}/auction[/{lot}]`: publishes addresses (bids-awards-auction.md 2.3) or, in older segments and without an
 * address, reports results (bids-awards-auction.md 2.7). Answers the record after that, with the reported amounts.
 */
export function patchAuction(deps: Deps): Handler {
  return async (request, reply) => {
    const accepted = await writeAuction(deps, request, 'PATCH');
    return sendJson(reply, 200, await responseBody(deps, request, accepted));
  };
}

async function responseBody(deps: Deps, request: FastifyRequest, accepted: AcceptedCommand): Promise<string> {
  const { tender, command, bids } = accepted;
  const awaitView = command.kind === 'results' ? awaitOutcome : awaitAddress;
  const { publicTender } = await (request.isDryRun
    ? deps.otherServices.view(tender.id, request)
    : awaitView(deps, tender.id, command, request));
  const addresses = request.isDryRun ? accepted.addresses : await deps.handOff.addresses(tender.id);
  const record = auctionRecord(publicTender, bids, addresses);
  const meta = buildMeta(deps, request, tender, deps.clock.now());
  return recordView(withReportedValues(record, accepted), publicTender.status, meta);
}

/** The record with the reported values. Unchanged for a request without a lot on a tender with lots, which has no effect. */
function withReportedValues(record: AuctionRecord, { tender, command, bids, isTrial }: AcceptedCommand): AuctionRecord {
  const hasNoEffect = command.lot === undefined && (tender.lots ?? []).length > 0;
  if (command.kind !== 'results' || hasNoEffect) return record;
  if (isTrial && command.lot === undefined) return withTrialValues(record, command.input, tender);
  return withReported(record, buildResults(tender.id, command, bids, command.input));
}
