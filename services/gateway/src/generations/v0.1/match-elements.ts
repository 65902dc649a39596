import { deepEqual } from '@procurement/domain/equality';
import { isObject, type JsonObject } from '../codec.ts';
import { isShown, typeMappingOf, type TypeName } from './member-table.ts';
import { unitText } from './unit.ts';

/** Decides whether a sent element is this stored one. `image`: what the segment shows of the stored element. */
type ElementMatcher = (stored: JsonObject, sent: JsonObject, image: unknown) => boolean;

const byEqualImage: ElementMatcher = (_stored, sent, image) => deepEqual(sent, image);
const byId: ElementMatcher = (stored, sent) => typeof sent['id'] === 'string' && sent['id'] === stored['id'];
const byCode: ElementMatcher = (stored, sent) => sent['id'] === stored['id'] && sent['scheme'] === stored['scheme'];

/**
 * Matchers in order of precedence. Decision: the `id` of a classification is its code and may occur twice, so an equal
 * image comes first; the `id` of an item is hidden, so a client that sends it has read it on another segment
 * (docs/decisions/0016-members-an-older-segment-hides.md).
 */
function matchersOf(type: TypeName): readonly ElementMatcher[] {
  if (type === 'Item') return [byId, byEqualImage];
  return type === 'Classification' ? [byEqualImage, byCode] : [byEqualImage];
}

/**
 * Index of the stored element for each sent element (generations.md 5.2.8). Segment 0.1 shows no ids, and matching by
 * position would give an item the hidden members of another. Sent elements without a match take the remaining stored
 * ones in order; `undefined` means a new element. Stored elements without a match are removed.
 */
export function matchElements(
  type: TypeName,
  stored: readonly unknown[],
  sent: readonly unknown[],
): readonly (number | undefined)[] {
  const images = stored.map((element) => imageOf(type, element));
  const unmatched = new Set(stored.keys());
  const matched: (number | undefined)[] = sent.map(() => undefined);
  for (const isMatch of matchersOf(type)) {
    for (const [at, element] of sent.entries()) {
      if (matched[at] !== undefined || !isObject(element)) continue;
      const found = [...unmatched].find((index) => {
        const old = stored[index];
        return isObject(old) && isMatch(old, element, images[index]);
      });
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

/** The shown members of an object under canonical names, for comparison with a decoded request. */
function imageOf(type: TypeName, value: unknown): unknown {
  if (!isObject(value)) return value;
  const image: Record<string, unknown> = {};
  for (const member of typeMappingOf(type).members) {
    const inner = value[member.name];
    if (!isShown(member) || inner === undefined) continue;
    const { valueType } = member;
    if (valueType === undefined) image[member.name] = inner;
    else if (valueType === 'Unit') Object.assign(image, unitImage(inner));
    else if (Array.isArray(inner)) image[member.name] = inner.map((one: unknown) => imageOf(valueType, one));
    else {
      const one = imageOf(valueType, inner);
      // An identifier without shown members adds nothing to `id`.
      if (valueType !== 'Identifier' || !isObject(one) || Object.keys(one).length > 0) image[member.name] = one;
    }
  }
  return image;
}

function unitImage(unit: unknown): JsonObject {
  if (!isObject(unit)) return { unit };
  const [text, price] = [unitText(unit), unit['value']];
  return { ...(text === undefined ? {} : { unit: text }), ...(price === undefined ? {} : { valuePerUnit: price }) };
}
