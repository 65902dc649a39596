import { rpcSubjects } from '@procurement/contracts/events/subjects';
import { TenderFacts } from '@procurement/contracts/resources/tender-facts';
import type { Bus } from '@procurement/kit/messaging/bus';
import type { Replica } from '@procurement/kit/messaging/replica';
import { sendRequest } from '@procurement/kit/messaging/request';
import { UnavailableError } from '@procurement/kit/runtime/unavailable-error';

/**
 * The newest facts of a tender: of its owner, else of the local copy. Undefined when the owner has no such tender. Throws
 * UnavailableError when there is no local copy and the owner does not answer.
 */
export type NewestTender = (id: string) => Promise<TenderFacts | undefined>;

/** The caller may hold a transaction: this plus the first request stays below its idle limit. */
const REQUEST_TIMEOUT_MS = 500;

export function tenderReader(bus: Bus, tenders: Replica<TenderFacts>): NewestTender {
  return async (id) => {
    const facts = await tenders.refresh(id);
    if (facts !== undefined) return facts;
    // `refresh` does not say whether the owner has no such tender or did not answer.
    const response = await sendRequest(bus, rpcSubjects.tenderFacts, { id }, REQUEST_TIMEOUT_MS);
    if (response.kind === 'unavailable') throw new UnavailableError('the tenders service');
    return response.value === undefined || response.value === null ? undefined : TenderFacts.parse(response.value);
  };
}
