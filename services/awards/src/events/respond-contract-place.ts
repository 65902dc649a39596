import { ContractPlaceRequest, type ContractPlace } from '@procurement/contracts/events/contract-place';
import type { z } from 'zod';
import type { Deps } from '../deps.ts';

/** Responds with the tender of a contract, for documents at the contract's own address (contracting.md 6). */
export function respondContractPlace({ awardings }: Pick<Deps, 'awardings'>) {
  return async (request: unknown): Promise<z.infer<typeof ContractPlace>> => {
    const tenderId = await awardings.tenderOfContract(ContractPlaceRequest.parse(request).id);
    return tenderId === undefined ? {} : { tenderId };
  };
}
