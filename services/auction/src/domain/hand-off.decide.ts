import type { BodyResult } from '@procurement/contracts/reading/body-result';
import { formatServerDate } from '@procurement/contracts/reading/instant';
import { invalid, problem, type Problem } from '@procurement/contracts/problems/problems';
import { parseWith } from '@procurement/contracts/reading/parse-with';
import { auctionApi } from '@procurement/contracts/api/auction.api';
import type { TenderFacts } from '@procurement/contracts/resources/tender-facts';
import type { Decision } from '@procurement/domain/decision';
import { isTrialCommand } from './auction-trial.ts';
import { newAddresses } from './hand-off.addresses.ts';
import { entryFaults, unknownBidFaults } from './hand-off.entries.ts';
import { patchKindOf } from './hand-off.patch-kind.ts';
import { isRepeatable, writeStateRefusal } from './hand-off.guards.ts';
import { canonicalText, buildResults } from './hand-off.results.ts';
import { patchKindRefusal, writeRefusal } from './hand-off.roles.ts';
import { termsFaults } from './hand-off.terms.ts';
import type { AuctionRef, HandOffEvent, HandOffMeta, HandOffState, HandOffCommand } from './hand-off.ts';

/** A request before its body is parsed and its caller is checked. */
export interface HandOffRequest extends AuctionRef {
  readonly method: 'PATCH' | 'POST';
  readonly body: BodyResult;
}

/**
 * Parses a request and checks its caller, before the sealed bids are requested. Refusals in the order of http.md 0.2: 404 of
 * the lot, 415, 401, 403, then those of the body.
 */
export function readCommand(
  tender: TenderFacts,
  { method, lot, body }: HandOffRequest,
  meta: HandOffMeta,
): { readonly command: HandOffCommand } | { readonly refused: Problem } {
  const lotRefusal = missingLotRefusal(tender, { lot });
  if (lotRefusal !== undefined) return { refused: lotRefusal };
  if (body.kind === 'refused' && body.problem.status === 415) return { refused: body.problem };
  const forbidden = writeRefusal(method, tender, meta);
  if (forbidden !== undefined) return { refused: forbidden };
  if (body.kind === 'refused') return { refused: body.problem };
  const patchKind = method === 'POST' ? 'results' : patchKindOf(body.data, meta.actor.segment);
  const patchKindProblem = patchKindRefusal(patchKind, meta);
  if (patchKindProblem !== undefined) return { refused: patchKindProblem };
  const reading = parseWith(selectRoute(method, lot).body, body.data);
  if (!reading.ok) return { refused: invalid(reading.errors) };
  const { value: input } = reading;
  return {
    command: patchKind === 'results' ? { kind: patchKind, by: method, lot, input } : { kind: patchKind, lot, input },
  };
}

/** The contract of a request: with or without a lot in its path. */
function selectRoute(method: HandOffRequest['method'], lot: string | undefined) {
  if (method === 'POST') return lot === undefined ? auctionApi.reportAuction : auctionApi.reportLotAuction;
  return lot === undefined ? auctionApi.patchAuction : auctionApi.patchLotAuction;
}

/** 404 for a lot that the tender does not have (bids-awards-auction.md 2.4); release 2.3 ignored it. */
export function missingLotRefusal({ lots = [] }: TenderFacts, { lot }: AuctionRef): Problem | undefined {
  if (lot === undefined || lots.some(({ id }) => id === lot)) return undefined;
  return problem('object.not-found', { kind: 'auction_lot' });
}

/**
 * Decides a command (bids-awards-auction.md 2.3 to 2.7). Accepts without an event: a repeat, known addresses, a request without
 * a lot on a tender with lots, and results of older segments under open guards. Refusals in the order of 2.4: terms, status,
 * then whether the lists match those of the tender.
 */
export function decideHandOff(state: HandOffState, command: HandOffCommand, meta: HandOffMeta): Decision<HandOffEvent> {
  const { tender, bids, recorded } = state;
  const faults = termsFaults(state, command);
  if (faults.length > 0) return { refused: invalid(faults) };
  const listFaults = entryFaults(tender, bids, command.input);
  const results = buildResults(tender.id, command, bids, command.input);
  const isRecorded =
    command.kind === 'results' &&
    listFaults.length === 0 &&
    recorded !== undefined &&
    canonicalText(recorded) === canonicalText(results);
  if (isRecorded && isRepeatable(tender, command)) return { accepted: [] };
  if (isTrialCommand(tender, command, meta)) {
    const unknownFaults = unknownBidFaults(bids, command.input);
    return unknownFaults.length > 0 ? { refused: invalid(unknownFaults) } : { accepted: [] };
  }
  const statusRefusal = writeStateRefusal(tender, command);
  if (statusRefusal !== undefined) return { refused: statusRefusal };
  if (listFaults.length > 0) return { refused: invalid(listFaults) };
  const lacksLot = command.lot === undefined && (tender.lots ?? []).length > 0;
  if (lacksLot || command.kind === 'none') return { accepted: [] };
  if (command.kind === 'addresses') {
    const event = newAddresses(state, command);
    return { accepted: event === undefined ? [] : [event] };
  }
  // Other results are recorded already, and an auction ends once.
  if (recorded !== undefined) return { refused: problem('auction.report-status', { status: tender.status }) };
  return { accepted: [{ type: 'ResultsReported', results, at: formatServerDate(meta.now) }] };
}
