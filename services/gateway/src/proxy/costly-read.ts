import type { RouteContract } from '@procurement/contracts/api/route';
import type { RateClass } from '@procurement/contracts/api/rates';
import { sendProblem } from '@procurement/kit/http/server';
import { toError } from '@procurement/kit/runtime/to-error';
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
 * Begins a read when it is the turn of whom the rate counts it for, and holds the place until the answer is ready: a client that takes
 * its answer slowly holds up no other read of its address. By its turn the answers before it have been charged: a client that they left
 * in debt is refused, as if it had sent the read now.
 */
export function takeTurn(
  deps: ProxyDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  rateClass: RateClass | undefined,
  begin: () => void,
): void {
  const { context } = request;
  const { caller, address } = context;
  const untilAnswered = async (): Promise<void> => {
    if (reply.raw.destroyed) return;
    const refusal = rateProblem(deps.rateLimit.checkDebt(caller, address, rateClass));
    if (refusal !== undefined) {
      deps.delayRefusal(reply.raw, () => void sendProblem(reply, refusal));
      return;
    }
    const answered = new Promise<void>((resolve) => {
      context.endTurn = resolve;
      reply.raw.once('close', resolve);
    });
    begin();
    await answered;
  };
  // Reads without a class count for the address also when they have a key.
  const client = rateClass === undefined ? address : clientKey(caller, address);
  deps.costlyReads.run(client, untilAnswered).catch((error: unknown) => void reply.send(toError(error)));
}
