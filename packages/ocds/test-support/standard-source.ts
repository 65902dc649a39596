import type { JsonObject } from '@procurement/contracts/reading/json-object';
import { extensions, objectAt, patchedSchema } from './patched-schemas.ts';

const HEADER = `// Made from schema/ and extensions/ by standard.test.ts; \`npx vitest run --project unit packages/ocds -u\` writes it.
import type { Member } from './schema-member.ts';
`;

interface Found {
  readonly definitions: Map<string, JsonObject>;
  readonly schema: JsonObject;
}

/** The text of \`src/standard.golden.ts\`: what the mapping and the merge need of the patched release schema. */
export function standardSource(): string {
  const schema = patchedSchema('release-schema.json');
  const found: Found = { definitions: new Map(), schema };
  describe('Release', schema, found);
  const lines = [...found.definitions].map(
    ([name, members]) => `  ${JSON.stringify(name)}: ${JSON.stringify(members)},`,
  );
  return [
    HEADER,
    'export const DEFINITIONS: Readonly<Record<string, Readonly<Record<string, Member>>>> = {',
    ...lines,
    '};',
    `export const CURRENCIES: ReadonlySet<string> = new Set(${JSON.stringify(enumOf(schema, 'Value', 'currency'))});`,
    `export const CURRENT_STAGES: ReadonlySet<string> = new Set(${JSON.stringify(enumOf(schema, 'Tender', 'currentStage'))});`,
    `export const EXTENSION_URLS: readonly string[] = ${JSON.stringify(extensions.map(({ url }) => url))};`,
    '',
  ].join('\n');
}

function enumOf(schema: JsonObject, definition: string, member: string): readonly unknown[] {
  const { definitions } = schema as {
    definitions: Record<string, { properties: Record<string, { enum: unknown[] }> }>;
  };
  return definitions[definition]?.properties[member]?.enum.filter((code) => code !== null) ?? [];
}

/** Adds a definition, and those that it refers to. */
function describe(name: string, schema: JsonObject, found: Found): void {
  if (found.definitions.has(name)) return;
  const members: Record<string, JsonObject> = {};
  found.definitions.set(name, members);
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  for (const [member, property] of Object.entries(objectAt(schema, 'properties'))) {
    const described = describeMember(`${name}.${member}`, property as JsonObject, found);
    members[member] = required.includes(member) ? { ...described, required: true } : described;
  }
}

function describeMember(path: string, property: JsonObject, found: Found): JsonObject {
  const types = typesOf(property);
  const nullable = types.includes('null') ? { nullable: true } : {};
  if (types.includes('array')) return { ...nullable, ...buildList(path, property, found) };
  const of = objectName(path, property, found);
  return of === undefined ? nullable : { ...nullable, of };
}

function buildList(path: string, property: JsonObject, found: Found): JsonObject {
  const entry = objectAt(property, 'items');
  const of = objectName(path, entry, found);
  const target = of === undefined ? undefined : found.definitions.get(of);
  const byId = property['wholeListMerge'] !== true && target !== undefined && 'id' in target;
  const filled = !byId && target !== undefined && Number(property['minItems']) > 0 ? { filled: true } : {};
  return { list: byId ? 'byId' : 'whole', ...(of === undefined ? {} : { of }), ...filled };
}

/** Name of the definition of an object; `path` where the schema has it in place. */
function objectName(path: string, schema: JsonObject, found: Found): string | undefined {
  const reference = schema['$ref'];
  if (typeof reference === 'string') {
    const name = reference.replace('#/definitions/', '');
    const definition = objectAt(objectAt(found.schema, 'definitions'), name);
    describe(name, definition, found);
    return name;
  }
  const types = typesOf(schema);
  if (!('properties' in schema) || types.some((type) => type !== 'object' && type !== 'null')) return undefined;
  describe(path, schema, found);
  return path;
}

function typesOf(schema: JsonObject): readonly unknown[] {
  const type = schema['type'];
  return Array.isArray(type) ? type : [type];
}
