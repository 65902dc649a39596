import { problem, type Problem } from '@procurement/contracts/problems';
import type { TenderFacts } from '@procurement/contracts/resources/tender-facts';
import { ProblemError } from '@procurement/kit/problem-error';
import type { FastifyRequest } from 'fastify';
import type { Deps } from '../deps.ts';
import type { DocumentVersion, ParentKind, Place } from '../domain/document.ts';
import { placeOf, type Missing, type PathIds } from '../domain/place.ts';

type Ids = PathIds & { readonly tender_id: string; readonly document_id?: string };

/** Ids named by the path. The router gives text for every named parameter of a matched path. */
function idsOf(request: FastifyRequest): Ids {
  return request.params as Ids;
}

/** Where the documents of a request hang, as far as is known here; asked again it may know more. */
export interface Located {
  readonly place: Place;
  /** The same with newer facts; undefined when nothing has changed since, so that nothing would be judged otherwise. */
  again(): Promise<Place | undefined>;
  /** The same place as it is known by now: an upload takes its time, and much may have happened in it. */
  later(): Promise<Located>;
}

/**
 * Finds what the path names. What is unknown is looked for once more before the 404 is given: the tender's own objects by the
 * word of its owner, bids and awards for as long as an event may be on its way. Throws 404 `object.not-found`.
 */
export async function locate(deps: Deps, request: FastifyRequest, kind: ParentKind): Promise<Located> {
  const ids = idsOf(request);
  const known = await deps.tenders.find(ids.tender_id);
  if (known === undefined) throw notFound('tender');
  const found = await look(deps, kind, ids, known);
  const place = 'missing' in found ? await lookAgain(deps, kind, ids, known) : found;
  return {
    place,
    again: async () => newer(deps, kind, ids, place),
    later: async () => locate(deps, request, kind),
  };
}

async function look(deps: Deps, kind: ParentKind, ids: Ids, tender: TenderFacts): Promise<Place | Missing> {
  const [bid, awards, bidsOpened] = await Promise.all([
    kind === 'bid' ? deps.bids.find(ids.bid_id ?? '') : undefined,
    NEEDS_AWARDS.has(kind) ? deps.awards.find(tender.id) : undefined,
    kind === 'bid' ? deps.documents.bidsOpened(tender.id) : false,
  ]);
  return placeOf(kind, ids, { tender, bid, awards, bidsOpened });
}

/** What hangs off awards, and bids, whose documents look for their award. */
const NEEDS_AWARDS: ReadonlySet<ParentKind> = new Set(['bid', 'award', 'award complaint', 'contract']);
/** What another service than the tenders service owns, and tells by events alone. */
const TOLD_BY_EVENTS = NEEDS_AWARDS;
/** Pauses between looks: an event that was published at the time of the request is here by the end of them. */
const PAUSES_MS = [30, 70, 150, 300];
const ID = /^[0-9a-f]{32}$/;

async function lookAgain(deps: Deps, kind: ParentKind, ids: Ids, known: TenderFacts): Promise<Place> {
  const tender = (await deps.tenders.refresh(known.id)) ?? known;
  let found = await look(deps, kind, ids, tender);
  const named = [ids.bid_id, ids.award_id, ids.complaint_id, ids.contract_id].filter((id) => id !== undefined);
  if (TOLD_BY_EVENTS.has(kind) && named.every((id) => ID.test(id))) {
    for (const pauseMs of PAUSES_MS) {
      if (!('missing' in found)) break;
      await pause(pauseMs);
      found = await look(deps, kind, ids, tender);
    }
  }
  if ('missing' in found) throw notFound(found.missing);
  return found;
}

/** Before a refusal: the tender by its owner's word, awards and bids after the time that an event takes. */
async function newer(deps: Deps, kind: ParentKind, ids: Ids, before: Place): Promise<Place | undefined> {
  const [tender = before.tender] = await Promise.all([
    deps.tenders.refresh(before.tender.id),
    TOLD_BY_EVENTS.has(kind) ? pause(RECHECK_MS) : undefined,
  ]);
  const found = await look(deps, kind, ids, tender);
  if ('missing' in found) throw notFound(found.missing);
  return JSON.stringify(found) === JSON.stringify(before) ? undefined : found;
}

const RECHECK_MS = 150;

async function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** All versions of the document of the path, oldest first. Throws 404 `object.not-found` when this place has no such one. */
export async function historyOf(
  deps: Deps,
  request: FastifyRequest,
  { parent, tender }: Place,
): Promise<readonly [DocumentVersion, ...DocumentVersion[]]> {
  const versions = await deps.documents.history(idsOf(request).document_id ?? '');
  const [first, ...later] = versions;
  const isHere =
    first !== undefined &&
    first.tenderId === tender.id &&
    first.parent.kind === parent.kind &&
    first.parent.id === parent.id;
  if (!isHere) throw notFound('document');
  return [first, ...later];
}

/** The 404 of a path, outermost object first; undefined when everything that it names exists. */
export function objectsMissing(
  deps: Deps,
  kindOf: (request: FastifyRequest) => ParentKind,
): (request: FastifyRequest) => Promise<Problem | undefined> {
  return async (request) => {
    try {
      const { place } = await locate(deps, request, kindOf(request));
      if (idsOf(request).document_id !== undefined) await historyOf(deps, request, place);
      return undefined;
    } catch (error) {
      if (error instanceof ProblemError) return error.problem;
      throw error;
    }
  };
}

function notFound(kind: string): ProblemError {
  return new ProblemError(problem('object.not-found', { kind }));
}
