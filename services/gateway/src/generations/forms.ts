import {
  byName,
  COMMA,
  LIST,
  LIST_END,
  nextOf,
  OBJECT,
  OBJECT_END,
  QUOTE,
  stringEnd,
  valueEnd,
  type Member,
} from './data-text.ts';

/** A name on the wire, as it is written in front of the first member of an object and of a further one. */
export interface Wire {
  readonly first: string;
  readonly further: string;
}

export function wire(name: string): Wire {
  return { first: `"${name}":`, further: `,"${name}":` };
}

/**
 * The text of an answer on its way into another form. What stays as it is stays one piece, however many members it holds:
 * only where something differs is a piece cut.
 */
export class Rewriting {
  readonly text: string;
  /** Whether the object that is being written has a member already. */
  follows = false;
  #written = '';
  #from = 0;
  #to = 0;

  constructor(text: string) {
    this.text = text;
  }

  /** A stretch of the text as it is. */
  keep(from: number, to: number): void {
    if (from !== this.#to) {
      this.#flush();
      this.#from = from;
    }
    this.#to = to;
  }

  /** The value that begins here as it is. Gives its end. */
  keepValue(at: number): number {
    const end = valueEnd(this.text, at);
    this.keep(at, end);
    return end;
  }

  /** Other words than those of the text. */
  put(words: string): void {
    this.#flush();
    this.#written += words;
    this.#from = this.#to;
  }

  /** A name, which begins a member; its value is to follow. */
  putName({ first, further }: Wire): void {
    this.put(this.follows ? further : first);
    this.follows = true;
  }

  /** Begins an object. */
  open(): void {
    this.put('{');
    this.follows = false;
  }

  close(): void {
    this.put('}');
    this.follows = true;
  }

  end(): string {
    this.#flush();
    return this.#written;
  }

  #flush(): void {
    if (this.#to > this.#from) this.#written += this.text.slice(this.#from, this.#to);
  }
}

/** How values of a type are shown: writes what is shown of the value that begins here, and gives its end. */
export type Form = (out: Rewriting, at: number) => number;

/** Where a member of an object stands in the text. */
export interface MemberPlace {
  /** Its opening quote. */
  readonly name: number;
  readonly value: number;
  /** Opening bracket of the object, for what depends on another member. */
  readonly object: number;
}

/** How a member is shown: writes it with its name, or passes over it, and gives the end of its value. */
export type MemberForm = (out: Rewriting, place: MemberPlace) => number;

/** The text with its root in another form. A text that is not what services write is returned untouched. */
export function inForm(text: string, form: Form): string {
  const out = new Rewriting(text);
  return form(out, 0) === text.length ? out.end() : text;
}

/** An answer whose `data` is in this form. */
export function answerOf(form: Form): Form {
  return object({ data: shownIn(form) }, kept);
}

/** An object whose members have forms by name; what is no object stays as it is. */
export function object(members: Readonly<Record<string, MemberForm>>, others: MemberForm): Form {
  const formAt = byName(members, others);
  return (out, start) => {
    const { text } = out;
    if (text.charCodeAt(start) !== OBJECT) return out.keepValue(start);
    out.keep(start, start + 1);
    out.follows = false;
    let name = start + 1;
    while (text.charCodeAt(name) === QUOTE) {
      const colon = stringEnd(text, name);
      const form = formAt(text, name + 1, colon - 1);
      name = nextOf(text, form(out, { name, value: colon + 1, object: start }));
    }
    if (text.charCodeAt(name) !== OBJECT_END) return Infinity;
    out.keep(name, name + 1);
    out.follows = true;
    return name + 1;
  };
}

/** The members of these names as they are, and no others. */
export function picked(...names: readonly string[]): Form {
  return object(Object.fromEntries(names.map((name) => [name, kept])), dropped);
}

/** Every element of a list; what is no list is shown as an element would be. */
export function each(form: Form): Form {
  return (out, start) => {
    const { text } = out;
    if (text.charCodeAt(start) !== LIST) return form(out, start);
    out.keep(start, start + 1);
    let at = start + 1;
    while (at < text.length && text.charCodeAt(at) !== LIST_END) {
      const end = form(out, at);
      at = nextOf(text, end);
      if (at === end && text.charCodeAt(at) !== LIST_END) return Infinity;
      out.keep(end, at);
    }
    out.keep(at, at + 1);
    return at + 1;
  };
}

/** A word that has another one in its place; what is no string stays as it is. */
export function word(shown: (given: string) => string): Form {
  return (out, at) => {
    const { text } = out;
    if (text.charCodeAt(at) !== QUOTE) return out.keepValue(at);
    const end = stringEnd(text, at);
    out.put(`"${shown(text.slice(at + 1, end - 1))}"`);
    return end;
  };
}

/** A member as it is. */
export const kept: MemberForm = (out, { name, value }) => {
  const end = valueEnd(out.text, value);
  keepFrom(out, name, end);
  return end;
};

/** A member that is not shown. */
export const dropped: MemberForm = (out, { value }) => valueEnd(out.text, value);

/** A member under its wire name; without a form its value stays as it is. */
export function shownAs(name: string, form?: Form): MemberForm {
  const shown = wire(name);
  return (out, { value }) => {
    out.putName(shown);
    const end = form === undefined ? out.keepValue(value) : form(out, value);
    out.follows = true;
    return end;
  };
}

/** A member under its own name; without a form it stays as it is. */
export function shownIn(form: Form | undefined): MemberForm {
  if (form === undefined) return kept;
  return (out, { name, value }) => {
    keepFrom(out, name, value);
    const end = form(out, value);
    out.follows = true;
    return end;
  };
}

/** From a name on. Where it follows another one in the text, too, the comma between them is kept with it. */
function keepFrom(out: Rewriting, name: number, end: number): void {
  if (!out.follows) out.keep(name, end);
  else if (out.text.charCodeAt(name - 1) === COMMA) out.keep(name - 1, end);
  else {
    out.put(',');
    out.keep(name, end);
  }
  out.follows = true;
}

/** A member that was found, under this name or its own; nothing when it was not. */
export function putMember(out: Rewriting, member: Member | undefined, shown?: Wire): void {
  if (member === undefined) return;
  if (shown === undefined) keepFrom(out, member.name, member.end);
  else {
    out.putName(shown);
    out.keep(member.value, member.end);
  }
}
