import { problem } from '@procurement/contracts/problems/problems';
import type { TenderFacts } from '@procurement/contracts/resources/tender-facts';
import type { RefreshableFacts } from '@procurement/kit/http/decide-with-refresh';
import { ProblemError } from '@procurement/kit/http/problem-error';
import type { FastifyRequest } from 'fastify';
import { setTimeout } from 'node:timers/promises';
import type { Deps } from '../deps.ts';
import type { DocumentVersion, ParentKind, ParentState } from '../domain/document.ts';
import { resolveParent, type MissingObject, type PathIds } from '../domain/parent.ts';

type DocumentPathIds = PathIds & { readonly tender_id: string; readonly document_id?: string };

/** Ids named by the path. The router gives text for every named parameter of a matched path. */
function pathIds(request: FastifyRequest): DocumentPathIds {
  return request.params as DocumentPathIds;
}

/** The parent that a request names, as far as this service knows it, and the ways to newer facts about it. */
export interface ParentRef extends RefreshableFacts<ParentState> {
  /** The same parent, located again: during a long upload its state may have changed. */
  reload(): Promise<ParentRef>;
}

/**
 * Locates the parent that the path names. Before a 404 it looks again for an unknown parent: it requests the tender from its
 * owner, and waits for events of bids and awards (decision 0029). Throws 404 `object.not-found`.
 */
export async function locateParent(deps: Deps, request: FastifyRequest, kind: ParentKind): Promise<ParentRef> {
  const ids = pathIds(request);
  const tender = await deps.tenders.find(ids.tender_id, request);
  if (tender === undefined) throw notFound('tender');
  const found = await lookUpParent(deps, kind, ids, tender);
  const parentState = 'missing' in found ? await retryLookUp(deps, kind, ids, tender) : found;
  return {
    facts: parentState,
    refresh: async () => refreshParent(deps, kind, ids, parentState),
    reload: async () => locateParent(deps, request, kind),
  };
}

async function lookUpParent(
  deps: Deps,
  kind: ParentKind,
  ids: DocumentPathIds,
  tender: TenderFacts,
): Promise<ParentState | MissingObject> {
  const [bid, awards, bidsOpened] = await Promise.all([
    kind === 'bid' ? deps.bids.find(ids.bid_id ?? '') : undefined,
    KINDS_NEEDING_AWARDS.has(kind) ? deps.awards.find(tender.id) : undefined,
    kind === 'bid' ? deps.documents.bidsOpened(tender.id) : false,
  ]);
  return resolveParent(kind, ids, { tender, bid, awards, bidsOpened });
}

/** Parents below an award, and bids, whose documents depend on the bid's award. */
const KINDS_NEEDING_AWARDS: ReadonlySet<ParentKind> = new Set(['bid', 'award', 'award complaint', 'contract']);
/** Parents that other services than tenders own. They have no responder, so their facts arrive by events only. */
const KINDS_KNOWN_BY_EVENTS = KINDS_NEEDING_AWARDS;
/** Pauses between look-ups: an event that was published at the time of the request arrives within their sum. */
const RETRY_PAUSES_MS = [30, 70, 150, 300];
const ID = /^[0-9a-f]{32}$/;

async function retryLookUp(
  deps: Deps,
  kind: ParentKind,
  ids: DocumentPathIds,
  known: TenderFacts,
): Promise<ParentState> {
  const tender = (await deps.tenders.refresh(known.id)) ?? known;
  let found = await lookUpParent(deps, kind, ids, tender);
  const named = [ids.bid_id, ids.award_id, ids.complaint_id, ids.contract_id].filter((id) => id !== undefined);
  if (KINDS_KNOWN_BY_EVENTS.has(kind) && named.every((id) => ID.test(id))) {
    for (const pauseMs of RETRY_PAUSES_MS) {
      if (!('missing' in found)) break;
      await setTimeout(pauseMs);
      found = await lookUpParent(deps, kind, ids, tender);
    }
  }
  if ('missing' in found) throw notFound(found.missing);
  return found;
}

/** Newer facts before a refusal: requests the tender from its owner, and gives events of bids and awards time to arrive. */
async function refreshParent(
  deps: Deps,
  kind: ParentKind,
  ids: DocumentPathIds,
  before: ParentState,
): Promise<ParentState | undefined> {
  const [tender = before.tender] = await Promise.all([
    deps.tenders.refresh(before.tender.id),
    KINDS_KNOWN_BY_EVENTS.has(kind) ? setTimeout(RECHECK_MS) : undefined,
  ]);
  const found = await lookUpParent(deps, kind, ids, tender);
  if ('missing' in found) throw notFound(found.missing);
  return JSON.stringify(found) === JSON.stringify(before) ? undefined : found;
}

const RECHECK_MS = 150;

/** All versions of the document of the path, oldest first. Throws 404 `object.not-found` when the parent has no such document. */
export async function loadHistory(
  deps: Deps,
  request: FastifyRequest,
  { parent, tender }: ParentState,
): Promise<readonly [DocumentVersion, ...DocumentVersion[]]> {
  const versions = await deps.documents.history(pathIds(request).document_id ?? '');
  const [first, ...later] = versions;
  const belongsToParent =
    first !== undefined &&
    first.tenderId === tender.id &&
    first.parent.kind === parent.kind &&
    first.parent.id === parent.id;
  if (!belongsToParent) throw notFound('document');
  return [first, ...later];
}

/** Throws the 404 of the outermost object that a path names and that does not exist; else the 405 may be given. */
export function requirePathObjects(
  deps: Deps,
  kindOf: (request: FastifyRequest) => ParentKind,
): (request: FastifyRequest) => Promise<undefined> {
  return async (request) => {
    const { facts: parentState } = await locateParent(deps, request, kindOf(request));
    if (pathIds(request).document_id !== undefined) await loadHistory(deps, request, parentState);
    return undefined;
  };
}

function notFound(kind: string): ProblemError {
  return new ProblemError(problem('object.not-found', { kind }));
}

/** The query of a request, undecoded by the router: a parameter may occur more than once, and the first one counts. */
export function queryOf(request: FastifyRequest): URLSearchParams {
  const at = request.url.indexOf('?');
  return new URLSearchParams(at < 0 ? '' : request.url.slice(at + 1));
}
