import { formatServerDate } from '@procurement/contracts/reading/instant';
import { problem, type Problem } from '@procurement/contracts/problems/problems';
import type { Handler } from '@procurement/kit/http/mount';
import { ProblemError } from '@procurement/kit/runtime/problem-error';
import { sendJson } from '@procurement/kit/http/server';
import type { FastifyRequest } from 'fastify';
import type { Deps } from '../deps.ts';
import type { StoredTransfer } from '../store/transfers.store.ts';

const MISSING = problem('object.not-found', { kind: 'transfer' });

/**
 * `GET /transfers/{id}`: when it was made or used, for everybody. For which object is shown to its maker only: a path may name
 * a bid that is sealed.
 */
export function getTransfer(deps: Deps): Handler {
  return async (request, reply) => {
    const transfer = await findTransfer(deps, request);
    if (transfer === undefined) throw new ProblemError(MISSING);
    return sendJson(reply, 200, JSON.stringify({ data: transferView(transfer, request.identity.broker) }));
  };
}

/** What a broker sees of a transfer. */
export function transferView({ id, at, usedFor, broker }: StoredTransfer, reader: string | undefined): object {
  const shown = { id, date: formatServerDate(at) };
  return reader === broker ? { ...shown, usedFor } : shown;
}

/** The 404 of a path whose transfer does not exist; `undefined` for the collection. */
export function transferMissing(deps: Deps): (request: FastifyRequest) => Promise<Problem | undefined> {
  return async (request) => {
    const isMissing = transferIdOf(request) !== undefined && (await findTransfer(deps, request)) === undefined;
    return isMissing ? MISSING : undefined;
  };
}

/** Safe cast: the router sets every named parameter of a matched path; that of the collection has none. */
function transferIdOf(request: FastifyRequest): string | undefined {
  return (request.params as { readonly transfer_id?: string }).transfer_id;
}

async function findTransfer(deps: Deps, request: FastifyRequest): Promise<StoredTransfer | undefined> {
  return deps.transfers.find(transferIdOf(request) ?? '');
}
