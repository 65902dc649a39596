import { COLON, COMMA, OBJECT_END, OBJECT_START, QUOTE, skipBlank, stringEnd, valueEnd } from './json-scanner.ts';

/** One member of the root object. */
export interface RootMember {
  readonly name: string;
  /** First character of the value. */
  readonly start: number;
  /** Exclusive end of the value. */
  readonly end: number;
}

// A byte-order mark, as text and as the latin1 reading of its UTF-8 bytes.
const BYTE_ORDER_MARKS = ['\ufeff', '\u00ef\u00bb\u00bf'];

/**
 * The members of the root object of a JSON text sent by a client. Values are not parsed. Undefined when the root is no object
 * or its outer level is broken; faults inside values are left to the parser of the service.
 */
export function rootMembers(text: string): readonly RootMember[] | undefined {
  const byteOrderMark = BYTE_ORDER_MARKS.find((candidate) => text.startsWith(candidate));
  let at = skipBlank(text, byteOrderMark?.length ?? 0);
  if (text.charCodeAt(at) !== OBJECT_START) return undefined;
  const members: RootMember[] = [];
  at = skipBlank(text, at + 1);
  if (text.charCodeAt(at) === OBJECT_END) return members;
  for (;;) {
    if (text.charCodeAt(at) !== QUOTE) return undefined;
    const nameEnd = stringEnd(text, at);
    const name = parseName(text, at, nameEnd);
    at = skipBlank(text, nameEnd);
    if (name === undefined || text.charCodeAt(at) !== COLON) return undefined;
    const start = skipBlank(text, at + 1);
    const end = valueEnd(text, start);
    if (end === start || end > text.length) return undefined;
    members.push({ name, start, end });
    at = skipBlank(text, end);
    if (text.charCodeAt(at) === OBJECT_END) return members;
    if (text.charCodeAt(at) !== COMMA) return undefined;
    at = skipBlank(text, at + 1);
  }
}

/** Parsed, so that an escaped name (`"\u0061ccess"`) equals the plain one. Undefined when it is no JSON string. */
function parseName(text: string, from: number, end: number): string | undefined {
  if (end > text.length) return undefined;
  try {
    return String(JSON.parse(text.slice(from, end)));
  } catch {
    return undefined;
  }
}
