import { rpcSubjects } from '@procurement/contracts/events/subjects';
import { TenderFacts } from '@procurement/contracts/resources/tender-facts';
import type { Bus } from '@procurement/kit/messaging/bus';
import { sendRequest } from '@procurement/kit/messaging/request/request';
import { UnavailableError } from '@procurement/kit/database/unavailable-error';

/**
 * The facts of tenders as their owner has them now, by id. A tender that the owner does not have is left out. Throws
 * UnavailableError when the owner does not answer. Uses no connection of the database: the caller holds a transaction.
 */
export type CurrentTenders = (ids: readonly string[]) => Promise<ReadonlyMap<string, TenderFacts>>;

/** Shorter than the idle limit of the caller's transaction. */
const REQUEST_TIMEOUT_MS = 1_000;

export function tenderReader(bus: Bus): CurrentTenders {
  async function request(id: string): Promise<readonly (readonly [string, TenderFacts])[]> {
    const response = await sendRequest(bus, rpcSubjects.tenderFacts, { id }, REQUEST_TIMEOUT_MS);
    if (response.kind === 'unavailable') throw new UnavailableError('the tenders service');
    if (response.value === undefined || response.value === null) return [];
    return [[id, TenderFacts.parse(response.value)]];
  }
  return async (ids) => new Map((await Promise.all(ids.map(request))).flat());
}
