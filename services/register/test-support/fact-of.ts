import type { JsonObject } from '@procurement/contracts/reading/json-object';
import { contractFacts, presentContracts } from '../src/revisions/domain/contract-facts.ts';
import { tenderColumns } from '../src/revisions/domain/tender-columns.ts';
import { factSource, tenderFact, type TenderFact } from '../src/statistics/domain/tender-fact.ts';

/** What a public tender adds to statistics. */
export function factOf(
  tender: JsonObject,
  published: { readonly created: number; readonly isTest: boolean },
): TenderFact {
  const columns = tenderColumns(tender);
  return tenderFact(factSource(tender, columns, contractFacts(presentContracts(tender), columns.currency)), published);
}
