/** What one search may cost (register.md 6.4). */
export const LIMITS = {
  /** Tenders that are read by their words before they are sorted. */
  candidates: 50_000,
  /** Rows of an order at which one page looks. */
  walked: 20_000,
  /** The order is walked first from so many candidates on; the walk looks at one row for four of them. */
  walkedBefore: { candidates: 4_000, share: 0.25 },
  /** Tenders of a walk by relevance, and where it ends. */
  ranked: 1_000,
  /** Texts of one page of whole tenders. The first is always on it. */
  textBytes: 8 * 1024 * 1024,
  /** Matches that are counted. */
  counted: 10_000,
  /** Words with one prefix that are counted. */
  prefixWords: 1_000,
} as const;
