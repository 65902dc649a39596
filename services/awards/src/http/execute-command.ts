import type { Actor } from '@procurement/contracts/api/actor';
import { ignoredMembers, type Edits } from '@procurement/domain/ignored-members';
import type { BodyResult } from '@procurement/contracts/reading/body-result';
import type { JsonObject } from '@procurement/contracts/reading/json-object';
import type { TenderFacts } from '@procurement/contracts/resources/tender-facts';
import { problem, type Problem } from '@procurement/contracts/problems/problems';
import { actorOf } from '@procurement/kit/http/actor';
import { sha256Hex } from '@procurement/kit/runtime/ids';
import { ProblemError } from '@procurement/kit/runtime/problem-error';
import { etagOf, preconditionRefusal } from '@procurement/kit/http/etag';
import { ignoredMembersRefusal } from '@procurement/kit/http/ignored-members';
import { readJsonBody } from '@procurement/kit/http/body';
import { idGeneratorFor } from '@procurement/kit/http/request-ids';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../deps.ts';
import type { Awarding, AwardingCommand, AwardingState, AwardMeta } from '../domain/awarding.ts';
import type { Documents } from '../domain/awarding.view.ts';
import type { ChangeAwardingInput, ChangedAwarding } from '../store/awardings.store.ts';
import { findTenderId } from './path.ts';
import { dataText } from './response.ts';

/** The body of a write, with an id and tokens for an object that it may create. */
export interface WriteInput {
  readonly body: BodyResult;
  /** Id and tokens are derived from the seed of the request if it has one, so a repeat gets the same ones. */
  readonly id: string;
  readonly token: string;
  readonly transfer: string;
}

export function readWriteInput(deps: Deps, request: FastifyRequest): WriteInput {
  const ids = idGeneratorFor(request.identity, deps.ids);
  const body = readJsonBody(request.headers['content-type'], request.body);
  return { body, id: ids.next(), token: ids.nextToken(), transfer: ids.nextToken() };
}

export function hashTokens({ token, transfer }: WriteInput): {
  readonly tokenHash: string;
  readonly transferHash: string;
} {
  return { tokenHash: sha256Hex(token), transferHash: sha256Hex(transfer) };
}

export interface CommandOptions {
  /** Whether what a new contract copies of the tender is fetched. */
  readonly needsCopied?: boolean;
  readonly patch?: ObjectPatch;
}

/** A PATCH of one object. */
export interface ObjectPatch {
  readonly body: BodyResult;
  readonly reply: FastifyReply;
  /** The object as its GET shows it; undefined when a PUT creates it. Throws 404. */
  shown(state: Awarding, documents: Documents): JsonObject | undefined;
  /** What the caller may change of it (rulings R40). */
  edits(before: Awarding, after: AwardingState, actor: Actor): Edits;
}

export interface ExecutedCommand extends ChangedAwarding {
  /** The state after the command, with the facts of its tender. */
  readonly awarding: Awarding;
}

/**
 * Executes one command; throws its refusal. Reads the tender from the tenders service, not from the local copy
 * (docs/decisions/0029-ask-before-refusing.md).
 */
export async function executeCommand(
  deps: Deps,
  request: FastifyRequest,
  makeCommand: (meta: AwardMeta) => AwardingCommand,
  { needsCopied = false, patch }: CommandOptions = {},
): Promise<ExecutedCommand> {
  const id = await findTenderId(deps, request);
  const [tender, copied] = await Promise.all([
    deps.tenders.refresh(id, request),
    needsCopied ? deps.copiedOf(id, request) : Promise.resolve(undefined),
  ]);
  if (tender === undefined) throw new ProblemError(problem('object.not-found', { kind: 'tender' }));
  const actor = actorOf(request.identity);
  const { id: requestId, audit } = request;
  const precondition = patch === undefined ? undefined : await makePrecondition(deps, request, tender, patch);
  const outcome = await deps.awardings.change(tender, {
    makeCommand,
    actor,
    requestId,
    copied,
    isDryRun: request.isDryRun,
    audit,
    precondition,
  });
  if ('refused' in outcome) throw new ProblemError(outcome.refused);
  request.savedBytes = outcome.savedBytes ?? 0;
  return { ...outcome, awarding: { ...outcome.state, tender } };
}

/** The checks of `Prefer` and of `If-Match`, by what GET shows of the object. */
async function makePrecondition(
  deps: Deps,
  request: FastifyRequest,
  tender: TenderFacts,
  { body, reply, shown, edits }: ObjectPatch,
): Promise<ChangeAwardingInput['precondition']> {
  const documents = await deps.documents.find(tender.id);
  const actor = actorOf(request.identity);
  return (before, after) => {
    const shownBefore = shown({ ...before, tender }, documents);
    const ignored =
      body.kind === 'refused'
        ? []
        : ignoredMembers({
            sent: withoutPosition(body.data),
            before: shownBefore ?? {},
            after: shown({ ...after, tender }, documents) ?? {},
            edits: edits({ ...before, tender }, after, actor),
          });
    return (
      ignoredMembersRefusal(request, reply, ignored) ??
      (shownBefore === undefined
        ? absenceRefusal(request)
        : preconditionRefusal(request, () => etagOf(dataText(shownBefore))))
    );
  };
}

/** The body without `dateModified`: the position in the feed is nobody's to change, and may have moved since the object was read. */
function withoutPosition({ dateModified: _position, ...sent }: JsonObject): JsonObject {
  return sent;
}

/** 412 when `If-Match` names any state of an object that does not exist yet (RFC 9110, 13.1.1). */
function absenceRefusal(request: FastifyRequest): Problem | undefined {
  return request.headers['if-match'] === undefined ? undefined : problem('request.precondition');
}

/** The result of an earlier request with the same seed; undefined without a seed or when the object does not exist yet. */
export async function findEarlierResult(
  deps: Deps,
  request: FastifyRequest,
  has: (state: AwardingState) => boolean,
): Promise<ChangedAwarding | undefined> {
  if (request.identity.seed === undefined) return undefined;
  const state = await deps.awardings.find(await findTenderId(deps, request));
  return has(state) ? { state, before: state } : undefined;
}

/** Whether the body requests the status `active`, which creates a contract. */
export function requestsActive(body: BodyResult): boolean {
  return body.kind === 'data' && body.data['status'] === 'active';
}
