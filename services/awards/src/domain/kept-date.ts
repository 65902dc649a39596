import { instantOf } from '@procurement/contracts/instant';

/**
 * The date that is wished, as it is stored where both are the same moment: a model writes `12:00:00` where the service wrote
 * `12:00:00.000000`, and that is no change.
 */
export function keptDate(stored: string | undefined, wished: string | undefined): string | undefined {
  if (stored === undefined || wished === undefined) return wished;
  return instantOf(stored) === instantOf(wished) ? stored : wished;
}
