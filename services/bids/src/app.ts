import { bidsApi } from '@procurement/contracts/api/bids.api';
import { bidOwnershipApi } from '@procurement/contracts/api/transfers.api';
import { mountContracts } from '@procurement/kit/http/mount';
import type { FastifyInstance } from 'fastify';
import type { Deps } from './deps.ts';
import { changeBidOwner } from './http/change-bid-owner.ts';
import { createBid } from './http/create-bid.ts';
import { deleteBid } from './http/delete-bid.ts';
import { getBid } from './http/get-bid.ts';
import { getBidReceipt } from './http/get-bid-receipt.ts';
import { getBidsSeal } from './http/get-bids-seal.ts';
import { listBids } from './http/list-bids.ts';
import { patchBid } from './http/patch-bid.ts';
import { requirePathObjects } from './http/path.ts';

/** Mounts every operation that the contracts give to this service. */
export function mountRoutes(app: FastifyInstance, deps: Deps): void {
  mountContracts(
    app,
    bidsApi,
    {
      listBids: listBids(deps),
      createBid: createBid(deps),
      getBid: getBid(deps),
      getBidReceipt: getBidReceipt(deps),
      patchBid: patchBid(deps),
      deleteBid: deleteBid(deps),
      getBidsSeal: getBidsSeal(deps),
    },
    requirePathObjects(deps),
  );
  mountContracts(app, bidOwnershipApi, { changeBidOwner: changeBidOwner(deps) }, requirePathObjects(deps));
}
