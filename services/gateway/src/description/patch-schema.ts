import type { JsonSchema } from '../generations/schema-overrides.ts';

const PATCH_DESCRIPTION =
  'Only the members to change. Objects merge member by member, lists element by element; null removes a nested member.';

/** The body of a PATCH: what a POST takes, with nothing required on any level and without defaults. */
export function patchSchema(schema: JsonSchema, nameOfPart: (name: string) => string): JsonSchema {
  return { ...partial(schema, nameOfPart), description: PATCH_DESCRIPTION };
}

/** A part of the body of a PATCH: an element or a nested object. */
export function partial(schema: JsonSchema, nameOfPart: (name: string) => string): JsonSchema {
  // A schema is JSON, so writing and reading it copies it.
  return JSON.parse(JSON.stringify(schema), (key, value: unknown) => {
    if (key === '$ref' && typeof value === 'string') return nameOfPart(value);
    if (!isSchemaOfObject(value)) return value;
    const { required: _required, default: _default, minItems: _minItems, ...rest } = value;
    return rest;
  }) as JsonSchema;
}

/** True for a schema; false for a map of properties, where `required` and `default` would be names of members. */
function isSchemaOfObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return 'type' in value && (typeof value.type === 'string' || Array.isArray(value.type));
}
