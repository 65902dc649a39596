import { decodeText } from './hash.ts';
import { HASH, ID, parseInteger, valuesOfLines } from './lines.ts';

/** A published state of a tender. Its hash is blinded, so that nobody can guess a value that was removed later. */
interface State {
  readonly tender: string;
  readonly rev: bigint;
  /** Place in the feed of tenders, in microseconds since 1970. */
  readonly position: bigint;
  /** Commitment to the text, in hex (`deriveCommitment`). */
  readonly commit: string;
  /** Length of the text. */
  readonly bytes: bigint;
}

export interface Publication extends State {
  readonly kind: 'publication';
  readonly number: bigint;
}

export interface Baseline extends State {
  readonly kind: 'baseline';
}

export interface Redaction extends State {
  readonly kind: 'redaction';
  /** Escaped JSON Pointer (`writeMember`) to the member of `data` that was removed by law. */
  readonly member: string;
}

export interface Restore {
  readonly kind: 'restore';
  readonly epoch: bigint;
  readonly to: bigint;
  readonly began: bigint;
}

export interface Hole {
  readonly kind: 'hole';
  readonly after: bigint;
  readonly before: bigint;
}

/** A leaf of the log (docs/spec/proof.md 3.1). */
export type Entry = Publication | Baseline | Redaction | Restore | Hole;

const BYTES_MAX = 4_096;

/** Lines of each kind, in their order. */
const LINES: Readonly<Record<Entry['kind'], readonly string[]>> = {
  publication: ['number', 'tender', 'rev', 'position', 'commit', 'bytes'],
  baseline: ['tender', 'rev', 'position', 'commit', 'bytes'],
  redaction: ['tender', 'rev', 'position', 'member', 'commit', 'bytes'],
  restore: ['epoch', 'to', 'began'],
  hole: ['after', 'before'],
};

const MEMBER = /^(?:\/(?:[A-Za-z0-9._-]|~[01]|%[0-9A-F]{2})*)+$/;
/** Values that are text; all others are numbers. */
const TEXTS: Readonly<Record<string, RegExp>> = { tender: ID, commit: HASH, member: MEMBER };

const FIRST_LINE = /^procurement-log\/1 ([a-z]+)$/;

function isKind(kind: string): kind is Entry['kind'] {
  return Object.hasOwn(LINES, kind);
}

function formatEntry(entry: Entry): string {
  const values: Readonly<Record<string, bigint | string>> = { ...entry };
  const lines = LINES[entry.kind].map((name) => `${name} ${values[name]}\n`);
  return `procurement-log/1 ${entry.kind}\n${lines.join('')}`;
}

/** Writes an entry. Throws where a value does not have the form of its line: a mistake of the caller. */
export function writeEntry(entry: Entry): string {
  const text = formatEntry(entry);
  if (parseEntry(text) === undefined) throw new RangeError(`this is no entry: ${text.slice(0, 500)}`);
  return text;
}

/** Reads an entry. Returns undefined for any other spelling than that of `writeEntry`. */
export function parseEntry(given: string | Uint8Array): Entry | undefined {
  const text = typeof given === 'string' ? given : decodeText(given);
  if (text === undefined || Buffer.byteLength(text) > BYTES_MAX) return undefined;
  const [first = '', ...lines] = text.split('\n');
  const kind = FIRST_LINE.exec(first)?.[1];
  if (kind === undefined || !isKind(kind) || lines.pop() !== '') return undefined;
  const names = LINES[kind];
  const values = valuesOfLines(lines, names);
  if (values === undefined) return undefined;
  const entry: Record<string, bigint | string> = { kind };
  for (const [index, name] of names.entries()) {
    const value = values[index] ?? '';
    const form = TEXTS[name];
    const read = form === undefined ? parseInteger(value) : form.test(value) ? value : undefined;
    if (read === undefined) return undefined;
    entry[name] = read;
  }
  // Safe cast: the entry has the lines of its kind, each in its form.
  const made = entry as unknown as Entry;
  return formatEntry(made) === text ? made : undefined;
}

/** Writes a JSON Pointer as the value of `member`: bytes other than `A-Z a-z 0-9 - . _ ~ /` as `%XX`. */
export function writeMember(pointer: string): string {
  const escaped = (byte: number) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  return pointer.replaceAll(/[^A-Za-z0-9._~/-]+/g, (other) => Array.from(Buffer.from(other), escaped).join(''));
}

/** Returns the names on the way to a member; undefined where its escapes are no UTF-8. */
export function namesOfMember(member: string): string[] | undefined {
  try {
    const [, ...names] = decodeURIComponent(member).split('/');
    return names.map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
  } catch {
    return undefined;
  }
}
