import type { FastifyInstance } from 'fastify';
import type { Deps } from './deps.ts';

/** Mounts every operation of this service. */
export function mountRoutes(_app: FastifyInstance, _deps: Deps): void {}
