import { ClaimTransferRequest, TransferRequest } from '@procurement/contracts/events/ownership';
import type { Deps } from '../deps.ts';

type Responder = (request: unknown) => Promise<unknown>;

/** Responds with a transfer; nothing when it does not exist. */
export function respondTransfer({ transfers }: Pick<Deps, 'transfers'>): Responder {
  return async (request) => transfers.find(TransferRequest.parse(request).id);
}

/** Reserves a transfer for an object of another service, and responds whether it has it. */
export function respondClaimTransfer({ transfers }: Pick<Deps, 'transfers'>): Responder {
  return async (request) => {
    const { id, usedFor } = ClaimTransferRequest.parse(request);
    return transfers.claim(id, usedFor);
  };
}
