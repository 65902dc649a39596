import { readFileSync } from 'node:fs';
import { isJsonObject, type JsonObject } from '@procurement/contracts/reading/json-object';

/** An extension of `extensions/registry.json`, in the order of `package.extensions`. */
export interface Extension {
  readonly id: string;
  readonly url: string;
  /** Folder, relative to the package. */
  readonly path: string;
}

export type SchemaFile =
  | 'release-schema.json'
  | 'release-package-schema.json'
  | 'record-package-schema.json'
  | 'versioned-release-validation-schema.json';

const PACKAGE = new URL('../', import.meta.url);

/** A JSON file of this package, for example `examples/paper.states.json`. */
export function readJson(path: string): unknown {
  return JSON.parse(readFileSync(new URL(path, PACKAGE), 'utf8'));
}

export function readText(path: string): string {
  return readFileSync(new URL(path, PACKAGE), 'utf8');
}

export const extensions = readJson('extensions/registry.json') as readonly Extension[];

/** An official schema with the patches of all extensions (ocds.md 7.1). */
export function patchedSchema(file: SchemaFile): JsonObject {
  let schema = readJson(`schema/${file}`) as JsonObject;
  for (const { path } of extensions) {
    const { schemas = [] } = readJson(`${path}/extension.json`) as { schemas?: readonly string[] };
    if (!schemas.includes(file)) continue;
    schema = patched(schema, withoutEmptyRequired(readJson(`${path}/${file}`) as JsonObject)) as JsonObject;
  }
  return schema;
}

/** RFC 7396. */
function patched(target: unknown, patch: unknown): unknown {
  if (!isJsonObject(patch)) return patch;
  const merged: Record<string, unknown> = isJsonObject(target) ? { ...target } : {};
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete merged[name];
    else merged[name] = patched(merged[name], value);
  }
  return merged;
}

/** The pagination patch has `"required": []`, which is invalid draft-04 and would remove the list of the package schema. */
function withoutEmptyRequired(patch: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(patch)
      .filter(([name, value]) => !(name === 'required' && Array.isArray(value) && value.length === 0))
      .map(([name, value]) => [name, isJsonObject(value) ? withoutEmptyRequired(value) : value]),
  );
}

/** A member that is an object; otherwise an empty one. */
export function objectAt(parent: JsonObject, name: string): JsonObject {
  const value = parent[name];
  return isJsonObject(value) ? value : {};
}
