import { readdirSync } from 'node:fs';
import { isJsonObject, type JsonObject } from '@procurement/contracts/reading/json-object';
import { extensions, objectAt, patchedSchema, readText } from './patched-schemas.ts';

// The checks of the OCDS Data Review tool beyond the schemas (ocds.md 7.2), for releases, compiled releases and their packages.

const releaseSchema = patchedSchema('release-schema.json');
const codelists = readCodelists();
// ocds.md 7.2, C2: classifications of national registers, and types of documents that users made up.
const OUTSIDE_ALLOWED: ReadonlySet<string> = new Set(['itemClassificationScheme.csv', 'documentType.csv']);

interface Place {
  readonly path: string;
  readonly schema: JsonObject;
}

/** Findings of C1 to C5 and C7 in a release or compiled release. */
export function furtherFindings(release: JsonObject): readonly string[] {
  const ocid = String(release['ocid']);
  return [
    ...(/^ocds-[a-z0-9]{6}/.test(ocid) ? [] : [`C7 ${ocid}`]),
    ...objectFindings(release, { path: '', schema: releaseSchema }),
  ];
}

/** C6: what is empty in a snapshot. In a release and in a compiled release, removal markers may be (ocds.md 1.5). */
export function emptyFindings(value: unknown, path = ''): readonly string[] {
  if (typeof value === 'string') return value.trim() === '' ? [`C6 ${path} is empty`] : [];
  if (value === null || value === undefined) return [`C6 ${path} is empty`];
  if (typeof value !== 'object') return [];
  const members = Object.entries(value);
  if (members.length === 0) return [`C6 ${path} is empty`];
  return members.flatMap(([name, member]) => emptyFindings(member, `${path}/${name}`));
}

function objectFindings(value: JsonObject, { path, schema }: Place): readonly string[] {
  return Object.entries(value).flatMap(([name, member]) => {
    const at = `${path}/${name}`;
    const property = findProperty(schema, name);
    if (property === undefined) return [`C4 ${at} is unknown to the schemas`];
    const deprecated = property['deprecated'] === undefined ? [] : [`C5 ${at} is deprecated`];
    return [...deprecated, ...memberFindings(member, { path: at, schema: property })];
  });
}

function memberFindings(value: unknown, place: Place): readonly string[] {
  if (Array.isArray(value)) return listFindings(value, place);
  const codes = codeFindings(value, place);
  return isJsonObject(value)
    ? [...codes, ...objectFindings(value, { ...place, schema: resolved(place.schema) })]
    : codes;
}

function listFindings(list: readonly unknown[], { path, schema }: Place): readonly string[] {
  const entry = resolved(isJsonObject(schema['items']) ? schema['items'] : {});
  // Codes of two schemes may be equal; their lists do not merge by id (decision 0091).
  const ids = list
    .filter(isJsonObject)
    .flatMap(({ id, scheme }) => (id === undefined ? [] : [JSON.stringify([scheme, id])]));
  // The codelist of a list of codes stands at the list.
  const ofCodes = 'codelist' in schema ? { codelist: schema['codelist'], openCodelist: schema['openCodelist'] } : {};
  return [
    ...(new Set(ids).size === ids.length ? [] : [`C3 ${path} has an id twice`]),
    ...list.flatMap((value, at) => memberFindings(value, { path: `${path}/${at}`, schema: { ...entry, ...ofCodes } })),
  ];
}

function codeFindings(value: unknown, { path, schema }: Place): readonly string[] {
  const list = schema['codelist'];
  if (typeof list !== 'string' || typeof value !== 'string' || codelists.get(list)?.has(value) === true) return [];
  if (schema['openCodelist'] === false) return [`C1 ${path}: ${value} is not in ${list}`];
  return OUTSIDE_ALLOWED.has(list) ? [] : [`C2 ${path}: ${value} is not in ${list}`];
}

/** Schema of a member, also of a variant of a language. */
function findProperty(schema: JsonObject, name: string): JsonObject | undefined {
  const named = objectAt(schema, 'properties')[name];
  if (isJsonObject(named)) return { ...resolved(named), ...named };
  const patterns = objectAt(schema, 'patternProperties');
  const pattern = Object.keys(patterns).find((candidate) => new RegExp(candidate).test(name));
  return pattern === undefined ? undefined : objectAt(patterns, pattern);
}

function resolved(schema: JsonObject): JsonObject {
  const reference = schema['$ref'];
  if (typeof reference !== 'string') return schema;
  return objectAt(objectAt(releaseSchema, 'definitions'), reference.replace('#/definitions/', ''));
}

/** All codelists, with the codes that extensions add in files whose name begins with a plus. */
function readCodelists(): ReadonlyMap<string, ReadonlySet<string>> {
  const lists = new Map<string, Set<string>>();
  const folders = ['schema', ...extensions.map(({ path }) => path)].map((path) => `${path}/codelists`);
  for (const folder of folders) {
    for (const file of listFiles(folder)) {
      const name = file.replace(/^\+/, '');
      const codes = lists.get(name) ?? new Set();
      for (const code of parseCodes(readText(`${folder}/${file}`))) codes.add(code);
      lists.set(name, codes);
    }
  }
  return lists;
}

function listFiles(folder: string): readonly string[] {
  try {
    return readdirSync(new URL(`../${folder}/`, import.meta.url));
  } catch {
    return [];
  }
}

/**
 * Reads the column `Code`, which no file quotes. Descriptions are quoted and may have several lines, whose text is taken for codes too: it
 * equals none that is searched.
 */
function parseCodes(csv: string): readonly string[] {
  const [head = '', ...lines] = csv.split(/\r?\n/);
  const column = head.split(',').indexOf('Code');
  if (column === -1) throw new Error('codelist without the column Code');
  return lines.flatMap((line) => line.split(',')[column] ?? []);
}
