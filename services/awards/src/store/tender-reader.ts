import { rpcSubjects } from '@procurement/contracts/events/subjects';
import { TenderFacts } from '@procurement/contracts/resources/tender-facts';
import type { Bus } from '@procurement/kit/messaging/bus';
import type { Replica } from '@procurement/kit/messaging/replica';
import { sendRequest } from '@procurement/kit/messaging/request';
import { UnavailableError } from '@procurement/kit/runtime/unavailable-error';
import type pg from 'pg';

/**
 * The newest facts of tenders, by id: of their owner, else of the local copy. Reads by the connection of the caller's
 * transaction. A tender that the owner does not have is left out. Throws UnavailableError when there is no local copy and the
 * owner does not answer.
 */
export type NewestTenders = (tx: pg.PoolClient, ids: readonly string[]) => Promise<ReadonlyMap<string, TenderFacts>>;

/** The caller holds a transaction: this plus the first request stays below its idle limit. */
const REQUEST_TIMEOUT_MS = 500;

export function tenderReader(bus: Bus, tenders: Replica<TenderFacts>): NewestTenders {
  return async (tx, ids) => {
    const newest = new Map(await tenders.refreshInTransaction(tx, ids));
    for (const id of ids.filter((one) => !newest.has(one))) {
      // A refresh does not say whether the owner has no such tender or did not answer.
      const response = await sendRequest(bus, rpcSubjects.tenderFacts, { id }, REQUEST_TIMEOUT_MS);
      if (response.kind === 'unavailable') throw new UnavailableError('the tenders service');
      if (response.value !== undefined && response.value !== null) newest.set(id, TenderFacts.parse(response.value));
    }
    return newest;
  };
}
