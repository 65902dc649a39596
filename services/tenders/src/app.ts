import { tendersApi } from '@procurement/contracts/api/tenders.api';
import { mountContracts } from '@procurement/kit/mount';
import type { FastifyInstance } from 'fastify';
import type { Deps } from './deps.ts';
import { createTender } from './http/create-tender/route.ts';
import { getTender } from './http/get-tender/route.ts';
import { listTenders } from './http/list-tenders/route.ts';
import { patchTender } from './http/patch-tender/route.ts';
import { putTender } from './http/put-tender/route.ts';
import { tenderMissing } from './http/tender-missing.ts';

/** Mounts every operation that the contracts give to this service. */
export function mountRoutes(app: FastifyInstance, deps: Deps): void {
  mountContracts(
    app,
    tendersApi,
    {
      listTenders: listTenders(deps),
      createTender: createTender(deps),
      getTender: getTender(deps),
      putTender: putTender(deps),
      patchTender: patchTender(deps),
    },
    tenderMissing(deps),
  );
}
