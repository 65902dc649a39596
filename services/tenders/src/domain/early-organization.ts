import { parseWith } from '@procurement/contracts/reading/parse-with';
import { Organization } from '@procurement/contracts/resources/organization';

/**
 * Whether organisations of this request may be in the form of older generations: it came by one, or what is stored came by
 * one and is merely sent back (rulings R13).
 */
export function acceptsEarlyForm(segment: string, stored?: unknown): boolean {
  if (segment !== '2.5') return true;
  // A stored author is an object; what else it is, the reading tells.
  return stored !== undefined && !parseWith(Organization, stored as Record<string, unknown>).ok;
}
