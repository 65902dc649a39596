import { documentCollections, documentRouteName } from '@procurement/contracts/api/documents.api';
import { BYTES_OF_ONE, RATE_CLASSES, type WeighedWork } from '@procurement/contracts/api/rates';
import type { Segment } from '@procurement/contracts/api/route';
import { selectRoutes } from '@procurement/contracts/api/routes';
import * as limits from '@procurement/contracts/limits';
import { errorCatalogue } from '@procurement/contracts/problems/catalogue';
import {
  membersOf,
  wireName,
  type ChangedType,
} from '../../services/gateway/src/generations/member-table-for-2.3-and-0.ts';
import { findMember, typeMappingOf, type TypeName } from '../../services/gateway/src/generations/v0.1/member-table.ts';
import { operationRules } from '../openapi/operation-rules.ts';

type Row = readonly (string | number)[];

function table(head: readonly string[], rows: readonly Row[]): string {
  const line = (cells: Row): string => `| ${cells.join(' | ')} |`;
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n');
}

const code = (text: string): string => `\`${text}\``;
const kib = (bytes: number): string => (bytes < 1_048_576 ? `${bytes / 1_024} KiB` : `${bytes / 1_048_576} MiB`);

const routes = selectRoutes({ sandbox: false });
const SEGMENTS: readonly Segment[] = ['2.5', '2.3', '0', '0.1'];

/** Operations that a segment lacks, in groups of equal segments. */
function operations(): string {
  const rows = routes
    .filter(({ segments }) => segments.length < SEGMENTS.length)
    .map(({ method, path, segments }) => ({
      operation: `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`,
      shown: SEGMENTS.map((segment) => (segments.includes(segment) ? 'yes' : '–')),
    }));
  return table(
    ['Operation', ...SEGMENTS.map(code)],
    rows.map(({ operation, shown }) => [code(operation), ...shown]),
  );
}

/** Types whose members differ, and their names on segment 0.1. */
const TYPES: readonly { readonly title: string; readonly of23?: ChangedType; readonly of01?: TypeName }[] = [
  { title: 'Tender', of23: 'Tender', of01: 'Tender' },
  { title: 'Item', of01: 'Item' },
  { title: 'Bid', of23: 'Bid', of01: 'Bid' },
  { title: 'Award', of23: 'Award', of01: 'Award' },
  { title: 'Document', of23: 'Document', of01: 'Document' },
];

function members(): string {
  const rows = TYPES.flatMap(({ title, of23, of01 }) => {
    const names = new Set([
      ...(of23 === undefined ? [] : membersOf(of23)).map(({ name }) => name),
      ...(of01 === undefined ? [] : typeMappingOf(of01).members).map(({ name }) => name),
    ]);
    return [...names]
      .filter((name) => !/_(en|ru)$/.test(name))
      .map((name): readonly [string, ...(string | undefined)[]] => {
        const of23OrSame = (segment: '2.3' | '0') => (of23 === undefined ? name : wireName(of23, segment, name));
        const old = of01 === undefined ? undefined : findMember(of01, name);
        return [name, of23OrSame('2.3'), of23OrSame('0'), old?.middle, old?.earliest];
      })
      .filter(([name, ...wire]) => wire.some((one) => one !== name))
      .map(([name, ...wire]) => [
        `${title} ${code(name)}`,
        ...wire.map((one) => (one === undefined ? '–' : code(one))),
      ]);
  });
  return table(['On 2.5', code('2.3'), code('0'), '`0.1`, middle', '`0.1`, earliest'], rows);
}

function objects(): string {
  const bytes: Readonly<Record<string, number>> = limits.OBJECT_BYTES_MAX;
  const rows = Object.entries(limits.TENDER_OBJECTS_MAX).map(([kind, numbers]) => {
    const one = kind === 'awardComplaints' ? 'complaint' : kind.slice(0, -1);
    return [kind, numbers.ofTender, 'ofBroker' in numbers ? numbers.ofBroker : '', kib(bytes[one] ?? 0)];
  });
  return table(['Objects', 'In one tender', 'Of one broker', 'Size of one'], rows);
}

function documents(): string {
  const rules = operationRules(routes.filter(({ segments }) => segments.includes('2.5')));
  const rows = documentCollections.map((collection) => {
    const own = rules[documentRouteName('create', collection)];
    return [collection.noun, own?.who ?? '', own?.when ?? ''];
  });
  return table(['Files of', 'Who adds them', 'When'], rows);
}

/** What is weighed, for readers of the guides. */
const WEIGHED: Readonly<Record<WeighedWork, string>> = {
  body: 'JSON body of a write',
  saved: 'object that a write saves: the tender, or all awards and contracts of a tender',
  answer: 'JSON answer of a read',
  mapped: 'the same, in a segment other than 2.5',
  jsonp: 'the same, with `opt_jsonp`',
  indented: 'the same, with `opt_pretty`',
  compared: 'texts that are compared for patches (`diff=1`, `changes`); patches that are known cost nothing',
  file: 'file of an export',
};

/** Tables of the guides by their names in the marks. */
export const GUIDE_TABLES: Readonly<Record<string, () => string>> = {
  operations,
  members,
  objects,
  documents,
  advice: () =>
    table(
      ['Status', 'Means'],
      errorCatalogue().map(({ status, advice }) => [status, advice]),
    ),
  rates: () =>
    table(
      ['Reads', 'A second, of one address', 'A second, of one key'],
      Object.entries(RATE_CLASSES).map(([name, { perAddress, perBroker }]) => [name, perAddress, perBroker]),
    ),
  weights: () =>
    table(
      ['Bytes', 'Count once more for each'],
      // The keys of a constant object are its type's keys.
      (Object.keys(WEIGHED) as WeighedWork[]).map((work) => [WEIGHED[work], `${BYTES_OF_ONE[work] / 1_024} KiB`]),
    ),
  texts: () => table(['Text', 'Characters'], Object.entries(limits.TEXT_CHARACTERS_MAX)),
  lists: () => table(['List', 'Elements'], Object.entries(limits.LIST_ELEMENTS_MAX)),
};
