import { deepEqual } from '@procurement/domain/equality';

/** Names and places that lead to a member of a tender, as a JSON Pointer (RFC 6901) says them. */
export type MemberPath = readonly string[];

/** Members that stay: a text without them is no public tender, or its place in the register is lost. */
const KEPT: ReadonlySet<string> = new Set(['id', 'tenderID', 'dateModified', 'status', 'mode']);
const ENVELOPE = '{"data":';

/** Undefined for a text that is no pointer, for the pointer to the whole, and for a member that every tender must keep. */
export function readPointer(text: string): MemberPath | undefined {
  if (!/^(?:\/(?:[^~/]|~[01])*)+$/.test(text)) return undefined;
  const path = text
    .slice(1)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  return path.length === 1 && KEPT.has(path[0] ?? '') ? undefined : path;
}

/** A text without a member, and the text of what was removed. */
export interface RedactedText {
  readonly text: string;
  readonly removed: readonly string[];
}

/**
 * The JSON text of a tender without a member of one of its objects. All other bytes stay as they are. Undefined when it has no such member.
 * Throws for a text that is no JSON.
 */
export function withoutMember(tenderText: string, path: MemberPath): RedactedText | undefined {
  let text = tenderText;
  const removed: string[] = [];
  // A name may occur twice in an object.
  for (let cut = findCut(text, path); cut !== undefined; cut = findCut(text, path)) {
    removed.push(cut.value);
    text = text.slice(0, cut.from) + text.slice(cut.to);
  }
  if (removed.length === 0) return undefined;
  if (!deepEqual(JSON.parse(text), parsedWithout(tenderText, path)))
    throw new Error('a text was not redacted as it should');
  return { text, removed };
}

/** The same for the text as it is stored, in its envelope. */
export function withoutMemberOfBody(body: string, path: MemberPath): RedactedText | undefined {
  const redacted = withoutMember(body.slice(ENVELOPE.length, -1), path);
  return redacted === undefined ? undefined : { ...redacted, text: `${ENVELOPE}${redacted.text}}` };
}

function parsedWithout(text: string, path: MemberPath): unknown {
  const tender: unknown = JSON.parse(text);
  // It leads through objects and lists to an object, or nothing would have been cut.
  let parent: unknown = tender;
  for (const part of path.slice(0, -1)) parent = Reflect.get(Object(parent), part);
  Reflect.deleteProperty(Object(parent), path.at(-1) ?? '');
  return tender;
}

interface Cut {
  readonly from: number;
  readonly to: number;
  readonly value: string;
}

interface Part {
  /** Undefined for an entry of a list. */
  readonly name: string | undefined;
  readonly from: number;
  readonly valueFrom: number;
  readonly to: number;
}

function findCut(text: string, path: MemberPath): Cut | undefined {
  let start = spaceEnd(text, 0);
  for (const [depth, wanted] of path.entries()) {
    const parts = parseParts(text, start);
    const at = parts.findIndex(({ name }, place) => (name ?? String(place)) === wanted);
    const part = parts[at];
    if (part === undefined) return undefined;
    if (depth < path.length - 1) {
      start = part.valueFrom;
      continue;
    }
    if (part.name === undefined) return undefined;
    const value = text.slice(part.valueFrom, part.to);
    const [before, after] = [parts[at - 1], parts[at + 1]];
    // With the comma that separates it.
    if (after !== undefined) return { from: part.from, to: after.from, value };
    return { from: before?.to ?? part.from, to: part.to, value };
  }
  return undefined;
}

/** Members of an object or entries of a list; none of another value. */
function parseParts(text: string, start: number): readonly Part[] {
  const isObject = text[start] === '{';
  if (!isObject && text[start] !== '[') return [];
  const parts: Part[] = [];
  let at = spaceEnd(text, start + 1);
  while (text[at] !== '}' && text[at] !== ']') {
    const from = at;
    let name: string | undefined;
    if (isObject) {
      const nameEnd = stringEnd(text, at);
      name = JSON.parse(text.slice(at, nameEnd)) as string;
      at = spaceEnd(text, spaceEnd(text, nameEnd) + 1);
    }
    const to = valueEnd(text, at);
    parts.push({ name, from, valueFrom: at, to });
    at = spaceEnd(text, to);
    if (text[at] === ',') at = spaceEnd(text, at + 1);
    else if (at >= text.length) throw new Error('the text ends within a value');
  }
  return parts;
}

function spaceEnd(text: string, start: number): number {
  let at = start;
  while (' \t\n\r'.includes(text[at] ?? 'x')) at += 1;
  return at;
}

/** Returns the place after the closing quote. */
function stringEnd(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '"') return at + 1;
  }
  throw new Error('the text ends within a string');
}

function valueEnd(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const sign = text[at] ?? '';
    if (sign === '"') at = stringEnd(text, at) - 1;
    else if (sign === '{' || sign === '[') depth += 1;
    else if ((sign === '}' || sign === ']') && depth > 0) depth -= 1;
    else if (depth === 0 && ',]} \t\n\r'.includes(sign)) return at;
    if (depth === 0 && (sign === '"' || sign === '}' || sign === ']')) return at + 1;
  }
  return text.length;
}
