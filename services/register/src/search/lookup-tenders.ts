import { formatServerDate, type Instant } from '@procurement/contracts/reading/instant';
import { clientOf } from '@procurement/kit/http/client';
import type { Handler } from '@procurement/kit/http/mount';
import { encodeUtf8 } from '@procurement/kit/runtime/utf8';
import { ProblemError } from '@procurement/kit/runtime/problem-error';
import type { SearchDeps } from './deps.ts';
import { idOrNumber } from './domain/search-parameters.ts';
import { flag, invalidParameter, listOf, position } from '../requests/domain/parameters.ts';
import type { FoundTender } from './lookup.store.ts';
import { readQuery, sendJsonAt } from '../requests/read-query.ts';

const IDS_MAX = 100;
export const LOOKUP_PARAMETERS = {
  ids: listOf(idOrNumber('ids or numbers of tenders and contracts'), IDS_MAX),
  expand: flag,
  at_least: position,
} as const;

/** `GET /lookup`: listed tenders by id or number of their own, or of a contract (register.md 6.1). Texts are pasted, never parsed. */
export function lookupTenders(deps: SearchDeps): Handler {
  return async (request, reply) => {
    const { ids, expand = false, at_least } = readQuery(request, LOOKUP_PARAMETERS);
    if (ids === undefined) throw new ProblemError(invalidParameter('ids', LOOKUP_PARAMETERS.ids));
    const reached = await deps.freshness.reached(at_least);
    const answer = async (): Promise<Buffer> =>
      encodeUtf8(answerText(ids, await deps.lookup.find(ids, { expand }), expand));
    // Bytes are made in the place too: of a long text that is a third of the work.
    const bytes = await (expand ? deps.largeAnswers.run(clientOf(request), answer) : answer());
    return sendJsonAt(reply, reached, bytes);
  };
}

function answerText(ids: readonly string[], found: readonly FoundTender[], expand: boolean): string {
  const known = new Set(found.flatMap(({ places }) => places));
  const missing = ids.filter((_id, place) => !known.has(place));
  const shown = found.filter((tender) => !expand || tender.body !== undefined);
  const deferred = found
    .filter((tender) => expand && tender.body === undefined)
    .map(({ id, contract = id }) => contract);
  const entries = shown.map((tender) => entryText(tender)).join(',');
  const rest = { missing, ...(deferred.length === 0 ? {} : { deferred }) };
  return `{"data":[${entries}],${JSON.stringify(rest).slice(1)}`;
}

/** The summary, or the tender without the envelope of its text; before it the contract that was asked for. */
function entryText({ id, number, position: stamp, isTest, status, body, contract }: FoundTender): string {
  if (body !== undefined) {
    const tender = body.slice('{"data":'.length, -1);
    return contract === undefined ? tender : `{"contract":"${contract}",${tender.slice(1)}`;
  }
  // Safe cast: a position is a whole number of microseconds, exact until 2255.
  const dateModified = formatServerDate(Number(stamp) as Instant);
  const mode = isTest ? { mode: 'test' } : {};
  return JSON.stringify({ id, tenderID: number, dateModified, status, ...mode, contract });
}
