import { tenderTime } from '@procurement/domain/tender-time';
import { parseInstant } from '@procurement/contracts/reading/instant';
import { toJsonText } from '@procurement/domain/json-text';
import { problem } from '@procurement/contracts/problems/problems';
import { answerWith, type ReadRoute } from '@procurement/kit/http/answer-reads';
import { ProblemError } from '@procurement/kit/runtime/problem-error';
import { textOfUtf8, encodeUtf8 } from '@procurement/kit/runtime/utf8';
import type { Deps } from '../deps.ts';
import { chronographView } from '../domain/tender.view.ts';
import { tenderText } from './tender-text.ts';

/** `GET /tenders/{id}`: the stored text of the public view. Refusals: 404 `object.not-found`. */
export function getTender(deps: Deps): ReadRoute {
  return {
    path: '/tenders/:tender_id',
    answer: async (request) => {
      const { url, identity } = request;
      const id = url.slice('/tenders/'.length).split('?', 1)[0] ?? '';
      const view = await deps.tenders.view(id);
      if (view === undefined) throw new ProblemError(problem('object.not-found', { kind: 'tender' }));
      if (identity.group === 'chronograph') return answerWith(request, encodeUtf8(await chronographText(deps, id)));
      const bytes = wantsPublicModified(url) ? encodeUtf8(withPublicModified(textOfUtf8(view.bytes))) : view.bytes;
      return answerWith(request, tenderText(request, bytes), view.rev);
    },
  };
}

/** The view of the chronograph, which has only the members for planning auctions (tenders.md 9.4). */
async function chronographText(deps: Deps, id: string): Promise<string> {
  const state = await deps.tenders.state(id);
  if (state === undefined) throw new ProblemError(problem('object.not-found', { kind: 'tender' }));
  return `{"data":${toJsonText(chronographView(state, tenderTime(deps.clock.now(), state), deps.settings))}}`;
}

function wantsPublicModified(url: string): boolean {
  return /[?&]opt_fields=[^&]*public_modified/.test(url);
}

/**
 * Adds the date of the last published change in unix seconds (http.md 1.4). The first `dateModified` in the text is the tender's,
 * because it precedes all text of clients.
 */
function withPublicModified(body: string): string {
  const modified = /"dateModified":"([^"]+)"/.exec(body)?.[1];
  if (modified === undefined) return body;
  return body.replace('{"data":{', `{"data":{"public_modified":${parseInstant(modified) / 1_000_000},`);
}
