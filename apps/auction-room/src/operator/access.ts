import { createHash } from 'node:crypto';
import type { Handler } from '@procurement/kit/http/mount';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../deps.ts';
import { auctionIdOf } from '../http/request.ts';
import { equalTexts } from '../session/links.ts';
import type { SeenAuction } from '../store/auctions.store.ts';

type OperatorHandler = (request: FastifyRequest, reply: FastifyReply, operator: string) => Promise<FastifyReply>;

/** Lets operators in, by Basic or Bearer with a key of OPERATOR_KEYS. Forms of other sites are refused: a browser would add the key to them. */
export function forOperators({ settings }: Deps, handler: OperatorHandler): Handler {
  return async (request, reply) => {
    if (settings.OPERATOR_KEYS.length === 0) return reply.code(404).send();
    const operator = findOperator(settings.OPERATOR_KEYS, request.headers.authorization);
    if (operator === undefined) {
      return reply.code(401).header('www-authenticate', 'Basic realm="auction room"').send();
    }
    return isSameSite(request) ? handler(request, reply, operator) : reply.code(403).send();
  };
}

/** The auction of the path. Operators are few, and have a key: what they read has no limit. */
export async function auctionForOperator({ room }: Deps, request: FastifyRequest): Promise<SeenAuction | undefined> {
  const id = auctionIdOf(request);
  return id === undefined ? undefined : room.auctions.lastSeen(id);
}

/** Name of the operator. The key is the password, or the user name when there is none. */
function findOperator(keys: readonly string[], header = ''): string | undefined {
  const [, scheme = '', credentials = ''] = /^(Basic|Bearer) (.+)$/i.exec(header) ?? [];
  const text = scheme.toLowerCase() === 'basic' ? Buffer.from(credentials, 'base64').toString() : credentials;
  const colon = scheme.toLowerCase() === 'basic' ? text.indexOf(':') : -1;
  const key = text.slice(colon + 1) || text.slice(0, Math.max(colon, 0));
  const digest = createHash('sha256').update(key).digest('hex');
  return keys.map((one) => one.split(':')).find(([, sha256 = '']) => equalTexts(sha256, digest))?.[0];
}

function isSameSite({ method, headers }: FastifyRequest): boolean {
  if (method === 'GET') return true;
  const { origin, host, 'sec-fetch-site': site } = headers;
  if (origin !== undefined) return URL.canParse(origin) && new URL(origin).host === host;
  return site === undefined || site === 'same-origin' || site === 'none';
}
