/** One member of the root object: its name, and where its value stands. */
export interface MemberSpan {
  readonly name: string;
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
}

const WHITESPACE: ReadonlySet<string> = new Set([' ', '\t', '\n', '\r']);
// A byte-order mark, as text and as the latin1 reading of its UTF-8 bytes.
const BYTE_ORDER_MARKS = ['\ufeff', '\u00ef\u00bb\u00bf'];

/**
 * The members of the object that a JSON text holds, found without parsing their values: a body of 4 MiB is scanned, not
 * built. Undefined when the text is no object or is broken at its outer level; inner faults are left for the parser.
 */
export function rootMembers(text: string): readonly MemberSpan[] | undefined {
  const byteOrderMark = BYTE_ORDER_MARKS.find((candidate) => text.startsWith(candidate));
  let at = skipBlank(text, byteOrderMark?.length ?? 0);
  if (text[at] !== '{') return undefined;
  const members: MemberSpan[] = [];
  at = skipBlank(text, at + 1);
  if (text[at] === '}') return members;
  for (;;) {
    const name = stringAt(text, at);
    if (name === undefined) return undefined;
    at = skipBlank(text, name.end);
    if (text[at] !== ':') return undefined;
    const start = skipBlank(text, at + 1);
    const end = valueEnd(text, start);
    if (end === undefined) return undefined;
    members.push({ name: name.value, start, end });
    at = skipBlank(text, end);
    if (text[at] === '}') return members;
    if (text[at] !== ',') return undefined;
    at = skipBlank(text, at + 1);
  }
}

function skipBlank(text: string, from: number): number {
  let at = from;
  while (WHITESPACE.has(text[at] ?? '')) at += 1;
  return at;
}

function stringEnd(text: string, from: number): number | undefined {
  for (let at = from + 1; at < text.length; at += 1) {
    const character = text[at];
    if (character === '\\') at += 1;
    else if (character === '"') return at + 1;
  }
  return undefined;
}

function stringAt(text: string, from: number): { value: string; end: number } | undefined {
  if (text[from] !== '"') return undefined;
  const end = stringEnd(text, from);
  if (end === undefined) return undefined;
  try {
    return { value: String(JSON.parse(text.slice(from, end))), end };
  } catch {
    return undefined;
  }
}

/** Where the value that starts here ends: after its closing quote or bracket, or before the next comma or brace. */
function valueEnd(text: string, from: number): number | undefined {
  if (text[from] === '"') return stringEnd(text, from);
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    const character = text[at];
    if (character === '"') {
      const end = stringEnd(text, at);
      if (end === undefined) return undefined;
      at = end - 1;
    } else if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') {
      if (depth === 0) return at > from ? at : undefined;
      depth -= 1;
      if (depth === 0) return at + 1;
    } else if (depth === 0 && (character === ',' || WHITESPACE.has(character ?? ''))) return at > from ? at : undefined;
  }
  return undefined;
}
