import {
  IGNORED_MEMBERS_HEADER,
  ignoredMembersHeader,
  ignoredMembersProblem,
  type IgnoredMember,
} from '@procurement/contracts/problems/ignored-members';
import type { Problem } from '@procurement/contracts/problems/problems';
import type { FastifyReply, FastifyRequest } from 'fastify';

/**
 * Names the ignored members of a PATCH in the header `Ignored-Members` (rulings R40). Returns the 403 of a request of segment 2.5 that
 * does not want a part of its change. May be called again, for another attempt to decide.
 */
export function ignoredMembersRefusal(
  request: FastifyRequest,
  reply: FastifyReply,
  ignored: readonly IgnoredMember[],
): Problem | undefined {
  reply.removeHeader(IGNORED_MEMBERS_HEADER);
  if (ignored.length === 0) return undefined;
  if (request.identity.segment === '2.5' && prefersStrict(request.headers['prefer']))
    return ignoredMembersProblem(ignored);
  reply.header(IGNORED_MEMBERS_HEADER, ignoredMembersHeader(ignored.map(({ path }) => path)));
  return undefined;
}

/** Whether a `Prefer` header has `handling=strict` (RFC 7240). The first of two values of a preference counts. */
function prefersStrict(header: string | readonly string[] | undefined): boolean {
  const preferences = [header ?? []].flat().join(',').toLowerCase().split(',');
  const handling = preferences
    .map((one) => one.split(';', 1)[0]?.replaceAll(/[\s"]/g, ''))
    .find((one) => one?.startsWith('handling='));
  return handling === 'handling=strict';
}
