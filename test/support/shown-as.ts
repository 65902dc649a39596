import { expect } from 'vitest';
import type { Json } from './broker.ts';

/** Symbols of a fixture, each with the value that it was bound to first. */
export type Symbols = Map<string, unknown>;

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?[+-]\d\d:\d\d$/;

/**
 * Compares an answer with what a fixture of docs/spec/contracting expects, by the rules with which each fixture begins: member by member;
 * members that are not named may be there; a text that begins with $ is a symbol.
 */
export function expectShownAs(shown: Json, expected: Json, symbols: Symbols = new Map(), at = ''): void {
  if (expected === '$any') return;
  if (expected === '$absent') expect(shown, at).toBeUndefined();
  else if (expected === '$instant') expect(shown, at).toMatch(INSTANT);
  else if (typeof expected === 'string' && expected.startsWith('$')) {
    expect(shown, at).toBeDefined();
    if (symbols.has(expected)) expect(shown, at).toEqual(symbols.get(expected));
    symbols.set(expected, shown);
  } else if (typeof expected !== 'object' || expected === null) expect(shown, at).toEqual(expected);
  else {
    if (Array.isArray(expected)) expect(shown, at).toHaveLength(expected.length);
    else expect(shown, at).toBeTypeOf('object');
    for (const [name, value] of Object.entries(expected)) expectShownAs(shown[name], value, symbols, `${at}/${name}`);
  }
}
