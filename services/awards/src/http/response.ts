import { toJsonText } from '@procurement/domain/json-text';
import { withAccess, type AccessTokens } from '@procurement/kit/http/access';
import { sendJson } from '@procurement/kit/http/server';
import type { FastifyReply } from 'fastify';
import type { Deps } from '../deps.ts';

/** Answers `{"data": ...}`, with a member `access` (tokens) when given. */
export function sendData(reply: FastifyReply, status: 200 | 201, data: unknown, access?: AccessTokens): FastifyReply {
  return sendJson(reply, status, dataText(data, access));
}

/** The body of an answer. */
export function dataText(data: unknown, access?: AccessTokens): string {
  return withAccess(`{"data":${toJsonText(data)}}`, access);
}

/** The address of an object under a tender. */
export function formatLocation(deps: Deps, tenderId: string, ...path: readonly string[]): string {
  return formatAddress(deps, 'tenders', tenderId, ...path);
}

/** An address in segment 2.5. The gateway rewrites it to the caller's segment. */
export function formatAddress(deps: Deps, ...path: readonly string[]): string {
  return [`${deps.config.PUBLIC_BASE_URL}/api/2.5`, ...path].join('/');
}
