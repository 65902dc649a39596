import type { RequestDeps } from './deps.ts';

/** The link of the next page: the same query from a cursor on, without waiting for a position again. */
export function pageLink(
  { config }: { readonly config: Pick<RequestDeps['config'], 'PUBLIC_BASE_URL'> },
  base: string,
  cursor: string,
  query: URLSearchParams,
): object {
  const parameters = new URLSearchParams(query);
  parameters.delete('at_least');
  parameters.set('cursor', cursor);
  const path = `${base}?${parameters.toString()}`;
  return { cursor, path, uri: config.PUBLIC_BASE_URL + path };
}
