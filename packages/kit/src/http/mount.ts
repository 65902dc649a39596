import { problem, type Problem } from '@procurement/contracts/problems/problems';
import { DRY_RUN_OWNERS, type Method, type RouteContract } from '@procurement/contracts/api/route';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ProblemError } from '../runtime/problem-error.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route is one of the API, whose paths have a segment. */
    readonly inSegments?: boolean;
  }
}

export type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

const METHODS: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/**
 * Mounts one handler per contract. A method that has no contract on a path, or that the caller's segment lacks, is a 405; but
 * a 404 takes precedence when `findMissingObject` reports an unknown object (http.md 0.2 steps 3 to 5).
 */
export function mountContracts<N extends string>(
  app: FastifyInstance,
  contracts: Readonly<Record<N, RouteContract>>,
  handlers: Readonly<Record<N, Handler>>,
  findMissingObject: (request: FastifyRequest) => Promise<Problem | undefined>,
): void {
  const byPath = new Map<string, Map<Method, Handler>>();
  const sealed = new Set<string>();
  const all: readonly RouteContract[] = Object.values(contracts);
  const hasDryRun = all.every(({ owner }) => DRY_RUN_OWNERS.has(owner));
  for (const name in contracts) {
    const { path, method } = contracts[name];
    if (contracts[name].sealed === true) sealed.add(`${method} ${path}`);
    const methods = byPath.get(path) ?? new Map<Method, Handler>();
    methods.set(method, handlers[name]);
    byPath.set(path, methods);
  }
  for (const [path, methods] of byPath) {
    const allow = allowHeader([...methods.keys()]);
    for (const method of METHODS) {
      const handler = methods.get(method);
      app.route({
        method,
        url: path,
        config: { inSegments: true, sealed: sealed.has(`${method} ${path}`) },
        handler: async (request, reply) => {
          if (handler !== undefined && request.identity.allow === undefined) {
            if (request.isDryRun && !hasDryRun) throw new ProblemError(problem('request.dry-run'));
            return handler(request, reply);
          }
          const refusal = await findMissingObject(request);
          throw new ProblemError(refusal ?? problem('request.method', {}, { allow: request.identity.allow ?? allow }));
        },
      });
    }
  }
}

/** Value of the `Allow` header for these methods. GET implies HEAD. */
export function allowHeader(methods: readonly string[]): string {
  const all = methods.includes('GET') ? ['GET', 'HEAD', ...methods.filter((method) => method !== 'GET')] : methods;
  return [...all].sort((a, b) => METHOD_ORDER.indexOf(a) - METHOD_ORDER.indexOf(b)).join(', ');
}

const METHOD_ORDER = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];
