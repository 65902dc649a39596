import { isJsonObject, type JsonObject } from '@procurement/contracts/reading/json-object';
import { deepEqual } from '@procurement/domain/equality';
import { toJsonText } from '@procurement/domain/json-text';

/** One operation of a JSON Patch (RFC 6902). */
export type Operation =
  | { readonly op: 'remove'; readonly path: string }
  | { readonly op: 'add' | 'replace'; readonly path: string; readonly value: unknown };

/** Beyond one of these a patch is a single replacement of the whole (register.md 7.4). */
export const OPERATIONS_MAX = 2_000;
const PATCH_BYTES_MAX = 256 * 1024;

/**
 * The JSON Patch from one revision to another. Members are removed first, then written in the order of the new object.
 * Elements of lists are matched by `id` (of features by `code`) where the kept ones are in the same order, else by place.
 */
export function buildPatch(before: unknown, after: unknown): readonly Operation[] {
  return changesAt(before, after, '');
}

/** The patch as JSON text, with fractions of amounts as texts of tenders have them. */
export function patchText(before: unknown, after: unknown): string {
  const operations = buildPatch(before, after);
  const text = operations.length > OPERATIONS_MAX ? undefined : operationsText(operations);
  if (text !== undefined && Buffer.byteLength(text) <= PATCH_BYTES_MAX) return text;
  return operationsText([{ op: 'replace', path: '', value: after }]);
}

/** Top-level members that differ, without `dateModified`: the old ones in their order, then the new ones. */
export function changedMembers(before: JsonObject, after: JsonObject): readonly string[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.filter((name) => name !== 'dateModified' && !deepEqual(before[name], after[name]));
}

function operationsText(operations: readonly Operation[]): string {
  return `[${operations.map(operationText).join(',')}]`;
}

/** The member at the end of the path decides how a number is written. */
function operationText(operation: Operation): string {
  if (operation.op === 'remove') return JSON.stringify(operation);
  const { op, path, value } = operation;
  const member = path.slice(path.lastIndexOf('/') + 1);
  const head = JSON.stringify({ op, path }).slice(0, -1);
  const valueText = toJsonText({ [member]: value }).slice(JSON.stringify(member).length + 2, -1);
  return `${head},"value":${valueText}}`;
}

function changesAt(before: unknown, after: unknown, path: string): Operation[] {
  if (before === after) return [];
  if (isJsonObject(before) && isJsonObject(after)) return changesOfObject(before, after, path);
  if (Array.isArray(before) && Array.isArray(after)) return changesOfList(before, after, path);
  return [{ op: 'replace', path, value: after }];
}

function joinPointer(parent: string, key: string | number): string {
  return `${parent}/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

function changesOfObject(before: JsonObject, after: JsonObject, path: string): Operation[] {
  const removed = Object.keys(before).filter((key) => !Object.hasOwn(after, key));
  const operations: Operation[] = removed.map((key) => ({ op: 'remove', path: joinPointer(path, key) }));
  for (const [key, value] of Object.entries(after)) {
    const place = joinPointer(path, key);
    if (Object.hasOwn(before, key)) append(operations, changesAt(before[key], value, place));
    else operations.push({ op: 'add', path: place, value });
  }
  return operations;
}

function changesOfList(before: readonly unknown[], after: readonly unknown[], path: string): Operation[] {
  const [oldKeys, newKeys] = [readKeys(before), readKeys(after)];
  if (oldKeys !== undefined && newKeys !== undefined) {
    const [oldPlaces, newPlaces] = [indexKeys(oldKeys), indexKeys(newKeys)];
    if (isKeptInOrder(oldKeys, newKeys, oldPlaces, newPlaces)) {
      const removed = oldKeys.flatMap((key, place) => (newPlaces.has(key) ? [] : [place])).toReversed();
      const operations: Operation[] = removed.map((place) => ({ op: 'remove', path: joinPointer(path, place) }));
      for (const [place, key] of newKeys.entries()) {
        const oldPlace = oldPlaces.get(key);
        if (oldPlace === undefined) operations.push({ op: 'add', path: joinPointer(path, place), value: after[place] });
        else append(operations, changesAt(before[oldPlace], after[place], joinPointer(path, place)));
      }
      return operations;
    }
  }
  if (before.length !== after.length) return [{ op: 'replace', path, value: after }];
  const operations: Operation[] = [];
  for (const [place, value] of after.entries())
    append(operations, changesAt(before[place], value, joinPointer(path, place)));
  return operations;
}

/** Not by spread: a call with 100,000 arguments overflows the stack. */
function append(operations: Operation[], more: readonly Operation[]): void {
  for (const operation of more) operations.push(operation);
}

/**
 * Keys of elements, each with its occurrence, because all versions of a document have one id. Undefined when an element has
 * no key.
 */
function readKeys(list: readonly unknown[]): readonly string[] | undefined {
  const occurrences = new Map<string, number>();
  const keys: string[] = [];
  for (const element of list) {
    const name = isJsonObject(element) ? (element['id'] ?? element['code']) : undefined;
    if (typeof name !== 'string') return undefined;
    const occurrence = (occurrences.get(name) ?? 0) + 1;
    occurrences.set(name, occurrence);
    keys.push(`${occurrence} ${name}`);
  }
  return keys;
}

function indexKeys(keys: readonly string[]): ReadonlyMap<string, number> {
  return new Map(keys.map((key, place) => [key, place]));
}

type Places = ReadonlyMap<string, number>;

function isKeptInOrder(
  oldKeys: readonly string[],
  newKeys: readonly string[],
  oldPlaces: Places,
  newPlaces: Places,
): boolean {
  const keptOfOld = oldKeys.filter((key) => newPlaces.has(key));
  const keptOfNew = newKeys.filter((key) => oldPlaces.has(key));
  return keptOfOld.every((key, n) => key === keptOfNew[n]);
}
