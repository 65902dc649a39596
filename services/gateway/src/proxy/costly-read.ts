import type { RouteContract } from '@procurement/contracts/api/route';
import type { RateClass } from '@procurement/contracts/api/rates';
import type { Problem } from '@procurement/contracts/problems/problems';
import { problemOf, sendProblem } from '@procurement/kit/http/server';
import { errorOf } from '@procurement/kit/runtime/error-of';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { needsFormatting } from '../answer/response-format.ts';
import { rateProblem } from '../limits/rate-limit.ts';
import { clientKey } from '../request/client-key.ts';
import type { RequestContext } from '../request/request-context.ts';
import type { ProxyDeps } from './deps.ts';

/** Classes whose answers may be whole tenders, or compared texts. */
const COSTLY_CLASSES: ReadonlySet<RateClass | undefined> = new Set<RateClass>(['lookup', 'search', 'history']);

/** True for a read of which a large answer would take long: it is mapped to an older segment, indented, wrapped, or made by the register. */
export function isCostlyRead({ codecs }: ProxyDeps, context: RequestContext, route: RouteContract): boolean {
  if (context.entry === undefined || route.stream === true || route.file !== undefined) return false;
  return (
    needsFormatting(context) ||
    COSTLY_CLASSES.has(route.rateClass) ||
    !codecs(context.entry.segment).passesResponseThrough(route)
  );
}

/**
 * Begins a read when it is the turn of its client. By then the answers before it have been charged: a client that they left in debt is
 * refused, as if it had sent the read now.
 */
export function takeTurn(
  deps: ProxyDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  rateClass: RateClass | undefined,
  begin: () => void,
): void {
  const { caller, address } = request.context;
  const untilClosed = async (): Promise<void> => {
    if (reply.raw.destroyed) return;
    const refusal = rateProblem(deps.rateLimit.checkDebt(caller, address, rateClass));
    if (refusal !== undefined) {
      deps.delayRefusal(reply.raw, () => void sendProblem(reply, refusal));
      return;
    }
    const closed = new Promise<void>((resolve) => void reply.raw.once('close', resolve));
    begin();
    await closed;
  };
  const refuse = (failure: Problem): void => void sendProblem(reply, failure);
  deps.costlyReads
    .run(clientKey(caller, address), untilClosed)
    .catch((error: unknown) => refuse(problemOf(errorOf(error))));
}
