import { isObject, type JsonObject } from './codec.ts';
import { same } from './same.ts';
import { isShown, typeOf, type TypeName } from './v0.1.tables.ts';
import { unitText } from './v0.1.unit.ts';

/** One way to recognise a stored element in a sent one. */
type Recognition = (stored: JsonObject, sent: JsonObject, image: unknown) => boolean;

const bySameImage: Recognition = (_stored, sent, image) => same(sent, image);
const byId: Recognition = (stored, sent) => typeof sent['id'] === 'string' && sent['id'] === stored['id'];
const byCode: Recognition = (stored, sent) => sent['id'] === stored['id'] && sent['scheme'] === stored['scheme'];

/**
 * In this order. Decision: the `id` of a classification is its code and may occur twice, so that an equal image is the
 * better evidence there; an item's is not shown, and who sends it has seen the item elsewhere.
 */
function recognitionsOf(type: TypeName): readonly Recognition[] {
  if (type === 'Item') return [byId, bySameImage];
  return type === 'Classification' ? [bySameImage, byCode] : [bySameImage];
}

/**
 * Which stored element each sent one is (generations.md 5.2.8). Segment 0.1 shows no ids, and by position alone an item would
 * get the hidden members of another. What is not recognised takes the stored elements left over, in order; undefined means
 * new, and stored elements that nobody took are gone.
 */
export function matches(
  type: TypeName,
  stored: readonly unknown[],
  sent: readonly unknown[],
): readonly (number | undefined)[] {
  const images = stored.map((element) => imageOf(type, element));
  const free = new Set(stored.keys());
  const taken: (number | undefined)[] = sent.map(() => undefined);
  for (const recognises of recognitionsOf(type)) {
    for (const [at, element] of sent.entries()) {
      if (taken[at] !== undefined || !isObject(element)) continue;
      const found = [...free].find((index) => {
        const old = stored[index];
        return isObject(old) && recognises(old, element, images[index]);
      });
      if (found === undefined) continue;
      taken[at] = found;
      free.delete(found);
    }
  }
  return taken.map((index) => {
    if (index !== undefined) return index;
    const [first] = free;
    if (first !== undefined) free.delete(first);
    return first;
  });
}

/** What segment 0.1 shows of an object, spelled as a request is (v0.1.spell.ts). */
function imageOf(type: TypeName, value: unknown): unknown {
  if (!isObject(value)) return value;
  const image: Record<string, unknown> = {};
  for (const member of typeOf(type).members) {
    const inner = value[member.name];
    if (!isShown(member) || inner === undefined) continue;
    const { of } = member;
    if (of === undefined) image[member.name] = inner;
    else if (of === 'Unit') Object.assign(image, unitImage(inner));
    else if (Array.isArray(inner)) image[member.name] = inner.map((one: unknown) => imageOf(of, one));
    else {
      const one = imageOf(of, inner);
      // An identifier of which nothing is shown leaves no trace in `id`.
      if (of !== 'Identifier' || !isObject(one) || Object.keys(one).length > 0) image[member.name] = one;
    }
  }
  return image;
}

function unitImage(unit: unknown): JsonObject {
  if (!isObject(unit)) return { unit };
  const [text, price] = [unitText(unit), unit['value']];
  return { ...(text === undefined ? {} : { unit: text }), ...(price === undefined ? {} : { valuePerUnit: price }) };
}
