import { isJsonObject, type JsonObject } from '@procurement/contracts/reading/json-object';
import { isShown, typeMappingOf, type TypeName } from './member-table.ts';
import { unitText } from './unit.ts';

/**
 * The key under which an element is found: a sent element is a stored one when their keys are equal. Undefined when the element
 * cannot be found so. `image`: what the segment shows of the element; of a sent element, the element itself.
 */
type ElementKey = (element: JsonObject, image: unknown) => string | undefined;

const byImage: ElementKey = (_element, image) => canonicalText(image);
const byId: ElementKey = ({ id }) => (typeof id === 'string' ? id : undefined);
const byCode: ElementKey = ({ id, scheme }) =>
  isScalar(id) && isScalar(scheme) ? canonicalText([orObject(id), orObject(scheme)]) : undefined;

/**
 * Keys in order of precedence. Decision: the `id` of a classification is its code and may occur twice, so an equal
 * image comes first; the `id` of an item is hidden, so a client that sends it has read it on another segment
 * (generations.md 5.4).
 */
function selectKeys(type: TypeName): readonly ElementKey[] {
  if (type === 'Item') return [byId, byImage];
  return type === 'Classification' ? [byImage, byCode] : [byImage];
}

/**
 * Index of the stored element for each sent element (generations.md 5.2.8). Segment 0.1 shows no ids, and matching by
 * position would give an item the hidden members of another. Sent elements without a match take the remaining stored
 * ones in order; `undefined` means a new element. Stored elements without a match are removed. Takes time linear in the size of both
 * lists.
 */
export function matchElements(
  type: TypeName,
  stored: readonly unknown[],
  sent: readonly unknown[],
): readonly (number | undefined)[] {
  const unmatched = new Set(stored.keys());
  const matched: (number | undefined)[] = sent.map(() => undefined);
  for (const keyOf of selectKeys(type)) {
    const indexesByKey = indexStored(type, stored, unmatched, keyOf);
    // The keys of the sent elements are the expensive part: ten thousand of them for the longest list of items.
    if (indexesByKey.size === 0) continue;
    for (const [at, element] of sent.entries()) {
      if (matched[at] !== undefined || !isJsonObject(element)) continue;
      const key = keyOf(element, element);
      const found = key === undefined ? undefined : indexesByKey.get(key)?.shift();
      if (found === undefined) continue;
      matched[at] = found;
      unmatched.delete(found);
    }
  }
  return matched.map((index) => {
    if (index !== undefined) return index;
    const [first] = unmatched;
    if (first !== undefined) unmatched.delete(first);
    return first;
  });
}

/** The unmatched stored elements by their key, each list in the order of the elements. */
function indexStored(
  type: TypeName,
  stored: readonly unknown[],
  unmatched: ReadonlySet<number>,
  keyOf: ElementKey,
): ReadonlyMap<string, number[]> {
  const indexesByKey = new Map<string, number[]>();
  for (const index of unmatched) {
    const element = stored[index];
    const key = isJsonObject(element) ? keyOf(element, buildImage(type, element)) : undefined;
    if (key === undefined) continue;
    const indexes = indexesByKey.get(key);
    if (indexes === undefined) indexesByKey.set(key, [index]);
    else indexes.push(index);
  }
  return indexesByKey;
}

/** A text that two values share when `deepEqual` says that they are the same JSON. Written in one pass: a replacer takes five times as long. */
function canonicalText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalText).join()}]`;
  if (!isJsonObject(value)) return JSON.stringify(value) ?? 'null';
  let text = '';
  for (const name of Object.keys(value).toSorted()) {
    const member = value[name];
    if (member !== undefined) text += `${text === '' ? '' : ','}${JSON.stringify(name)}:${canonicalText(member)}`;
  }
  return `{${text}}`;
}

/** An absent member differs from null; in a list JSON writes both as null. */
function orObject(value: unknown): unknown {
  return value === undefined ? {} : value;
}

function isScalar(value: unknown): boolean {
  return typeof value !== 'object' || value === null;
}

/** The shown members of an object under canonical names, for comparison with a decoded request. */
function buildImage(type: TypeName, value: unknown): unknown {
  if (!isJsonObject(value)) return value;
  const image: Record<string, unknown> = {};
  for (const member of typeMappingOf(type).members) {
    const inner = value[member.name];
    if (!isShown(member) || inner === undefined) continue;
    const { valueType } = member;
    if (valueType === undefined) image[member.name] = inner;
    else if (valueType === 'Unit') Object.assign(image, unitImage(inner));
    else if (Array.isArray(inner)) image[member.name] = inner.map((one: unknown) => buildImage(valueType, one));
    else {
      const one = buildImage(valueType, inner);
      // An identifier without shown members adds nothing to `id`.
      if (valueType !== 'Identifier' || !isJsonObject(one) || Object.keys(one).length > 0) image[member.name] = one;
    }
  }
  return image;
}

function unitImage(unit: unknown): JsonObject {
  if (!isJsonObject(unit)) return { unit };
  const [text, price] = [unitText(unit), unit['value']];
  return { ...(text === undefined ? {} : { unit: text }), ...(price === undefined ? {} : { valuePerUnit: price }) };
}
