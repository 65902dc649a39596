import { ContractPlace } from '@procurement/contracts/events/contract-place';
import { rpcSubjects } from '@procurement/contracts/events/subjects';
import { UnavailableError } from '@procurement/kit/database/unavailable-error';
import type { Bus } from '@procurement/kit/messaging/bus';
import { sendRequest } from '@procurement/kit/messaging/request/request';
import { remainingMs, type Caller } from '@procurement/kit/runtime/caller';
import { LRUCache } from 'lru-cache';

/**
 * The id of the tender of a contract; undefined when there is no such contract. Throws UnavailableError when the awards service does not
 * answer.
 */
export type TenderOfContract = (contractId: string, caller: Caller) => Promise<string | undefined>;

/** About 200 bytes each. */
const PLACES_MAX = 50_000;

/** Asks the awards service, and keeps the answers: a contract never moves. That there is none is not kept. */
export function contractPlaceReader(bus: Bus): TenderOfContract {
  const places = new LRUCache<string, string>({ max: PLACES_MAX });
  return async (id, caller) => {
    const known = places.get(id);
    if (known !== undefined) return known;
    const response = await sendRequest(bus, rpcSubjects.contractPlace, { id }, remainingMs(caller), caller.trace);
    if (response.kind === 'unavailable') throw new UnavailableError('the awards service');
    const { tenderId } = ContractPlace.parse(response.value);
    if (tenderId !== undefined) places.set(id, tenderId);
    return tenderId;
  };
}
