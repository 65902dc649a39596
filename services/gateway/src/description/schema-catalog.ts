import { LEFT_OUT_BY_OLDER_SEGMENTS } from '@procurement/contracts/resources/older-segments';
import { z } from 'zod';
import type { JsonSchema } from '../generations/schema-overrides.ts';

/** Whether a shape is sent or answered: a member with a default may be left out of a request and is always in an answer. */
export type Direction = 'input' | 'output';

/** JSON Schemas of zod shapes, converted in one pass per direction. */
export interface SchemaCatalog {
  /** The schema of a shape that the catalog was made of. Named shapes in it are references of the form `{ $ref: id }`. */
  schemaOf(shape: z.ZodType, direction: Direction): JsonSchema;
  /** The schema of a named shape, by the `id` of its `meta`. */
  schemaById(id: string, direction: Direction): JsonSchema;
}

/** One pass over all shapes costs a sixth of a pass for each (docs/decisions/0050-openapi.md). */
export function schemaCatalog(shapes: Readonly<Record<Direction, readonly z.ZodType[]>>): SchemaCatalog {
  const passes = { input: convert(shapes.input, 'input'), output: convert(shapes.output, 'output') };
  return {
    schemaOf(shape, direction) {
      const { idOf, schemas } = passes[direction];
      const id = idOf.get(shape);
      if (id === undefined) throw new Error('the catalog was not made of this shape');
      return isNamed(shape) ? { $ref: id } : (schemas[id] ?? {});
    },
    schemaById(id, direction) {
      const schema = passes[direction].schemas[id];
      if (schema === undefined) throw new Error(`no ${direction} shape has the id ${id}`);
      return schema;
    },
  };
}

interface Pass {
  readonly idOf: ReadonlyMap<z.ZodType, string>;
  readonly schemas: Readonly<Record<string, JsonSchema>>;
}

const SHARED_PREFIX = '__shared#/$defs/';

function convert(shapes: readonly z.ZodType[], io: Direction): Pass {
  const registry = z.registry<{ id: string }>();
  const idOf = new Map<z.ZodType, string>();
  for (const shape of shapes) {
    if (idOf.has(shape)) continue;
    const id = shape.meta()?.id ?? `unnamed ${idOf.size}`;
    idOf.set(shape, id);
    registry.add(shape, { id });
  }
  const { __shared: shared, ...roots } = z.toJSONSchema(registry, {
    io,
    unrepresentable: 'any',
    uri: (id) => id,
    override: ({ zodSchema, jsonSchema }) => {
      // Limits are of bodies. A stored object may be larger (limits.md 1, rule 4).
      if (io === 'output') {
        delete jsonSchema.maxLength;
        delete jsonSchema.maxItems;
        markOpen(jsonSchema);
        markLeftOut(jsonSchema, z.globalRegistry.get(zodSchema)?.id);
      }
      // Generators take fewer digits for a number without a format, which lose kopecks of large amounts.
      if (jsonSchema.type === 'number') jsonSchema.format ??= 'double';
      // zod leaves the default out of an input schema whose member is transformed, as all of ours are.
      if (zodSchema instanceof z.ZodDefault) jsonSchema.default ??= zodSchema.def.defaultValue;
    },
  }).schemas;
  // Beside the roots, zod answers the named shapes inside them, as definitions of one shared schema.
  const schemas = { ...roots, ...(shared?.['$defs'] as Record<string, JsonSchema> | undefined) };
  return {
    idOf,
    schemas: Object.fromEntries(Object.entries(schemas).map(([id, schema]) => [id, withPlainReferences(schema)])),
  };
}

const OPEN_VALUES = 'x-extensible-enum';
const OPEN = 'Later releases may add values.';

/** Bodies may have the listed values only. In answers a reader must expect others, so that an enumeration can grow. */
function markOpen(schema: z.core.JSONSchema.BaseSchema): void {
  const { enum: values = [], description } = schema;
  // zod passes an optional shape here again, with what it contains.
  if (values.length < 2 || OPEN_VALUES in schema) return;
  schema[OPEN_VALUES] = values;
  schema.description = description === undefined ? OPEN : `${description} ${OPEN}`;
}

/** A tender that was created in an older segment may lack members in an answer of any segment. */
function markLeftOut(schema: z.core.JSONSchema.BaseSchema, id = ''): void {
  const leftOut = LEFT_OUT_BY_OLDER_SEGMENTS[id];
  if (leftOut === undefined || schema.required === undefined) return;
  schema.required = schema.required.filter((name) => !leftOut.includes(name));
}

/** A copy without the members that only identify a schema inside its pass. */
function withPlainReferences(schema: object): JsonSchema {
  const {
    $schema: _version,
    $id: _id,
    id: _name,
    ...plain
  } = JSON.parse(JSON.stringify(schema), (key, value: unknown) =>
    key === '$ref' && typeof value === 'string' ? value.replace(SHARED_PREFIX, '') : value,
  ) as Record<string, unknown>;
  return plain;
}

function isNamed(shape: z.ZodType): boolean {
  return shape.meta()?.id !== undefined;
}
