import { queryText, type Search } from '../domain/search-parameters.ts';
import { API } from './reads.ts';

/** The address of a search at the API. */
export function searchPath(asked: Search, more: Readonly<Record<string, string | number>>): string {
  const query = queryText(asked);
  const rest = new URLSearchParams(Object.entries(more).map(([name, value]) => [name, String(value)])).toString();
  return `${API}/search${query === '' ? '?' : `${query}&`}${rest}`;
}
