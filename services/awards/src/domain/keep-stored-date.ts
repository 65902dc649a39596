import { parseInstant } from '@procurement/contracts/reading/instant';

/**
 * The requested date, or the stored text when both are the same instant. Schemas rewrite dates (`12:00:00` for
 * `12:00:00.000000`), which must not count as a change.
 */
export function keepStoredDate(stored: string | undefined, requested: string | undefined): string | undefined {
  if (stored === undefined || requested === undefined) return requested;
  return parseInstant(stored) === parseInstant(requested) ? stored : requested;
}
