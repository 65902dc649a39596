import { z } from 'zod';
import type { Deps } from '../deps.ts';

const TenderRequest = z.object({ id: z.string() });

/** Answers siblings that miss a tender: its facts, or nothing when there is none. */
export function respondTenderFacts(deps: Deps): (question: unknown) => Promise<unknown> {
  return async (question) => deps.tenders.facts(TenderRequest.parse(question).id);
}

/** Answers siblings that show a tender whole: the public answer as text, or nothing when there is none. */
export function respondTenderView(deps: Deps): (question: unknown) => Promise<unknown> {
  return async (question) => (await deps.tenders.view(TenderRequest.parse(question).id))?.body;
}
