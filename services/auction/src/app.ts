import { auctionApi } from '@procurement/contracts/api/auction.api';
import { mountContracts } from '@procurement/kit/http/mount';
import type { FastifyInstance } from 'fastify';
import type { Deps } from './deps.ts';
import { getAuction } from './http/get-auction.ts';
import { patchAuction } from './http/patch-auction.ts';
import { requirePathObjects } from './http/path.ts';
import { reportAuction } from './http/report-auction.ts';

/** Mounts every operation of this service. */
export function mountRoutes(app: FastifyInstance, deps: Deps): void {
  mountContracts(
    app,
    auctionApi,
    {
      getAuction: getAuction(deps),
      patchAuction: patchAuction(deps),
      reportAuction: reportAuction(deps),
      patchLotAuction: patchAuction(deps),
      reportLotAuction: reportAuction(deps),
    },
    requirePathObjects(deps),
  );
}
