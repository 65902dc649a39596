import type { Actor } from '@procurement/contracts/api/actor';

const FINAL_STATUSES: ReadonlySet<string> = new Set(['complete', 'cancelled', 'unsuccessful']);

/** Whether a tender never leaves this status. */
export function isFinal(status: string): boolean {
  return FINAL_STATUSES.has(status);
}

/**
 * Whether the guards of status and period are off for this caller (rulings R3): `LEGACY_GUARDS=open`, a segment older than 2.5,
 * and a tender that is published and not over.
 */
export function legacyGuardsAreOpen(
  { segment }: Pick<Actor, 'segment'>,
  { legacyGuardsOpen }: { readonly legacyGuardsOpen: boolean },
  status: string,
): boolean {
  return legacyGuardsOpen && segment !== '2.5' && status !== 'draft' && !isFinal(status);
}
