import { textOfUtf8 } from '@procurement/kit/runtime/utf8';
import { z } from 'zod';
import type { Deps } from '../deps.ts';

const TenderRequest = z.object({ id: z.string() });

/** Responds with the facts of a tender; nothing when it does not exist. For services whose replica misses the tender. */
export function respondTenderFacts(deps: Deps): (request: unknown) => Promise<unknown> {
  return async (request) => deps.tenders.facts(TenderRequest.parse(request).id);
}

/** Responds with the text of the public view; nothing when the tender does not exist. For services that answer with it. */
export function respondTenderView(deps: Deps): (request: unknown) => Promise<unknown> {
  return async (request) => {
    const view = await deps.tenders.view(TenderRequest.parse(request).id);
    return view === undefined ? undefined : textOfUtf8(view.bytes);
  };
}
