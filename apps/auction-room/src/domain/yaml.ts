import { toDecimal, printDecimal } from './decimal.ts';

/** A value of a YAML document. Members that are `undefined` are left out. */
export type YamlValue =
  | string
  | number
  | bigint
  | boolean
  | null
  | readonly YamlValue[]
  | { readonly [name: string]: YamlValue | undefined };

/** Texts of these members are always quoted: an id such as 1234e567 would be read as a number by some. */
const QUOTED_MEMBERS: ReadonlySet<string> = new Set(['id', 'tender_id', 'lot_id', 'bidder']);

/** A text that every reader takes for itself: begins with a letter, no character of YAML's syntax, no blank at the end. */
const PLAIN = /^\p{L}(?:[\p{L}\p{N} ./()«»,_№-]*[\p{L}\p{N}./()«»_№-])?$/u;
const OTHER_TYPES = /^(?:true|false|yes|no|on|off|y|n|null|nan|inf)$/i;
/** Single quotes cannot escape, so control characters and line breaks need double quotes. */
const NEEDS_ESCAPES = /[\p{Cc}\p{Cs}\p{Co}\p{Cn}\u2028\u2029\uFEFF]/u;

/** Writes a mapping as a YAML document in block style. Numbers get a fraction (`440.0`), bigints do not. */
export function writeYaml(mapping: { readonly [name: string]: YamlValue | undefined }): string {
  return `${writeMembers(mapping, '').join('\n')}\n`;
}

function writeMembers(mapping: { readonly [name: string]: YamlValue | undefined }, indent: string): readonly string[] {
  return Object.entries(mapping).flatMap(([name, value]) => {
    if (value === undefined) return [];
    const key = `${indent}${scalar(name, '')}:`;
    return block(key, value, indent, name);
  });
}

/** The lines of one value behind its key. */
function block(key: string, value: YamlValue, indent: string, name: string): readonly string[] {
  if (isList(value)) {
    if (value.length === 0) return [`${key} []`];
    return [key, ...value.flatMap((item) => listItem(item, indent, name))];
  }
  if (typeof value === 'object' && value !== null) {
    const members = writeMembers(value, `${indent}  `);
    return members.length === 0 ? [`${key} {}`] : [key, ...members];
  }
  return [`${key} ${scalar(value, name)}`];
}

function listItem(item: YamlValue, indent: string, name: string): readonly string[] {
  if (typeof item !== 'object' || item === null) return [`${indent}- ${scalar(item, name)}`];
  const inner = isList(item)
    ? item.flatMap((one) => listItem(one, `${indent}  `, name))
    : writeMembers(item, `${indent}  `);
  const [first, ...rest] = inner;
  if (first === undefined) return [`${indent}- ${isList(item) ? '[]' : '{}'}`];
  return [`${indent}- ${first.slice(indent.length + 2)}`, ...rest];
}

function isList(value: YamlValue): value is readonly YamlValue[] {
  return Array.isArray(value);
}

function scalar(value: string | number | bigint | boolean | null, name: string): string {
  if (typeof value === 'number') return printDecimal(toDecimal(value));
  if (typeof value !== 'string') return String(value);
  if (!QUOTED_MEMBERS.has(name) && PLAIN.test(value) && !OTHER_TYPES.test(value)) return value;
  // Texts that begin with a digit are ids, dates and fractions: JSON's quotes, as in the documents of the older components.
  const startsAsText = /^\p{L}/u.test(value) && !QUOTED_MEMBERS.has(name);
  if (startsAsText && !NEEDS_ESCAPES.test(value)) return `'${value.replaceAll("'", "''")}'`;
  return JSON.stringify(value).replaceAll(/[\u007F-\u009F\u2028\u2029\uFEFF]/gu, escapeCharacter);
}

/** JSON allows these characters in a text, YAML does not. */
function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
