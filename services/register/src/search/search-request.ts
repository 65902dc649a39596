import type { Facet, SearchParameters, SearchSort } from './domain/search-parameters.ts';
import type { Clause, RankQueries } from './domain/search-query.ts';
import type { PageStart } from './search-cursor.ts';

export interface SearchQuestion {
  readonly clauses: readonly Clause[];
  readonly filters: Omit<
    SearchParameters,
    'q' | 'mode' | 'sort' | 'limit' | 'cursor' | 'facets' | 'total' | 'expand' | 'at_least'
  >;
  readonly mode: SearchParameters['mode'];
  readonly sort: SearchSort;
  readonly limit: number;
  readonly after: PageStart | undefined;
  readonly facets: readonly Facet[];
  readonly isCounted: boolean;
  /** The answer has the texts of the tenders. */
  readonly isExpanded: boolean;
}

/** A question in the terms of the database. */
export type SearchRequest = SearchQuestion & {
  /** Undefined: no words are asked for. */
  readonly tsquery: string | undefined;
  readonly rank: RankQueries;
};
