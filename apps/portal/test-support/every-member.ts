import { z } from 'zod';

// Any: tests read and write members that they name by their paths in the schemas.
export type Data = any;
type Path = readonly (string | number)[];

/** A member of a schema that has no members itself. */
export interface Member {
  /** `lots[].guarantee.amount`. */
  readonly name: string;
  readonly path: Path;
  readonly schema: z.core.JSONSchema.JSONSchema;
}

/** Values of members that are related to others, which a value of the schema alone would not be: the value, and another one. */
export type Relations = readonly (readonly [members: RegExp, one: unknown, other: unknown])[];

/** Every member of a schema that has no members itself; of a list those of its first element. */
export function everyMember(type: z.ZodType): readonly Member[] {
  const root = z.toJSONSchema(type, { unrepresentable: 'any', io: 'output' });
  const membersOf = (schema: z.core.JSONSchema.JSONSchema, name: string, path: Path): readonly Member[] => {
    if (schema.$ref !== undefined) return membersOf(root.$defs![schema.$ref.replace('#/$defs/', '')]!, name, path);
    if (schema.properties !== undefined)
      return Object.entries(schema.properties).flatMap(([key, value]) =>
        membersOf(value as z.core.JSONSchema.JSONSchema, name === '' ? key : `${name}.${key}`, [...path, key]),
      );
    if (schema.items !== undefined)
      return membersOf(schema.items as z.core.JSONSchema.JSONSchema, `${name}[]`, [...path, 0]);
    return [{ name, path, schema }];
  };
  return membersOf(root, '', []);
}

/** A value of a member, and another one (`n` 0 and 1). */
export function sampleValue({ name, schema }: Member, relations: Relations, n: 0 | 1): unknown {
  const relation = relations.find(([pattern]) => pattern.test(name));
  if (relation !== undefined) return relation[n + 1];
  if (schema.enum !== undefined) return schema.enum[n];
  if (schema.format === 'date-time') return `2026-0${3 + n}-05T10:00:00+02:00`;
  if (schema.type === 'boolean') return n === 0;
  if (schema.type === 'number' || schema.type === 'integer') return 11 + n * 7;
  if (schema.format === 'uri') return `https://example.org/${name}/${n}`;
  if (name.endsWith('currency')) return ['UAH', 'EUR'][n];
  return `${name} ${n === 0 ? 'one' : 'other'}`;
}

export function put(data: Data, path: Path, value: unknown): void {
  let at = data;
  path.slice(0, -1).forEach((key, n) => {
    at = at[key] ??= typeof path[n + 1] === 'number' ? [] : {};
  });
  at[path.at(-1)!] = value;
}

/** An object with every member. */
export function withEvery(members: readonly Member[], relations: Relations): Data {
  const data: Data = {};
  for (const member of members) put(data, member.path, sampleValue(member, relations, 0));
  return data;
}
