import { LINKS_BASE } from '@procurement/kit/runtime/config';
import { replaceBytes } from './replace-bytes.ts';

// A link is the beginning of a JSON string. Inside a string the quote is escaped.
const LINK_START = `"${LINKS_BASE}/`;
const LINK_STARTS = new RegExp(String.raw`(?<!\\)${LINK_START}`, 'g');

/** JSON in which links begin with the base of the request. */
export function jsonWithBase(json: string, publicBase: string): string {
  return json.includes(LINK_START) ? json.replace(LINK_STARTS, `"${publicBase}/`) : json;
}

// Without the quote: it is frequent in JSON, and the search would stop at each of them.
const LINK = Buffer.from(LINK_START.slice(1));
const QUOTE = LINK_START.charCodeAt(0);
const BACKSLASH = 0x5c;

/** The same for UTF-8, without decoding it: a page of the feed has 10 KB and one or two links. */
export function jsonBytesWithBase(json: Buffer, publicBase: string): Buffer {
  const isLink = (at: number): boolean => json[at - 1] === QUOTE && json[at - 2] !== BACKSLASH;
  return replaceBytes(json, LINK, `${publicBase}/`, isLink);
}

/** A `Location` that begins with the base of the request. Addresses of a file store pass unchanged. */
export function locationWithBase(location: string, publicBase: string): string {
  return location.startsWith(`${LINKS_BASE}/`) ? publicBase + location.slice(LINKS_BASE.length) : location;
}
