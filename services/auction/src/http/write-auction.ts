import type { Problem } from '@procurement/contracts/problems/problems';
import type { TenderFacts } from '@procurement/contracts/resources/tender-facts';
import { ProblemError } from '@procurement/kit/runtime/problem-error';
import { readJsonBody } from '@procurement/kit/http/body';
import { etagOf, preconditionRefusal } from '@procurement/kit/http/etag';
import type { FastifyRequest } from 'fastify';
import type { Deps } from '../deps.ts';
import { isTrialCommand } from '../domain/auction-trial.ts';
import { decideHandOff, readCommand } from '../domain/hand-off.decide.ts';
import { auctionRecord } from '../domain/auction-record.ts';
import type { Addresses, OfferedBid, HandOffCommand } from '../domain/hand-off.ts';
import { buildMeta } from './meta.ts';
import { recordView } from './record.view.ts';
import { loadFreshTender, lotIdOf } from './path.ts';

/** An accepted command, with the tender and the bids that it was decided by. */
export interface AcceptedCommand {
  readonly tender: TenderFacts;
  readonly command: HandOffCommand;
  readonly bids: readonly OfferedBid[];
  /** The published addresses after it. */
  readonly addresses: Addresses;
  /** Whether it had no effect because of open guards. */
  readonly isTrial: boolean;
}

/** Parses, decides and stores a write. Throws its refusal, and 503 while the bids service is unavailable. */
export async function writeAuction(
  deps: Deps,
  request: FastifyRequest,
  method: 'PATCH' | 'POST',
): Promise<AcceptedCommand> {
  const tender = await loadFreshTender(deps, request);
  const lot = lotIdOf(request);
  const body = readJsonBody(request.headers['content-type'], request.body);
  const meta = buildMeta(deps, request, tender, deps.clock.now());
  const reading = readCommand(tender, { method, lot, body }, meta);
  if ('refused' in reading) throw new ProblemError(reading.refused);
  const { command } = reading;
  const bids = await deps.otherServices.offeredBids(tender.id, request);
  const { id: requestId, audit } = request;
  const precondition = await makePrecondition(deps, request, tender, bids);
  const outcome = await deps.handOff.write(
    { tender, lot, requestId, isDryRun: request.isDryRun, audit },
    ({ now, ...state }) => {
      const decision = decideHandOff({ ...state, bids }, command, buildMeta(deps, request, state.tender, now));
      const refused = 'refused' in decision ? undefined : precondition(state.addresses);
      return refused === undefined ? decision : { refused };
    },
  );
  if ('refused' in outcome) throw new ProblemError(outcome.refused);
  const { addresses } = outcome;
  return { tender, command, bids, addresses, isTrial: isTrialCommand(tender, command, meta) };
}

/** The check of `If-Match`, by the record as GET shows it. The addresses are those under the lock of the write. */
async function makePrecondition(
  deps: Deps,
  request: FastifyRequest,
  tender: TenderFacts,
  bids: readonly OfferedBid[],
): Promise<(addresses: Addresses) => Problem | undefined> {
  if (request.headers['if-match'] === undefined) return () => undefined;
  const { publicTender } = await deps.otherServices.view(tender.id, request);
  const meta = buildMeta(deps, request, tender, deps.clock.now());
  return (addresses) =>
    preconditionRefusal(request, () =>
      etagOf(recordView(auctionRecord(publicTender, bids, addresses), publicTender.status, meta)),
    );
}
