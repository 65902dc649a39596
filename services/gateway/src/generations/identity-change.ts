import { deepEqual } from '@procurement/domain/equality';
import { isJsonObject, type JsonObject } from '@procurement/contracts/reading/json-object';

/** Members that identify an object, and its members that older generations hide (generations.md 5.2.6). */
export interface IdentityRule {
  readonly identity: readonly MemberPath[];
  readonly hidden: readonly MemberPath[];
}

type MemberPath = readonly [string] | readonly [string, string];

/**
 * Parties and procuring entities. `contactPoint` and `kind` are not listed: they do not depend on the register entry.
 */
export const ORGANIZATION_IDENTITY: IdentityRule = {
  identity: [
    ['identifier', 'scheme'],
    ['identifier', 'id'],
  ],
  hidden: [
    ['name_en'],
    ['name_ru'],
    ['additionalIdentifiers'],
    ['scale'],
    ['identifier', 'legalName'],
    ['identifier', 'legalName_en'],
    ['identifier', 'legalName_ru'],
  ],
};

export const CLASSIFICATION_IDENTITY: IdentityRule = {
  identity: [['scheme'], ['id']],
  hidden: [['description_en'], ['description_ru']],
};

/**
 * Drops the hidden members of an object whose identity changed, unless the request brings them: they describe the
 * former object. An identity member that was absent before does not count as changed.
 */
export function dropHiddenOnIdentityChange(
  rule: IdentityRule,
  stored: JsonObject,
  next: JsonObject,
  sent: JsonObject,
): JsonObject {
  const isIdentityChanged = rule.identity.some((path) => {
    const before = valueAt(stored, path);
    return before !== undefined && !deepEqual(before, valueAt(next, path));
  });
  if (!isIdentityChanged) return next;
  let result = next;
  for (const path of rule.hidden) if (valueAt(sent, path) === undefined) result = withoutPath(result, path);
  return result;
}

function valueAt(value: JsonObject, [first, second]: MemberPath): unknown {
  const member = value[first];
  if (second === undefined) return member;
  return isJsonObject(member) ? member[second] : undefined;
}

function withoutPath(value: JsonObject, [first, second]: MemberPath): JsonObject {
  if (!Object.hasOwn(value, first)) return value;
  const { [first]: member, ...rest } = value;
  if (second === undefined) return rest;
  if (!isJsonObject(member)) return value;
  const { [second]: _removed, ...remaining } = member;
  return Object.keys(remaining).length === 0 ? rest : { ...rest, [first]: remaining };
}
