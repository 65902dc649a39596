import { formatServerDate, type Instant } from '@procurement/contracts/reading/instant';
import { clientOf } from '@procurement/kit/http/client';
import type { Handler } from '@procurement/kit/http/mount';
import { utf8Of } from '@procurement/kit/runtime/utf8';
import { ProblemError } from '@procurement/kit/runtime/problem-error';
import type { SearchDeps } from './deps.ts';
import { flag, invalidParameter, listOf, naming, position, type Reader } from '../requests/domain/parameters.ts';
import type { FoundTender, TenderKey } from './lookup.store.ts';
import { readQuery, sendJsonAt } from '../requests/read-query.ts';

const IDS_MAX = 100;
const TENDER_ID = /^[0-9a-f]{32}$/;
const TENDER_NUMBER = /^ua-\d{4}-\d{2}-\d{2}-\d{6}(?:-[\w-]+)?$/;

/** An id, or a number in lower case. */
const tenderKey: Reader<string> = naming(['ids or numbers of tenders'], (text) => {
  const key = text.toLowerCase();
  return TENDER_ID.test(key) || TENDER_NUMBER.test(key) ? key : undefined;
});

export const LOOKUP_PARAMETERS = { ids: listOf(tenderKey, IDS_MAX), expand: flag, at_least: position } as const;

/** `GET /lookup`: listed tenders by id or number (register.md 6.1). Texts are pasted, never parsed. */
export function lookupTenders(deps: SearchDeps): Handler {
  return async (request, reply) => {
    const { ids, expand = false, at_least } = readQuery(request, LOOKUP_PARAMETERS);
    if (ids === undefined) throw new ProblemError(invalidParameter('ids', LOOKUP_PARAMETERS.ids));
    const reached = await deps.freshness.reached(at_least);
    const answer = async (): Promise<Buffer> =>
      utf8Of(answerText(ids, await deps.lookup.find(ids.map(keyOf), { expand }), expand));
    // Bytes are made in the place too: of a long text that is a third of the work.
    const bytes = await (expand ? deps.largeAnswers.run(clientOf(request), answer) : answer());
    return sendJsonAt(reply, reached, bytes);
  };
}

function answerText(ids: readonly string[], found: readonly FoundTender[], expand: boolean): string {
  const known = new Set(found.flatMap(({ id, number }) => [id, number.toLowerCase()]));
  const missing = ids.filter((id) => !known.has(id));
  const shown = found.filter((tender) => !expand || tender.body !== undefined);
  const deferred = found.filter((tender) => expand && tender.body === undefined).map(({ id }) => id);
  const entries = shown.map((tender) => entryText(tender)).join(',');
  const rest = { missing, ...(deferred.length === 0 ? {} : { deferred }) };
  return `{"data":[${entries}],${JSON.stringify(rest).slice(1)}`;
}

function keyOf(key: string): TenderKey {
  return TENDER_ID.test(key) ? { id: key } : { number: key };
}

/** The summary, or the tender without the envelope of its text. */
function entryText({ id, number, position: stamp, isTest, status, body }: FoundTender): string {
  if (body !== undefined) return body.slice('{"data":'.length, -1);
  // Safe cast: a position is a whole number of microseconds, exact until 2255.
  const dateModified = formatServerDate(Number(stamp) as Instant);
  return JSON.stringify({ id, tenderID: number, dateModified, status, ...(isTest ? { mode: 'test' } : {}) });
}
