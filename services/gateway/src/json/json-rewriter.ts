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

/** A name on the wire, as it is written in front of the first member of an object and of a further one. */
export interface MemberPrefix {
  readonly first: string;
  readonly next: string;
}

export function memberPrefix(name: string): MemberPrefix {
  return { first: `"${name}":`, next: `,"${name}":` };
}

/**
 * The text of an answer on its way into another form. What stays as it is stays one piece, however many members it holds:
 * only where something differs is a piece cut.
 */
export class JsonRewriter {
  readonly text: string;
  /** Whether the object that is being written has a member already. */
  hasMembers = false;
  #output = '';
  #copyFrom = 0;
  #copyTo = 0;

  constructor(text: string) {
    this.text = text;
  }

  /** A stretch of the text as it is. */
  copy(from: number, to: number): void {
    if (from !== this.#copyTo) {
      this.#flush();
      this.#copyFrom = from;
    }
    this.#copyTo = to;
  }

  /** The value that begins here as it is. Gives its end. */
  copyValue(at: number): number {
    const end = valueEnd(this.text, at);
    this.copy(at, end);
    return end;
  }

  /** Other words than those of the text. */
  write(jsonText: string): void {
    this.#flush();
    this.#output += jsonText;
    this.#copyFrom = this.#copyTo;
  }

  /** A name, which begins a member; its value is to follow. */
  writeName({ first, next }: MemberPrefix): void {
    this.write(this.hasMembers ? next : first);
    this.hasMembers = true;
  }

  /** Begins an object. */
  openObject(): void {
    this.write('{');
    this.hasMembers = false;
  }

  closeObject(): void {
    this.write('}');
    this.hasMembers = true;
  }

  end(): string {
    this.#flush();
    return this.#output;
  }

  #flush(): void {
    if (this.#copyTo > this.#copyFrom) this.#output += this.text.slice(this.#copyFrom, this.#copyTo);
  }
}

/** How values of a type are shown: writes what is shown of the value that begins here, and gives its end. */
export type ValueRewriter = (out: JsonRewriter, at: number) => number;

/** Where a member of an object stands in the text. */
export interface MemberPosition {
  /** Its opening quote. */
  readonly name: number;
  readonly value: number;
  /** Opening bracket of the object, for what depends on another member. */
  readonly object: number;
}

/** How a member is shown: writes it with its name, or passes over it, and gives the end of its value. */
export type MemberRewriter = (out: JsonRewriter, position: MemberPosition) => number;

/** The text with its root in another form. A text that is not what services write is returned untouched. */
export function rewriteJson(text: string, rewriter: ValueRewriter): string {
  const out = new JsonRewriter(text);
  return rewriter(out, 0) === text.length ? out.end() : text;
}

/** An answer whose `data` is in this form. */
export function rewriteData(rewriter: ValueRewriter): ValueRewriter {
  return rewriteObject({ data: rewriteMember(rewriter) }, keepMember);
}

/** An object whose members have forms by name; what is no object stays as it is. */
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

/** The members of these names as they are, and no others. */
export function pickMembers(...names: readonly string[]): ValueRewriter {
  return rewriteObject(Object.fromEntries(names.map((name) => [name, keepMember])), dropMember);
}

/** Every element of a list; what is no list is shown as an element would be. */
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

/** A word that has another one in its place; what is no string stays as it is. */
export function mapString(map: (given: string) => string): ValueRewriter {
  return (out, at) => {
    const { text } = out;
    if (text.charCodeAt(at) !== QUOTE) return out.copyValue(at);
    const end = stringEnd(text, at);
    out.write(`"${map(text.slice(at + 1, end - 1))}"`);
    return end;
  };
}

/** A member as it is. */
export const keepMember: MemberRewriter = (out, { name, value }) => {
  const end = valueEnd(out.text, value);
  copyMember(out, name, end);
  return end;
};

/** A member that is not shown. */
export const dropMember: MemberRewriter = (out, { value }) => valueEnd(out.text, value);

/** A member under its wire name; without a form its value stays as it is. */
export function renameMember(name: string, rewriter?: ValueRewriter): MemberRewriter {
  const prefix = memberPrefix(name);
  return (out, { value }) => {
    out.writeName(prefix);
    const end = rewriter === undefined ? out.copyValue(value) : rewriter(out, value);
    out.hasMembers = true;
    return end;
  };
}

/** A member under its own name; without a form it stays as it is. */
export function rewriteMember(rewriter: ValueRewriter | undefined): MemberRewriter {
  if (rewriter === undefined) return keepMember;
  return (out, { name, value }) => {
    copyMember(out, name, value);
    const end = rewriter(out, value);
    out.hasMembers = true;
    return end;
  };
}

/** From a name on. Where it follows another one in the text, too, the comma between them is kept with it. */
function copyMember(out: JsonRewriter, name: number, end: number): void {
  if (!out.hasMembers) out.copy(name, end);
  else if (out.text.charCodeAt(name - 1) === COMMA) out.copy(name - 1, end);
  else {
    out.write(',');
    out.copy(name, end);
  }
  out.hasMembers = true;
}

/** A member that was found, under this name or its own; nothing when it was not. */
export function writeMember(out: JsonRewriter, member: MemberRange | undefined, prefix?: MemberPrefix): void {
  if (member === undefined) return;
  if (prefix === undefined) copyMember(out, member.name, member.end);
  else {
    out.writeName(prefix);
    out.copy(member.value, member.end);
  }
}
