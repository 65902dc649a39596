import type { BodyReading } from '@procurement/contracts/body-reading';
import { formatServerDate } from '@procurement/contracts/instant';
import { invalid, problem, type Problem } from '@procurement/contracts/problems';
import { readBy } from '@procurement/contracts/reading/read-by';
import { AuctionInput } from '@procurement/contracts/resources/auction';
import type { TenderFacts } from '@procurement/contracts/resources/tender-facts';
import type { Decision } from '@procurement/kit/decision';
import { isTriedOut } from './auction-trial.ts';
import { newAddresses } from './hand-off.addresses.ts';
import { entryFaults } from './hand-off.entries.ts';
import { formOf } from './hand-off.form.ts';
import { isRepeatable, writingClosed } from './hand-off.guards.ts';
import { canonicalText, resultsOf } from './hand-off.results.ts';
import { formRefusal, writeRefusal } from './hand-off.roles.ts';
import { termsFaults } from './hand-off.terms.ts';
import type { AuctionOf, HandOffEvent, HandOffMeta, HandOffState, Wish } from './hand-off.ts';

/** A request as it came: not read yet, and from whomever. */
export interface HandOffRequest extends AuctionOf {
  readonly method: 'PATCH' | 'POST';
  readonly body: BodyReading;
}

/**
 * Reads a request and says whether its sender may make it, before anybody is asked for sealed bids. Refusals in the order of
 * http.md 0.2: 404 of the lot, 415, 401, 403, then what the body is.
 */
export function readWish(
  tender: TenderFacts,
  { method, lot, body }: HandOffRequest,
  meta: HandOffMeta,
): { readonly wish: Wish } | { readonly refused: Problem } {
  const missing = lotMissing(tender, { lot });
  if (missing !== undefined) return { refused: missing };
  if (body.kind === 'refused' && body.problem.status === 415) return { refused: body.problem };
  const forbidden = writeRefusal(method, tender, meta);
  if (forbidden !== undefined) return { refused: forbidden };
  if (body.kind === 'refused') return { refused: body.problem };
  const form = method === 'POST' ? 'results' : formOf(body.data, meta.actor.segment);
  const wrongForm = formRefusal(form, meta);
  if (wrongForm !== undefined) return { refused: wrongForm };
  const reading = readBy(AuctionInput, body.data);
  if (!reading.ok) return { refused: invalid(reading.errors) };
  const { value: input } = reading;
  return { wish: form === 'results' ? { kind: form, by: method, lot, input } : { kind: form, lot, input } };
}

/** Decision (2.4): a lot that the tender does not have is a 404, in 2.3 it was passed over. */
export function lotMissing({ lots = [] }: TenderFacts, { lot }: AuctionOf): Problem | undefined {
  if (lot === undefined || lots.some(({ id }) => id === lot)) return undefined;
  return problem('object.not-found', { kind: 'auction_lot' });
}

/**
 * Decides what comes of a wish (bids-awards-auction.md 2.3 to 2.7). Nothing comes of a repeat, of what is known already, of a
 * request without a lot on a tender with lots, and of what older segments try out where there are no guards. Refusals in the
 * order of 2.4: what cannot be in any status, the status, and whether the lists are the tender's own.
 */
export function decideHandOff(state: HandOffState, wish: Wish, meta: HandOffMeta): Decision<HandOffEvent> {
  const { tender, bids, recorded } = state;
  const faults = termsFaults(state, wish);
  if (faults.length > 0) return { refused: invalid(faults) };
  const foreign = entryFaults(tender, bids, wish.input);
  const results = resultsOf(tender.id, wish, bids, wish.input);
  const isRecorded =
    wish.kind === 'results' &&
    foreign.length === 0 &&
    recorded !== undefined &&
    canonicalText(recorded) === canonicalText(results);
  if (isRecorded && isRepeatable(tender, wish)) return { accepted: [] };
  if (isTriedOut(tender, wish, meta)) return { accepted: [] };
  const closed = writingClosed(tender, wish);
  if (closed !== undefined) return { refused: closed };
  if (foreign.length > 0) return { refused: invalid(foreign) };
  const isWhole = wish.lot === undefined && (tender.lots ?? []).length > 0;
  if (isWhole || wish.kind === 'nothing') return { accepted: [] };
  if (wish.kind === 'addresses') {
    const event = newAddresses(state, wish);
    return { accepted: event === undefined ? [] : [event] };
  }
  // Already reported otherwise: an auction ends once.
  if (recorded !== undefined) return { refused: problem('auction.report-status', { status: tender.status }) };
  return { accepted: [{ type: 'ResultsReported', results, at: formatServerDate(meta.now) }] };
}
