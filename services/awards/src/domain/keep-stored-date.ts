import { instantOf } from '@procurement/contracts/reading/instant';

/**
 * The date that is wished, as it is stored where both are the same moment: a model writes `12:00:00` where the service wrote
 * `12:00:00.000000`, and that is no change.
 */
export function keepStoredDate(stored: string | undefined, requested: string | undefined): string | undefined {
  if (stored === undefined || requested === undefined) return requested;
  return instantOf(stored) === instantOf(requested) ? stored : requested;
}
