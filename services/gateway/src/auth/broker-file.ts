import { UsageError } from '@procurement/kit/runtime/command-line';
import { sha256Hex } from '@procurement/kit/runtime/ids';
import { Broker, BROKER_NAME, GROUPS, LEVELS, LEVELS_RULE } from './broker.ts';

/** A key of a broker in a file of another system. */
export interface ImportedKey {
  readonly broker: Broker;
  readonly keyHash: string;
}

/** One entry of a file, as its text has it. */
interface Entry {
  /** Line in the file, from 1. */
  readonly line: number;
  readonly name: string;
  readonly group: string;
  readonly levels: string;
  readonly key: string;
}

const FORMATS = { ini: iniEntries, csv: csvEntries } as const;
export type BrokerFileFormat = keyof typeof FORMATS;
// The keys of the table are the formats.
export const BROKER_FILE_FORMATS = Object.keys(FORMATS) as readonly BrokerFileFormat[];

/** Levels of entries in a file whose entries have no levels (http.md 3.1). */
const ALL_LEVELS = '1234';

/**
 * Reads the brokers of another system: `auth.ini` of the OpenProcurement API, or a CSV with the columns `name`, `group`, `levels` and `key`.
 * Entries of `skippedGroups` are left out. Throws one UsageError that lists every line with a mistake, and never a key.
 */
export function readBrokerFile(
  text: string,
  format: BrokerFileFormat,
  skippedGroups: readonly string[],
): readonly ImportedKey[] {
  const entries = FORMATS[format](text).filter(({ group }) => !skippedGroups.includes(group));
  const problems = entries.flatMap((entry) => findProblems(entry).map((problem) => `line ${entry.line}: ${problem}`));
  const brokers = new Map<string, Entry>();
  const keys = new Map<string, Entry>();
  for (const entry of entries) {
    const first = brokers.get(entry.name) ?? entry;
    if (first.group !== entry.group || first.levels !== entry.levels)
      problems.push(`line ${entry.line}: ${entry.name} has another group or other levels in line ${first.line}`);
    brokers.set(entry.name, first);
    const holder = keys.get(entry.key) ?? entry;
    if (holder.name !== entry.name)
      problems.push(`line ${entry.line}: the key of ${holder.name} in line ${holder.line}`);
    keys.set(entry.key, holder);
  }
  if (problems.length > 0) throw new UsageError(problems.join('\n'));
  return [...keys.values()].map(({ name, group, levels, key }) => ({
    broker: Broker.parse({ name, group, levels }),
    keyHash: sha256Hex(key),
  }));
}

/** What the OpenProcurement API stores for a key that it does not have in plain text. */
const SHA512 = /^[0-9a-f]{128}$/;

function findProblems({ name, group, levels, key }: Entry): readonly string[] {
  const rules: readonly (readonly [isBroken: boolean, problem: string])[] = [
    [!BROKER_NAME.test(name), 'the name is not made of letters, digits, - and _, with dots between'],
    [!GROUPS.some((one) => one === group), `no such group: ${group}; --skip-group leaves its entries out`],
    [!LEVELS.test(levels), LEVELS_RULE],
    [key === '', 'no key'],
    [/[:\s]/.test(key), 'a key with a colon or a space cannot be sent as a user name'],
    [SHA512.test(key), 'a SHA-512 of a key, from which ours cannot be made: give this broker a new key'],
  ];
  return rules.flatMap(([isBroken, problem]) => (isBroken ? [problem] : []));
}

const SECTION = /^\[([^\]]+)\]/;
const OPTION = /^([^=:]+?)\s*[=:]\s*(.*)$/;

/** `[group]`, then `name = key` or `name = key,levels`. Names are read in lower case, as Python's ConfigParser does. */
function iniEntries(text: string): readonly Entry[] {
  let group = '';
  return splitLines(text).flatMap(({ line, content }) => {
    if (/^[#;]/.test(content)) return [];
    const section = SECTION.exec(content)?.[1];
    if (section !== undefined) {
      group = section;
      return [];
    }
    const [, name = '', value = ''] = OPTION.exec(content) ?? [];
    const comma = value.indexOf(',');
    const [key, levels] = comma < 0 ? [value, ALL_LEVELS] : [value.slice(0, comma), value.slice(comma + 1)];
    return [{ line, name: name.toLowerCase(), group, levels: levels.trim(), key: key.trim() }];
  });
}

function csvEntries(text: string): readonly Entry[] {
  const [head, ...rows] = splitLines(text).map(({ line, content }) => ({
    line,
    cells: content.split(',').map(unquoted),
  }));
  const columns = head?.cells ?? [];
  for (const column of ['name', 'key']) {
    if (!columns.includes(column)) throw new UsageError(`the first line has no column ${column}`);
  }
  return rows.map(({ line, cells }) => {
    const cell = (column: string, absent = ''): string => cells[columns.indexOf(column)] ?? absent;
    const group = cell('group', 'brokers');
    return { line, name: cell('name'), group, levels: cell('levels', ALL_LEVELS), key: cell('key') };
  });
}

/** No cell of such a file contains a comma. */
function unquoted(cell: string): string {
  return cell.trim().replace(/^"(.*)"$/, '$1');
}

/** Lines with text, and their numbers. A byte order mark is no text. */
function splitLines(text: string): readonly { readonly line: number; readonly content: string }[] {
  return text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .map((content, index) => ({ line: index + 1, content: content.trim() }))
    .filter(({ content }) => content !== '');
}
