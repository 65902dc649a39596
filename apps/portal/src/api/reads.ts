import type { FoundTender, SearchFacets, SearchTotal, StatisticsCell, Tender } from '@procurement/client';
import { PageRefusal } from '../page-refusal.ts';
import { ApiAwayError, type Answer } from './read-api.ts';

export const API = '/api/2.5';

/**
 * The parameter `mode` of lists that a visitor did not choose: in a sandbox every tender is a test one, and lists would be empty without it. The
 * first page asks what the API is.
 */
export async function listMode(
  read: (path: string) => Promise<Answer>,
  sandbox: { known(): boolean | undefined },
): Promise<{ readonly mode?: '_all_' }> {
  const isSandbox = sandbox.known() ?? (await read('/health')).isSandbox;
  return isSandbox ? { mode: '_all_' } : {};
}

export interface Facet {
  readonly key: string;
  readonly count: number;
}

/** The answer of `/statistics`. */
export interface Statistics {
  readonly data: readonly StatisticsCell[];
  readonly from: string;
  readonly to: string;
}

/** The answer of `/search`. */
export interface Found {
  readonly data: readonly FoundTender[];
  readonly total?: SearchTotal;
  readonly facets?: Partial<SearchFacets>;
  readonly spelling?: Readonly<Record<string, readonly string[]>>;
  readonly next_page?: { readonly cursor: string };
}

/** The answer for one tender. */
export interface TenderAnswer {
  readonly data: Tender;
}

/**
 * The body of an answer 200, as the API describes it; its members are judged where they are shown. Throws a refusal for 404 and 429, and for any
 * other answer that the API is away: the portal asks for nothing that it could refuse otherwise.
 */
export function requireBody<T>(
  { status, body, retryAfter = '1' }: Answer,
  missing: 'no-page' | 'no-tender' = 'no-tender',
): T {
  // Safe cast: the API's description of this answer.
  if (status === 200 && typeof body === 'object' && body !== null && 'data' in body) return body as T;
  if (status === 429) throw new PageRefusal({ kind: 'too-many', seconds: retryAfter });
  if (status === 404 || status === 410) throw new PageRefusal({ kind: missing });
  throw new ApiAwayError(`the API answered ${status} with ${typeof body}`);
}
