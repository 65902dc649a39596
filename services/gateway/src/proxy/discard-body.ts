import type { RouteContract } from '@procurement/contracts/api/route';
import { JSON_BYTES_MAX } from '@procurement/kit/http/body';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { hasJsonBody } from '../request/body-kind.ts';

/**
 * True for a write that its service refuses whatever its body says: by an anonymous caller (401), with a method that the path
 * lacks (405), or of a type that the route does not take (415). 404 comes first in the order of checks (http.md 0.2), so the service
 * decides; but nobody waits for the body, keeps it, or reads it.
 */
export function isRefusedWithoutBody(request: FastifyRequest, route: RouteContract | undefined): boolean {
  if (request.context.caller.kind === 'anonymous' || route === undefined) return true;
  return route.upload !== true && !hasJsonBody(request);
}

/** Discards the body of the client. The service gets the request without one. */
export function discardBody(request: FastifyRequest): void {
  request.context.bodyDiscarded = true;
  if (keepsConnection(request)) request.raw.resume();
}

/**
 * Keeps the connection of a client whose body is being discarded. A client that announced no length, a long body, or that waits for
 * `100 Continue` gets its answer and the end of the connection instead.
 */
export function keepConnection(request: FastifyRequest, reply: FastifyReply): void {
  if (request.context.bodyDiscarded === true && keepsConnection(request)) reply.removeHeader('connection');
}

function keepsConnection({ headers }: FastifyRequest): boolean {
  if (headers.expect !== undefined) return false;
  return headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) <= JSON_BYTES_MAX;
}
