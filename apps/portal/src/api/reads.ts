import type { Tender } from '@procurement/client';
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

/** A tender in a list of the register (contracts: FoundTender). */
export interface FoundTender {
  readonly id: string;
  readonly tenderID: string;
  readonly dateModified: string;
  readonly status: string;
  readonly mode?: 'test';
  readonly title?: string;
  readonly title_en?: string;
  readonly value?: { readonly amount: number; readonly currency: string };
  readonly procuringEntity?: {
    readonly name?: string;
    readonly identifier: { readonly scheme?: string; readonly id?: string };
  };
  readonly cpv?: readonly string[];
  readonly region?: readonly string[];
  readonly tenderPeriod?: { readonly endDate: string };
  readonly numberOfBids?: number;
  readonly contracted?: number;
  readonly created?: string;
}

/** A procuring entity by its name (contracts: FoundBuyer). */
export interface FoundBuyer {
  readonly scheme: string;
  readonly id: string;
  readonly name: string;
  readonly tenders: number;
}

export interface Facet {
  readonly key: string;
  readonly count: number;
}

/** Sums over the tenders of a month, a division, a region or a buyer; amounts in hryvnias (contracts: StatisticsCell). */
export interface StatisticsCell {
  readonly key: string;
  readonly label?: string;
  readonly tenders: number;
  readonly amount: number;
  readonly otherCurrencies?: Readonly<Record<string, { readonly tenders: number }>>;
  readonly opened: number;
  readonly bids: number;
  readonly competition?: number;
  readonly singleBid?: number;
  readonly complete: number;
  readonly unsuccessful: number;
  readonly cancelled: number;
  readonly active: number;
  readonly contracted: number;
  readonly expected: number;
  readonly daysToContract?: { readonly p50: number; readonly p90: number; readonly count: number };
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
  readonly total?: { readonly value: number; readonly relation: 'eq' | 'gte' };
  readonly facets?: Readonly<Partial<Record<'status' | 'method' | 'cpv' | 'region' | 'buyer', readonly Facet[]>>>;
  readonly spelling?: Readonly<Record<string, readonly string[]>>;
  readonly next_page?: { readonly cursor: string };
}

/** One public state of a tender (contracts: Revision). */
export interface RevisionInfo {
  readonly rev: number;
  readonly dateModified: string;
  readonly status: string;
  readonly causes: readonly string[];
  readonly changed?: readonly string[];
  readonly folded?: true;
  readonly redacted?: true;
}

/** The answer for one tender: the tender, and its configuration beside it. */
export interface TenderAnswer {
  readonly data: Tender;
  readonly config?: { readonly hasAuction?: boolean };
}

/**
 * The body of an answer 200, as the API describes it; its members are judged where they are shown. Throws a refusal for 404 and 429, and for any
 * other answer that the API is away: the portal asks for nothing that it could refuse otherwise.
 */
export function bodyOf<T>(
  { status, body, retryAfter = '1' }: Answer,
  missing: 'no-page' | 'no-tender' = 'no-tender',
): T {
  // Safe cast: the API's description of this answer.
  if (status === 200 && typeof body === 'object' && body !== null && 'data' in body) return body as T;
  if (status === 429) throw new PageRefusal({ kind: 'too-many', seconds: retryAfter });
  if (status === 404 || status === 410) throw new PageRefusal({ kind: missing });
  throw new ApiAwayError(`the API answered ${status} with ${typeof body}`);
}
