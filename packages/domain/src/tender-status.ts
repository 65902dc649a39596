const FINAL_STATUSES: ReadonlySet<string> = new Set(['complete', 'cancelled', 'unsuccessful']);

/** Statuses that a tender never leaves. */
export function isFinal(status: string): boolean {
  return FINAL_STATUSES.has(status);
}
