import { isObject, type JsonObject } from './codec.ts';
import { localAddress, localPath, type Addresses } from './addresses.ts';

const LINKS = ',"next_page":{';

/**
 * A feed page with its links in the request's segment. Only the links are parsed: they stand behind the rows, and the
 * text that begins them cannot occur inside a row (in a string its quotes would be escaped). `offset` maps the text of an
 * offset; `rows` maps the text of the list.
 */
export function localFeedPage(
  text: string,
  addresses: Addresses,
  offset: (given: string) => string,
  rows: (list: string) => string,
): string {
  const at = text.lastIndexOf(LINKS);
  const head = '{"data":';
  if (at < 0 || !text.startsWith(head)) return text;
  let links: unknown;
  try {
    links = JSON.parse(`{${text.slice(at + 1)}`);
  } catch {
    return text;
  }
  if (!isObject(links)) return text;
  const local = Object.fromEntries(
    Object.entries(links).map(([name, link]) => [name, isObject(link) ? localLink(link, addresses, offset) : link]),
  );
  return `${head}${rows(text.slice(head.length, at))},${JSON.stringify(local).slice(1)}`;
}

function localLink(link: JsonObject, addresses: Addresses, offset: (given: string) => string): JsonObject {
  const given = String(link['offset']);
  const shown = offset(given);
  const query = (address: string): string =>
    shown === given
      ? address
      : address.replace(/([?&]offset=)[^&]*/, (_all, name: string) => name + encodeURIComponent(shown));
  return {
    offset: shown,
    path: query(localPath(String(link['path']), addresses)),
    uri: query(localAddress(String(link['uri']), addresses)),
  };
}
