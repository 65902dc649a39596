import {
  makeNameLookup,
  COMMA,
  ARRAY_START,
  ARRAY_END,
  skipComma,
  OBJECT_START,
  OBJECT_END,
  QUOTE,
  stringEnd,
  valueEnd,
  type MemberRange,
} from './json-scanner.ts';

/** Text in front of a member's value, for the first member of an object and for later ones. */
export interface MemberPrefix {
  readonly first: string;
  readonly next: string;
}

export function memberPrefix(name: string): MemberPrefix {
  return { first: `"${name}":`, next: `,"${name}":` };
}

/**
 * Writes a changed copy of a JSON text. Adjacent ranges that stay unchanged are copied as one slice: slices are cut only where the
 * texts differ.
 */
export class JsonRewriter {
  readonly text: string;
  /** True when the object being written already has a member. */
  hasMembers = false;
  #output = '';
  #copyFrom = 0;
  #copyTo = 0;

  constructor(text: string) {
    this.text = text;
  }

  /** Copies a range of the text. */
  copy(from: number, to: number): void {
    if (from !== this.#copyTo) {
      this.#flush();
      this.#copyFrom = from;
    }
    this.#copyTo = to;
  }

  /** Copies the value at `at`. Returns its end. */
  copyValue(at: number): number {
    const end = valueEnd(this.text, at);
    this.copy(at, end);
    return end;
  }

  /** Writes JSON that is not in the text. */
  write(jsonText: string): void {
    this.#flush();
    this.#output += jsonText;
    this.#copyFrom = this.#copyTo;
  }

  /** Writes the name of a member; the caller writes its value next. */
  writeName({ first, next }: MemberPrefix): void {
    this.write(this.hasMembers ? next : first);
    this.hasMembers = true;
  }

  openObject(): void {
    this.write('{');
    this.hasMembers = false;
  }

  closeObject(): void {
    this.write('}');
    this.hasMembers = true;
  }

  finish(): string {
    this.#flush();
    return this.#output;
  }

  #flush(): void {
    if (this.#copyTo > this.#copyFrom) this.#output += this.text.slice(this.#copyFrom, this.#copyTo);
  }
}

/** Writes the value at `at` in its new form and returns the end of the original value. */
export type ValueRewriter = (out: JsonRewriter, at: number) => number;

/** Positions of a member in the text. */
export interface MemberPosition {
  /** Opening quote of the name. */
  readonly name: number;
  readonly value: number;
  /** Opening bracket of the object, for rewriters that depend on another member. */
  readonly object: number;
}

/** Writes a member with its name, or omits it. Returns the end of the original value. */
export type MemberRewriter = (out: JsonRewriter, position: MemberPosition) => number;

/** Rewrites the root of a text. Text that is not compact JSON, as services write it, is returned unchanged. */
export function rewriteJson(text: string, rewriter: ValueRewriter): string {
  const out = new JsonRewriter(text);
  return rewriter(out, 0) === text.length ? out.finish() : text;
}

/** Rewrites `data` of a response. */
export function rewriteData(rewriter: ValueRewriter): ValueRewriter {
  return rewriteObject({ data: rewriteMember(rewriter) }, keepMember);
}

/** Rewrites the members of an object by name; any other value is copied. */
export function rewriteObject(
  members: Readonly<Record<string, MemberRewriter>>,
  otherMembers: MemberRewriter,
): ValueRewriter {
  const rewriterFor = makeNameLookup(members, otherMembers);
  return (out, start) => {
    const { text } = out;
    if (text.charCodeAt(start) !== OBJECT_START) return out.copyValue(start);
    out.copy(start, start + 1);
    out.hasMembers = false;
    let name = start + 1;
    while (text.charCodeAt(name) === QUOTE) {
      const colon = stringEnd(text, name);
      const rewriteMemberAt = rewriterFor(text, name + 1, colon - 1);
      name = skipComma(text, rewriteMemberAt(out, { name, value: colon + 1, object: start }));
    }
    if (text.charCodeAt(name) !== OBJECT_END) return Infinity;
    out.copy(name, name + 1);
    out.hasMembers = true;
    return name + 1;
  };
}

/** Keeps the members of these names and drops all others. */
export function pickMembers(...names: readonly string[]): ValueRewriter {
  return rewriteObject(Object.fromEntries(names.map((name) => [name, keepMember])), dropMember);
}

/** Rewrites every element of a list; any other value is rewritten as an element would be. */
export function rewriteEach(rewriteElement: ValueRewriter): ValueRewriter {
  return (out, start) => {
    const { text } = out;
    if (text.charCodeAt(start) !== ARRAY_START) return rewriteElement(out, start);
    out.copy(start, start + 1);
    let at = start + 1;
    while (at < text.length && text.charCodeAt(at) !== ARRAY_END) {
      const end = rewriteElement(out, at);
      at = skipComma(text, end);
      if (at === end && text.charCodeAt(at) !== ARRAY_END) return Infinity;
      out.copy(end, at);
    }
    out.copy(at, at + 1);
    return at + 1;
  };
}

/** Replaces a string without escapes; any other value is copied. */
export function mapString(map: (given: string) => string): ValueRewriter {
  return (out, at) => {
    const { text } = out;
    if (text.charCodeAt(at) !== QUOTE) return out.copyValue(at);
    const end = stringEnd(text, at);
    out.write(`"${map(text.slice(at + 1, end - 1))}"`);
    return end;
  };
}

/** Copies a member. */
export const keepMember: MemberRewriter = (out, { name, value }) => {
  const end = valueEnd(out.text, value);
  copyMember(out, name, end);
  return end;
};

/** Omits a member. */
export const dropMember: MemberRewriter = (out, { value }) => valueEnd(out.text, value);

/** Writes a member under another name; without a rewriter its value is copied. */
export function renameMember(name: string, rewriter?: ValueRewriter): MemberRewriter {
  const prefix = memberPrefix(name);
  return (out, { value }) => {
    out.writeName(prefix);
    const end = rewriter === undefined ? out.copyValue(value) : rewriter(out, value);
    out.hasMembers = true;
    return end;
  };
}

/** Writes a member under its own name; without a rewriter it is copied. */
export function rewriteMember(rewriter: ValueRewriter | undefined): MemberRewriter {
  if (rewriter === undefined) return keepMember;
  return (out, { name, value }) => {
    copyMember(out, name, value);
    const end = rewriter(out, value);
    out.hasMembers = true;
    return end;
  };
}

/** Copies from a name on, with the comma in front of it when the text has one there: this keeps adjacent members one slice. */
function copyMember(out: JsonRewriter, name: number, end: number): void {
  if (!out.hasMembers) out.copy(name, end);
  else if (out.text.charCodeAt(name - 1) === COMMA) out.copy(name - 1, end);
  else {
    out.write(',');
    out.copy(name, end);
  }
  out.hasMembers = true;
}

/** Writes a found member under the given name, or under its own; writes nothing when it was not found. */
export function writeMember(out: JsonRewriter, member: MemberRange | undefined, prefix?: MemberPrefix): void {
  if (member === undefined) return;
  if (prefix === undefined) copyMember(out, member.name, member.end);
  else {
    out.writeName(prefix);
    out.copy(member.value, member.end);
  }
}
