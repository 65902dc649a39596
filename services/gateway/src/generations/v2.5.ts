import { toJsonText } from '@procurement/contracts/json-text';
import { localDocuments, mayHoldAddresses, withLocalDocuments, type Addresses } from './addresses.ts';
import { isObject, type Codec } from './codec.ts';
import { localFeedPage } from './feed-page.ts';
import { resourceOf } from './resource.ts';

/**
 * The canonical generation. On its own segment everything passes through untouched; under an alias (2.4) only the
 * addresses are turned, since an alias is kept as sent in links and document addresses.
 */
export function codec25(addresses: Addresses): Codec {
  const untouched = addresses.segment === '2.5';
  return {
    segment: '2.5',
    passesBody: () => true,
    request: (_route, data) => ({ data }),
    passThrough: () => untouched,
    response: ({ route }, text) => {
      if (untouched) return text;
      const resource = resourceOf(route);
      if (resource !== 'feed') return withTurnedDocuments(text, addresses, resource === 'document');
      const rows = (list: string): string =>
        mayHoldAddresses(list, addresses) ? toJsonText(withLocalDocuments(JSON.parse(list), addresses)) : list;
      return localFeedPage(text, addresses, (offset) => offset, rows);
    },
  };
}

function withTurnedDocuments(text: string, addresses: Addresses, ofDocuments: boolean): string {
  if (!mayHoldAddresses(text, addresses)) return text;
  const root: unknown = JSON.parse(text);
  if (!isObject(root)) return text;
  const data = ofDocuments ? localDocuments(root['data'], addresses) : withLocalDocuments(root['data'], addresses);
  return toJsonText({ ...root, data });
}
