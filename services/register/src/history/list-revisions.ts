import { problem } from '@procurement/contracts/problems/problems';
import { SECOND } from '@procurement/contracts/reading/instant';
import { readDecimalOffset, secondsText } from '@procurement/domain/feed-offset';
import { clientOf, WORK_BYTES_HEADER } from '@procurement/kit/http/client';
import type { Handler } from '@procurement/kit/http/mount';
import { ProblemError } from '@procurement/kit/runtime/problem-error';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { HistoryDeps } from './deps.ts';
import {
  anyText,
  flag,
  invalidParameter,
  position,
  wholeNumber,
  type Conflicts,
  type ParametersOf,
} from '../requests/domain/parameters.ts';
import type { HistoryExtent, StoredRevision } from '../revisions/history.store.ts';
import { readAnswer } from './get-revision.ts';
import { readQuery, sendJsonAt } from '../requests/read-query.ts';
import { historyExtent, tenderIdOf } from './revision-path.ts';
import { historyPath, isRead, revisionEntry } from './revision-text.ts';

const LIMIT_MAX = 1_000;
const LIMIT_DEFAULT = 100;
const LIMIT_MAX_WITH_PATCHES = 50;
/** Texts that a page with patches reads. It ends early, but has at least one revision. */
const PATCHED_BYTES_MAX = 8 * 1024 * 1024;
/** How far a clock of a reader may be ahead. */
const AHEAD_MAX = 60 * SECOND;

const PARAMETERS = {
  limit: wholeNumber(1, LIMIT_MAX),
  cursor: anyText(40),
  descending: flag,
  diff: flag,
  at: position,
  at_least: position,
} as const;

const CONFLICTS: Conflicts = ['limit', 'cursor', 'descending', 'diff'].map((name) => ['at', name] as const);

type Query = ParametersOf<typeof PARAMETERS>;

/** `GET /tenders/{id}/history`: the public revisions of a tender, or with `at` the one in force at an instant (register.md 7.1, 7.2). */
export function listRevisions(deps: HistoryDeps): Handler {
  return async (request, reply) => {
    const query = readQuery(request, PARAMETERS, { conflicts: CONFLICTS });
    if (query.at !== undefined) return sendRevisionAt(deps, request, reply, { at: query.at, atLeast: query.at_least });
    const reached = await deps.freshness.reached(query.at_least);
    const extent = await historyExtent(deps, request);
    const { text, compared } = await readPage(deps, request, query, extent);
    if (compared > 0) reply.header(WORK_BYTES_HEADER, compared);
    return sendJsonAt(reply, reached, text);
  };
}

/** A later instant than the newest position is answered with the newest revision, after waiting for that position. */
async function sendRevisionAt(
  deps: HistoryDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  { at, atLeast = 0n }: { readonly at: bigint; readonly atLeast?: bigint | undefined },
): Promise<FastifyReply> {
  if (at > BigInt(deps.clock.now() + AHEAD_MAX))
    throw new ProblemError(invalidParameter('at', { allowed: ['a time up to now'] }));
  await deps.freshness.reached(atLeast);
  const reached = await deps.freshness.approached(at);
  await historyExtent(deps, request);
  const revision = await deps.history.inForce(tenderIdOf(request), at);
  if (revision === undefined) throw new ProblemError(problem('params.not-found', { name: 'at' }));
  return sendJsonAt(reply, reached, await readAnswer(deps, tenderIdOf(request), revision));
}

interface Page {
  readonly text: string;
  readonly compared: number;
}

async function readPage(
  deps: HistoryDeps,
  request: FastifyRequest,
  query: Query,
  extent: HistoryExtent,
): Promise<Page> {
  const id = tenderIdOf(request);
  const limit = resolveLimit(query);
  const descending = query.descending === true;
  const after = await revAfter(deps, id, query.cursor);
  const page = { descending, ...(after === undefined ? {} : { after: after.rev }) };
  // One more than a page: whether there is a next one.
  const rows = await deps.history.page(id, { ...page, limit: limit + 1 });
  const { entries, shown, compared } =
    query.diff === true
      ? await patchedEntries(deps, request, rows.slice(0, limit))
      : plainEntries(deps, id, rows, limit);
  const last = rows[shown - 1];
  const rest = {
    complete: extent.complete,
    ...(extent.complete || extent.first === undefined
      ? {}
      : { from: { rev: extent.first.rev, position: secondsText(extent.first.position) } }),
    ...(rows.length > shown && last !== undefined ? { next_page: nextPage(deps, id, query, last) } : {}),
  };
  return { text: `{"data":[${entries.join(',')}],${JSON.stringify(rest).slice(1)}`, compared };
}

function resolveLimit({ limit, diff }: Query): number {
  if (diff !== true) return limit ?? LIMIT_DEFAULT;
  if (limit !== undefined && limit > LIMIT_MAX_WITH_PATCHES)
    throw new ProblemError(invalidParameter('limit', { allowed: [`1 to ${LIMIT_MAX_WITH_PATCHES}, with diff`] }));
  return limit ?? LIMIT_MAX_WITH_PATCHES;
}

/** A cursor is the position of the last revision shown. One that is none of this tender is refused. */
async function revAfter(
  deps: HistoryDeps,
  id: string,
  cursor: string | undefined,
): Promise<StoredRevision | undefined> {
  if (cursor === undefined) return undefined;
  const stamp = readDecimalOffset(cursor);
  const revision = stamp === undefined ? undefined : await deps.history.atPosition(id, stamp);
  if (revision === undefined) throw new ProblemError(problem('params.expired', { name: 'cursor' }));
  return revision;
}

interface Entries {
  readonly entries: readonly string[];
  /** How many of the revisions are shown. */
  readonly shown: number;
  /** Bytes of texts. */
  readonly compared: number;
}

function plainEntries(deps: HistoryDeps, id: string, rows: readonly StoredRevision[], limit: number): Entries {
  const shown = rows.slice(0, limit);
  const entries = shown.map((row) => JSON.stringify(revisionEntry(row, id, deps.config.PUBLIC_BASE_URL)));
  return { entries, shown: shown.length, compared: 0 };
}

/** Entries with `patch`, for as many revisions as their texts fit. The first revision of a tender has none. */
async function patchedEntries(
  deps: HistoryDeps,
  request: FastifyRequest,
  rows: readonly StoredRevision[],
): Promise<Entries> {
  const id = tenderIdOf(request);
  const shown = rows.slice(0, countWithin(rows));
  const ascending = shown.toSorted((one, other) => one.rev - other.rev);
  const before = ascending[0] === undefined ? undefined : await deps.history.before(id, ascending[0].rev);
  if (before !== undefined) ascending.unshift(before);
  const pairs = ascending.flatMap((to, n) => {
    const from = ascending[n - 1];
    return from !== undefined && isRead(from) && isRead(to) ? [{ from, to }] : [];
  });
  const { texts, compared } = await deps.patches(clientOf(request), id, pairs);
  const patches = new Map(pairs.map(({ to }, n) => [to.rev, texts[n]]));
  const entries = shown.map((row) => {
    const entry = JSON.stringify(revisionEntry(row, id, deps.config.PUBLIC_BASE_URL));
    const patch = patches.get(row.rev);
    return patch === undefined ? entry : `${entry.slice(0, -1)},"patch":${patch}}`;
  });
  return { entries, shown: shown.length, compared };
}

function countWithin(rows: readonly StoredRevision[]): number {
  let bytes = 0;
  for (const [count, row] of rows.entries()) {
    bytes += row.bytes;
    if (bytes > PATCHED_BYTES_MAX) return Math.max(count, 1);
  }
  return rows.length;
}

function nextPage(deps: HistoryDeps, id: string, { limit, descending, diff }: Query, last: StoredRevision) {
  const cursor = secondsText(last.position);
  const parameters = new URLSearchParams({ cursor });
  if (descending === true) parameters.set('descending', '1');
  if (diff === true) parameters.set('diff', '1');
  if (limit !== undefined) parameters.set('limit', String(limit));
  const path = `${historyPath(id)}?${parameters.toString()}`;
  return { cursor, path, uri: deps.config.PUBLIC_BASE_URL + path };
}
