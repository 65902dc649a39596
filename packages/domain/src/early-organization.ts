import { parseWith } from '@procurement/contracts/reading/parse-with';
import { Organization } from '@procurement/contracts/resources/organization';

/**
 * Whether the organisations of a request may have the form of older segments (rulings R13): the request came by one, or the
 * `stored` organisation that the change keeps has that form already.
 */
export function acceptsEarlyForm(segment: string, stored?: unknown): boolean {
  if (segment !== '2.5') return true;
  // A stored organisation is an object. Should it not be, parsing fails, and the early form is accepted.
  const organization = stored as Readonly<Record<string, unknown>> | undefined;
  return organization !== undefined && !parseWith(Organization, organization, organization).ok;
}
