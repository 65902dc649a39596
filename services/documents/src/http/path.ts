import { problem } from '@procurement/contracts/problems/problems';
import type { TenderFacts } from '@procurement/contracts/resources/tender-facts';
import type { RefreshableFacts } from '@procurement/kit/http/decide-with-refresh';
import type { Facts, Replica } from '@procurement/kit/messaging/consume/replica';
import { parseDeadline, TIMEOUT_HEADER } from '@procurement/kit/runtime/caller';
import { ProblemError } from '@procurement/kit/runtime/problem-error';
import type { FastifyRequest } from 'fastify';
import type { Deps } from '../deps.ts';
import type { DocumentVersion, ParentKind, ParentState } from '../domain/document.ts';
import { resolveParent, type MissingObject, type PathIds } from '../domain/parent.ts';

type DocumentPathIds = PathIds & { readonly document_id?: string };

/** Ids named by the path. The router gives text for every named parameter of a matched path. */
function pathIds(request: FastifyRequest): DocumentPathIds {
  return request.params as DocumentPathIds;
}

/** The parent that a request names, by the copies of this service, and the ways to newer facts about it. */
export interface ParentRef extends RefreshableFacts<ParentState> {
  /**
   * The parent as its owners have it now, for a write. Throws 404 `object.not-found`, UnavailableError (503) when an owner does not
   * answer while the sender of the request waits.
   */
  current(): Promise<ParentState>;
}

/**
 * Locates the parent that the path names. Before a 404 it asks the owners of the objects in the path (decision 0029). Throws 404
 * `object.not-found`; UnavailableError (503) for an object that the copies do not have, whose owner does not answer.
 */
export async function locateParent(deps: Deps, request: FastifyRequest, kind: ParentKind): Promise<ParentRef> {
  const ids = pathIds(request);
  const tenderId = await findTenderId(deps, request, ids);
  const lookUp = async (read: ReadFacts) => lookUpParent(deps, kind, { ids, tenderId }, read);
  const byCopies = await lookUp(async (replica, id) => replica.find(id, request));
  async function current(): Promise<ParentState> {
    // The time of the sender begins again with the end of the body, which may have taken long.
    const caller = { trace: request.trace, deadlineMs: parseDeadline(request.headers[TIMEOUT_HEADER]) };
    return found(await lookUp(async (replica, id) => replica.current(id, caller)));
  }
  // A copy that lags must not make a 404 of an owner that is away.
  const parentState = 'missing' in byCopies ? await current() : byCopies;
  return {
    facts: parentState,
    async refresh() {
      const newer = found(await lookUp(async (replica, id) => replica.refresh(id, request)));
      return JSON.stringify(newer) === JSON.stringify(parentState) ? undefined : newer;
    },
    current,
  };
}

type ReadFacts = <F extends Facts>(replica: Replica<F>, id: string) => Promise<F | undefined>;

/** The tender of the path, else that of the contract at its own address. Throws 404, and UnavailableError (503). */
async function findTenderId(deps: Deps, request: FastifyRequest, ids: DocumentPathIds): Promise<string> {
  if (ids.tender_id !== undefined) return ids.tender_id;
  const contractId = ids.contract_id ?? '';
  const tenderId = ID.test(contractId) ? await deps.tenderOfContract(contractId, request) : undefined;
  if (tenderId === undefined) throw notFound('contract');
  return tenderId;
}

async function lookUpParent(
  deps: Deps,
  kind: ParentKind,
  { ids, tenderId }: { readonly ids: DocumentPathIds; readonly tenderId: string },
  read: ReadFacts,
): Promise<ParentState | MissingObject> {
  const tender = await read(deps.tenders, tenderId);
  if (tender === undefined) return { missing: 'tender' };
  const [bid, awards, bidsOpened] = await Promise.all([
    kind === 'bid' && ID.test(ids.bid_id ?? '') ? read(deps.bids, ids.bid_id ?? '') : undefined,
    dependsOnAwards(kind, tender) ? read(deps.awards, tender.id) : undefined,
    kind === 'bid' ? deps.documents.bidsOpened(tender.id) : false,
  ]);
  return resolveParent(kind, ids, { tender, bid, awards, bidsOpened });
}

/** Parents that are awards or below one. */
const KINDS_OF_AWARDS: ReadonlySet<ParentKind> = new Set(['award', 'award complaint', 'contract']);
const ID = /^[0-9a-f]{32}$/;

/** Documents of a bid depend on its award in one status. In the others they do not need the awards service. */
function dependsOnAwards(kind: ParentKind, { status }: TenderFacts): boolean {
  return KINDS_OF_AWARDS.has(kind) || (kind === 'bid' && status === 'active.qualification');
}

function found(result: ParentState | MissingObject): ParentState {
  if ('missing' in result) throw notFound(result.missing);
  return result;
}

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
export function parseQuery(request: FastifyRequest): URLSearchParams {
  const at = request.url.indexOf('?');
  return new URLSearchParams(at < 0 ? '' : request.url.slice(at + 1));
}
