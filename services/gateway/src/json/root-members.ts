import { COLON, COMMA, OBJECT_END, OBJECT_START, QUOTE, skipBlank, stringEnd, valueEnd } from './json-scanner.ts';

/** Receives the name of a member, the position of its first character and the exclusive end of its value. */
export type MemberVisitor<N extends string> = (name: N, start: number, end: number) => void;

// A byte-order mark, as text and as the latin1 reading of its UTF-8 bytes.
const BYTE_ORDER_MARKS = ['\ufeff', '\u00ef\u00bb\u00bf'];

/** Members of the root that are looked at. A body of 4 MiB has room for 800,000, which would take 0.3 s. */
export const ROOT_MEMBERS_MAX = 1_000;

/** Characters of an escaped character of a name: `\u0061`. */
const ESCAPE_LENGTH_MAX = 6;

/**
 * Calls `visit` for each member of these names among the first 1,000 of the root object of a JSON text sent by a client. Values
 * and other names are not parsed. False when the root is no object or its outer level is broken there; `visit` may have been called
 * by then. Faults inside names and values are left to the parser of the service.
 */
export function visitRootMembers<const N extends string>(
  text: string,
  names: readonly N[],
  visit: MemberVisitor<N>,
): boolean {
  const byteOrderMark = BYTE_ORDER_MARKS.find((candidate) => text.startsWith(candidate));
  let at = skipBlank(text, byteOrderMark?.length ?? 0);
  if (text.charCodeAt(at) !== OBJECT_START) return false;
  at = skipBlank(text, at + 1);
  if (text.charCodeAt(at) === OBJECT_END) return true;
  for (let members = 0; members < ROOT_MEMBERS_MAX; members += 1) {
    if (text.charCodeAt(at) !== QUOTE) return false;
    const nameEnd = stringEnd(text, at);
    const name = names.find((candidate) => isName(text, at, nameEnd, candidate));
    at = skipBlank(text, nameEnd);
    if (text.charCodeAt(at) !== COLON) return false;
    const start = skipBlank(text, at + 1);
    const end = valueEnd(text, start);
    if (end === start || end > text.length) return false;
    if (name !== undefined) visit(name, start, end);
    at = skipBlank(text, end);
    if (text.charCodeAt(at) === OBJECT_END) return true;
    if (text.charCodeAt(at) !== COMMA) return false;
    at = skipBlank(text, at + 1);
  }
  return true;
}

/** True for the name and for an escaped form of it (`"\u0061ccess"`). */
function isName(text: string, from: number, end: number, name: string): boolean {
  const length = end - from - 2;
  if (length === name.length) return text.startsWith(name, from + 1);
  if (length < name.length || length > name.length * ESCAPE_LENGTH_MAX) return false;
  const written = text.slice(from, end);
  if (!written.includes('\\')) return false;
  try {
    return JSON.parse(written) === name;
  } catch {
    return false;
  }
}
