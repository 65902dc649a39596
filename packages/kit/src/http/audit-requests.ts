import { isPrivileged } from '@procurement/contracts/api/actor';
import { unavailable } from '@procurement/contracts/problems/problems';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type pg from 'pg';
import { completeAudit, type AuditAct, type AuditOutcome } from '../database/audit.ts';
import { secureIds } from '../runtime/ids.ts';
import type { Logger } from '../runtime/log.ts';
import { ProblemError } from '../runtime/problem-error.ts';
import { isReadingMethod } from './reading-method.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Answers of the route may hold what is sealed. */
    readonly sealed?: boolean;
  }
}

// Longest id in a path that is recorded. Ids have 32 characters; a path may have any text in their place.
const ID_CHARACTERS_MAX = 100;

/** The act of an authenticated request; undefined when it is not recorded. */
export function buildAuditAct(request: FastifyRequest): AuditAct | undefined {
  const { identity, method, routeOptions } = request;
  if (!isPrivileged(identity.group)) return undefined;
  if (isReadingMethod(method) && routeOptions.config.sealed !== true) return undefined;
  const params = Object.entries(request.params ?? {}).map(([name, value]) => [name, String(value)]);
  return {
    id: secureIds.nextUuid(),
    actor: identity.broker ?? '',
    group: identity.group,
    method,
    route: routeOptions.url ?? 'unknown',
    objects: Object.fromEntries(params.map(([name, value = '']) => [name, value.slice(0, ID_CHARACTERS_MAX)])),
    requestId: request.id,
  };
}

/**
 * Records every act before its answer leaves. An answer that could not be recorded is replaced by 503; a refusal is sent all the
 * same, because it changes and shows nothing.
 */
export function recordActs(
  app: FastifyInstance,
  { pool, log }: { readonly pool: pg.Pool; readonly log: Logger },
): void {
  app.addHook('onSend', (request, reply, _payload, done) => {
    const { audit: act } = request;
    if (act === undefined) {
      done();
      return;
    }
    const status = reply.statusCode;
    completeAudit(pool, log, act, { outcome: auditOutcome(act.method, status), status }).then(
      () => done(),
      (error: unknown) => {
        log.error({ err: error, audit: act, status }, 'audit record not written');
        if (status >= 400) done();
        else done(new ProblemError(unavailable(5)));
      },
    );
  });
}

function auditOutcome(method: string, status: number): AuditOutcome {
  if (status >= 400) return 'refused';
  return isReadingMethod(method) ? 'read' : 'answered';
}
