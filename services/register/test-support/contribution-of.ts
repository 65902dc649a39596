import type { JsonObject } from '@procurement/contracts/reading/json-object';
import { contractTotals, presentContracts } from '../src/revisions/domain/contract-totals.ts';
import { tenderColumns } from '../src/revisions/domain/tender-columns.ts';
import { contributionSource, buildContribution, type Contribution } from '../src/statistics/domain/contribution.ts';

/** What a public tender adds to statistics. */
export function contributionOf(
  tender: JsonObject,
  published: { readonly created: number; readonly isTest: boolean },
): Contribution {
  const columns = tenderColumns(tender);
  return buildContribution(
    contributionSource(tender, columns, contractTotals(presentContracts(tender), columns.currency)),
    published,
  );
}
