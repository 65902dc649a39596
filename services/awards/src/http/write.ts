import type { BodyReading } from '@procurement/contracts/body-reading';
import { problem } from '@procurement/contracts/problems';
import { actorOf } from '@procurement/kit/actor';
import { sha256Hex } from '@procurement/kit/ids';
import { ProblemError } from '@procurement/kit/problem-error';
import { readJsonBody } from '@procurement/kit/request-body';
import { mintOf } from '@procurement/kit/request-mint';
import type { FastifyRequest } from 'fastify';
import type { Deps } from '../deps.ts';
import type { AwardingCommand, AwardingState, AwardMeta } from '../domain/awarding.ts';
import type { Changed } from '../store/awardings.store.ts';
import { tenderIdOf } from './path.ts';

/** What of a request every command needs. */
export interface Written {
  readonly body: BodyReading;
  /** For what it creates: the same again when it is a repeat. */
  readonly id: string;
  readonly token: string;
  readonly transfer: string;
}

/** The body of a request, and the names of what it may create. */
export function writtenBy(deps: Deps, request: FastifyRequest): Written {
  const mint = mintOf(request.identity, deps.mint);
  const body = readJsonBody(request.headers['content-type'], request.body);
  return { body, id: mint.id(), token: mint.token(), transfer: mint.token() };
}

export function hashesOf({ token, transfer }: Written): { readonly tokenHash: string; readonly transferHash: string } {
  return { tokenHash: sha256Hex(token), transferHash: sha256Hex(transfer) };
}

/**
 * Carries out one command; throws its refusal. Decided by the tender as its owner knows it now: writes are few, and neither a
 * refusal nor a signature may come of a copy that lags (architecture.md). Items are fetched where a contract may be made.
 */
export async function write(
  deps: Deps,
  request: FastifyRequest,
  command: (meta: AwardMeta) => AwardingCommand,
  { needsItems = false }: { readonly needsItems?: boolean } = {},
): Promise<Changed> {
  const id = await tenderIdOf(deps, request);
  const [tender, items] = await Promise.all([
    deps.tenders.refresh(id),
    needsItems ? deps.itemsOf(id) : Promise.resolve(undefined),
  ]);
  if (tender === undefined) throw new ProblemError(problem('object.not-found', { kind: 'tender' }));
  const actor = actorOf(request.identity);
  const outcome = await deps.awardings.change(tender, { command, actor, requestId: request.id, items });
  if ('refused' in outcome) throw new ProblemError(outcome.refused);
  return outcome;
}

/** A repeat of a request that may have come through has the same seed, and finds what it made. */
export async function madeBefore(
  deps: Deps,
  request: FastifyRequest,
  has: (state: AwardingState) => boolean,
): Promise<Changed | undefined> {
  if (request.identity.seed === undefined) return undefined;
  const state = await deps.awardings.find(await tenderIdOf(deps, request));
  return has(state) ? { state, before: state } : undefined;
}

/** Whether a body asks for a status that makes a contract. */
export function asksForActive(body: BodyReading): boolean {
  return body.kind === 'data' && body.data['status'] === 'active';
}
