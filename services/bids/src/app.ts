import { bidsApi } from '@procurement/contracts/api/bids.api';
import { mountContracts } from '@procurement/kit/mount';
import type { FastifyInstance } from 'fastify';
import type { Deps } from './deps.ts';
import { createBid } from './http/create-bid/route.ts';
import { getBid } from './http/get-bid/route.ts';
import { listBids } from './http/list-bids/route.ts';
import { objectsMissing } from './http/path.ts';

/** Mounts every operation that the contracts give to this service. */
export function mountRoutes(app: FastifyInstance, deps: Deps): void {
  const handlers = { listBids: listBids(deps), createBid: createBid(deps), getBid: getBid(deps) };
  mountContracts(app, bidsApi, handlers, objectsMissing(deps));
}
