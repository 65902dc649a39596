import type { Problem } from '@procurement/contracts/problems/problems';
import type { TenderFacts } from '@procurement/contracts/resources/tender-facts';
import { ProblemError } from '@procurement/kit/http/problem-error';
import type { Deps } from '../deps.ts';
import { dependsOnTender } from '../domain/bid.guards.ts';

/**
 * Decides by this service's copy of the tender, and once more by its owner's own word before a refusal that looks at the
 * tender is given: the copy may lag by milliseconds, and no refusal may come of that. Throws the refusal that stands.
 */
export async function decideWithRefresh<T extends object>(
  deps: Pick<Deps, 'tenders'>,
  tender: TenderFacts,
  decide: (tender: TenderFacts) => Promise<T | { readonly refused: Problem }>,
): Promise<T> {
  const first = await decide(tender);
  if (!('refused' in first)) return first;
  if (!dependsOnTender(first.refused)) throw new ProblemError(first.refused);
  const fresh = await deps.tenders.refresh(tender.id);
  // The same version would be judged the same.
  if (fresh === undefined || fresh.version === tender.version) throw new ProblemError(first.refused);
  const second = await decide(fresh);
  if ('refused' in second) throw new ProblemError(second.refused);
  return second;
}
