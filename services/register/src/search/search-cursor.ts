import { openCursor, signCursor } from '../requests/cursor.ts';
import { SET_NAMES } from './domain/search-parameters.ts';

/** The tender after which a page begins. */
export interface PageStart {
  /** Value of the sort as text of the database: a position, an instant, or an amount. */
  readonly at: string;
  readonly id: string;
}

const PLACE = /^(-?\d+(?:\.\d+)?) ([0-9a-f]{32})$/;

/** A cursor of one search. */
export function cursorText({ at, id }: PageStart, search: string, keys: readonly string[]): string {
  return signCursor(`${at} ${id}`, search, keys);
}

/** Undefined for a cursor of another search, and for one that none of the keys has signed. */
export function readCursor(text: string, search: string, keys: readonly string[]): PageStart | undefined {
  const [, at, id] = PLACE.exec(openCursor(text, search, keys) ?? '') ?? [];
  return at === undefined || id === undefined ? undefined : { at, id };
}

/** The parameters that decide what is found, in one order: equal for equal searches. A default order is written out. */
export function searchKey(query: URLSearchParams, order: string): string {
  const asked = [...query].filter(([name, value]) => SET_NAMES.includes(name) && name !== 'sort' && value !== '');
  const pairs = [...asked, ['sort', order] as const];
  return JSON.stringify(pairs.sort(([one], [other]) => (one < other ? -1 : 1)));
}
