import type { FoundBuyer } from '@procurement/client';
import type { Facet, Found } from '../../api/reads.ts';
import type { AskedSearch, SearchProblems } from '../../domain/search-parameters.ts';

export type Facets = Readonly<Partial<Record<'status' | 'cpv' | 'region', readonly Facet[] | undefined>>>;

/** What came of a search: tenders, buyers of whom the visitor must choose one, or problems of what he wrote. */
export interface SearchOutcome {
  readonly found?: Found;
  readonly facets?: Facets;
  readonly buyers?: readonly FoundBuyer[];
  readonly problems?: SearchProblems;
}

export interface SearchProps {
  readonly search: AskedSearch;
  readonly outcome: SearchOutcome;
  /** Addresses of the same search as a feed, and at the API. */
  readonly atom: string;
  readonly api: string;
}
