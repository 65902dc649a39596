import type { JsonSchema, SegmentSchemaOverrides } from '../generations/schema-overrides.ts';
import { partial, patchSchema } from './patch-schema.ts';
import type { Direction, SchemaCatalog } from './schema-catalog.ts';

const PREFIX = '#/components/schemas/';

/** Collects the schemas that one document refers to, under the names that readers see. */
export interface Components {
  /** A schema of the catalog, with references into the document. */
  use(schema: JsonSchema, direction: Direction): JsonSchema;
  /** A reference to the body of a PATCH, derived from the schema of the whole object. */
  usePatch(schema: JsonSchema): JsonSchema;
  /** All that is referred to, sorted by name. */
  all(): Readonly<Record<string, JsonSchema>>;
}

/**
 * Names: `Value` in answers, `ValueInput` in bodies, `ValuePatch` in bodies of PATCH. `overrides` replace schemas of the
 * canonical segment by those of an older one. Throws when two schemas claim one name.
 */
export function makeComponents(catalog: SchemaCatalog, overrides: SegmentSchemaOverrides): Components {
  const schemas = new Map<string, JsonSchema>();
  const idsByName = new Map<string, string>();
  // An override names components. Which schema has that name is certain when all routes were seen.
  const namesInOverrides = new Set<string>();
  const patchSources = new Map<string, string>();

  function use(schema: JsonSchema, direction: Direction): JsonSchema {
    return withReferences(schema, (id) => {
      if (id.startsWith(PREFIX)) {
        namesInOverrides.add(nameIn(id));
        return id;
      }
      const name = publicName(id, direction);
      const claimant = idsByName.get(name);
      if (claimant !== undefined && claimant !== id) throw new Error(`${claimant} and ${id} are both called ${name}`);
      idsByName.set(name, id);
      if (!schemas.has(name)) {
        // Reserved first: a schema may refer to itself.
        schemas.set(name, {});
        const canonical = use(catalog.schemaById(id, direction), direction);
        const override = overrides[name];
        schemas.set(name, override === undefined ? canonical : use(override(canonical), direction));
      }
      return PREFIX + name;
    });
  }

  /** The parts of a PATCH body: derived once each, when the whole schemas are complete. */
  function usePart(reference: string): string {
    const input = nameIn(reference);
    const name = `${input.replace(/Input$/, '')}Patch`;
    if (!schemas.has(name)) {
      schemas.set(name, {});
      schemas.set(name, partial(schemas.get(input) ?? {}, usePart));
    }
    return PREFIX + name;
  }

  function resolveNames(): void {
    // Resolving one may add others.
    for (const name of namesInOverrides) {
      const direction = name.endsWith('Input') ? 'input' : 'output';
      if (!schemas.has(name)) use({ $ref: name.replace(/Input$/, '') }, direction);
    }
  }

  return {
    use,
    usePatch(schema) {
      const source = nameIn(String(use(schema, 'input')['$ref']));
      const name = source.replace(/(Input|Patch)?$/, 'Patch');
      patchSources.set(name, source);
      return { $ref: PREFIX + name };
    },
    all() {
      resolveNames();
      for (const [name, source] of patchSources) schemas.set(name, patchSchema(schemas.get(source) ?? {}, usePart));
      return Object.fromEntries([...schemas].sort(([a], [b]) => (a < b ? -1 : 1)));
    },
  };
}

function nameIn(reference: string): string {
  return reference.slice(PREFIX.length);
}

/** Forms of older segments and of the sandbox have the name of the current one: a document has only one of them. */
function publicName(id: string, direction: Direction): string {
  const name = id.replace(/^(Early|Bare|Sandbox)/, '');
  return direction === 'output' || /(Input|Patch)$/.test(name) ? name : `${name}Input`;
}

/** A copy of a schema with other references. */
function withReferences(schema: JsonSchema, replace: (reference: string) => string): JsonSchema {
  return JSON.parse(JSON.stringify(schema), (key, value: unknown) =>
    key === '$ref' && typeof value === 'string' ? replace(value) : value,
  ) as JsonSchema;
}

/** The components that a document reaches from its paths. */
export function reachable(
  paths: unknown,
  schemas: Readonly<Record<string, JsonSchema>>,
): Readonly<Record<string, JsonSchema>> {
  const names = new Set<string>();
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [key, member] of Object.entries(value)) {
      if (key !== '$ref' || typeof member !== 'string') visit(member);
      else if (member.startsWith(PREFIX) && !names.has(nameIn(member))) {
        names.add(nameIn(member));
        visit(schemas[nameIn(member)]);
      }
    }
  };
  visit(paths);
  return Object.fromEntries(Object.entries(schemas).filter(([name]) => names.has(name)));
}
