import type { WebhookFilter } from '@procurement/contracts/resources/webhook';
import { FILTER_PARAMETERS, type Filter } from '../../requests/domain/filters.ts';
import type { Reader } from '../../requests/domain/parameters.ts';

export type FilterReading = { readonly filter: Filter } | { readonly invalid: readonly string[] };

/** Reads the filter of a webhook by the readers of the stream's parameters. `invalid`: names of members that they refuse. */
export function readFilter(given: WebhookFilter): FilterReading {
  const filter: Record<string, unknown> = {};
  const invalid: string[] = [];
  for (const [name, value] of Object.entries(given)) {
    const values = Array.isArray(value) ? value : [value];
    if (values.length === 0) continue;
    // Safe cast: the names of a filter are those of the table, which a test compares.
    const read: Reader<unknown> = FILTER_PARAMETERS[name as keyof typeof FILTER_PARAMETERS];
    const isList = values.some((one) => String(one).includes(','));
    const result = isList ? undefined : read(values.map(String).join(','));
    if (result === undefined) invalid.push(name);
    else filter[name] = result;
  }
  // Safe cast: every value was read by the reader of its name.
  return invalid.length > 0 ? { invalid } : { filter: filter as Filter };
}
