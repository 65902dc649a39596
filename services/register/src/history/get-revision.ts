import { problem, unavailable } from '@procurement/contracts/problems/problems';
import type { Handler } from '@procurement/kit/http/mount';
import { REPR_DIGEST_HEADER, reprDigestOf } from '@procurement/kit/http/repr-digest';
import { ProblemError } from '@procurement/kit/runtime/problem-error';
import type { HistoryDeps } from './deps.ts';
import { flag, position } from '../requests/domain/parameters.ts';
import { REVISION_FLAGS } from '../revisions/domain/revision-flags.ts';
import type { StoredRevision } from '../revisions/history.store.ts';
import { parseQuery, readQuery, sendJsonAt } from '../requests/read-query.ts';
import { historyExtent, revisionInPath, tenderIdOf } from './revision-path.ts';
import { isRead, revisionAnswer, revisionEntry } from './revision-text.ts';

const PARAMETERS = { exact: flag, at_least: position } as const;

/** A revision changes only when a member is removed by law, so copies are good for a day (register.md 3.5). */
export const CACHE_FOR_A_DAY = 'public, max-age=86400';

/** `GET /tenders/{id}/history/{rev}`: the public text of that time, byte for byte (register.md 7.2), alone with `exact=1` (proof.md 4). */
export function getRevision(deps: HistoryDeps): Handler {
  return async (request, reply) => {
    const { exact = false, at_least } = readQuery(request, PARAMETERS);
    if (exact) refuseFormat(parseQuery(request));
    const reached = await deps.freshness.reached(at_least);
    await historyExtent(deps, request);
    const revision = await revisionInPath(deps, request);
    const etag = etagOf(revision, exact);
    const isKnown = request.headers['if-none-match'] === etag;
    const read = exact ? readText : readAnswer;
    const answer = isKnown ? '' : await read(deps, tenderIdOf(request), revision);
    reply.header('etag', etag).header('cache-control', CACHE_FOR_A_DAY);
    if (isKnown) return reply.code(304).send();
    return sendJsonAt(reply.header(REPR_DIGEST_HEADER, reprDigestOf(answer)), reached, answer);
  };
}

/** Formatting would change the text whose hash is published. */
function refuseFormat(query: URLSearchParams): void {
  const first = ['opt_pretty', 'opt_jsonp'].find((name) => query.has(name));
  if (first !== undefined) throw new ProblemError(problem('params.conflict', { name: 'exact', first }));
}

/** The ETag changes with a redaction: copies of the text before must not be taken for the new one. */
function etagOf({ rev, flags, digest }: StoredRevision, exact: boolean): string {
  const revision = (flags & REVISION_FLAGS.redacted) === 0 ? `${rev}` : `${rev}-${digest}`;
  return `"${revision}-2.5${exact ? '-exact' : ''}"`;
}

/** The answer of one revision. Throws 503 while its text is unread: nothing can be said of it (rulings R37). */
export async function readAnswer(deps: HistoryDeps, tenderId: string, revision: StoredRevision): Promise<string> {
  const text = await readText(deps, tenderId, revision);
  return revisionAnswer(text, revisionEntry(revision, tenderId, deps.config.PUBLIC_BASE_URL));
}

async function readText(deps: HistoryDeps, tenderId: string, revision: StoredRevision): Promise<string> {
  return (await readTexts(deps, tenderId, [revision])).get(revision.position) ?? '';
}

/** Public texts by position. Throws 503 while one is unread. */
export async function readTexts(
  deps: HistoryDeps,
  tenderId: string,
  revisions: readonly StoredRevision[],
): Promise<ReadonlyMap<bigint, string>> {
  if (!revisions.every(isRead)) throw new ProblemError(unavailable(60));
  return deps.history.texts(tenderId, revisions);
}
