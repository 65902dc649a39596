import { lookupApi } from '@procurement/contracts/api/lookup.api';
import { mountContracts } from '@procurement/kit/http/mount';
import type { FastifyInstance } from 'fastify';
import type { Deps } from './deps.ts';
import { lookupTenders } from './http/lookup-tenders.ts';

/** Mounts every operation of this service. */
export function mountRoutes(app: FastifyInstance, deps: Deps): void {
  mountContracts(app, lookupApi, { lookupTenders: lookupTenders(deps) }, async () => undefined);
}
