import { formatServerDate, type Instant } from '@procurement/contracts/instant';
import { isObject, type JsonObject } from './codec.ts';
import { localAddress, localPath, type Addresses } from './addresses.ts';

const LINKS = ',"next_page":{';

/** How a generation differs in a page of the feed. */
export interface FeedForm {
  /** The query of the request, without the question mark. */
  readonly query: string;
  /** Maps the text of the list. */
  readonly rows: (list: string) => string;
  /** Maps one parameter (still encoded) of the links, or leaves it out; what is added comes with it. */
  readonly parameters?: (pairs: readonly string[]) => readonly string[];
}

/**
 * A feed page with its links in the request's segment. Only the links are parsed: they stand behind the rows, and the
 * text that begins them cannot occur inside a row (in a string its quotes would be escaped).
 */
export function localFeedPage(text: string, addresses: Addresses, form: FeedForm): string {
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
    Object.entries(links).map(([name, link]) => [name, isObject(link) ? localLink(link, addresses, form) : link]),
  );
  return `${head}${form.rows(text.slice(head.length, at))},${JSON.stringify(local).slice(1)}`;
}

function localLink(link: JsonObject, addresses: Addresses, { query, parameters }: FeedForm): JsonObject {
  const given = String(link['offset']);
  const shown = addresses.segment === '2.5' || addresses.segment === '2.4' ? given : shownOffset(given, query);
  const turned = (address: string): string => {
    const offset =
      shown === given
        ? address
        : address.replace(/([?&]offset=)[^&]*/, (_all, name: string) => name + encodeURIComponent(shown));
    const mark = offset.indexOf('?');
    if (parameters === undefined || mark < 0) return offset;
    return `${offset.slice(0, mark)}?${parameters(offset.slice(mark + 1).split('&')).join('&')}`;
  };
  return {
    offset: shown,
    path: turned(localPath(String(link['path']), addresses)),
    uri: turned(localAddress(String(link['uri']), addresses)),
  };
}

/** `seconds.fraction`, as segment 2.5 writes a place in the feed. */
const SECONDS = /^(\d{9,11})\.(\d{6})$/;

/**
 * A place in the feed as the older segments write it: an offset that a service wrote becomes the same instant in ISO; one
 * that repeats what the client sent stays as sent.
 */
function shownOffset(given: string, query: string): string {
  const match = SECONDS.exec(given);
  if (match === null || given === new URLSearchParams(query).getAll('offset').at(-1)) return given;
  // Whole microseconds since 1970: what an Instant is.
  return formatServerDate(Number(`${match[1]}${match[2]}`) as Instant);
}
