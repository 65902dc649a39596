import { jsonBytes } from '@procurement/domain/json-text';
import { padId } from './ids.ts';

type SizeOf<T> = (value: T) => number;

/** The object with a text that makes it `bytes` large. */
export function sized<T extends object>(object: T, member: keyof T, bytes: number, sizeOf: SizeOf<T> = jsonBytes): T {
  return { ...object, [member]: 'a'.repeat(bytes - sizeOf({ ...object, [member]: '' })) };
}

/** Copies with ids of their own: 1, 2, 3 and so on. */
export function copies<T extends { readonly id: string }>(one: T, count: number): readonly T[] {
  return Array.from({ length: count }, (_, n) => ({ ...one, id: padId(`${n + 1}`) }));
}

/** Eight objects that are `bytes` large together, so that each is below the limit of one object. */
export function filling<T extends { readonly id: string }>(
  one: T,
  member: keyof T,
  bytes: number,
  sizeOf?: SizeOf<T>,
): readonly T[] {
  const share = Math.floor(bytes / 8);
  return copies(one, 8).map((copy, n) => sized(copy, member, n === 0 ? bytes - 7 * share : share, sizeOf));
}
