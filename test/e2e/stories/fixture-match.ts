import type { Json } from '../../support/broker.ts';

/** Values of the symbols of a fixture: `$contract` and so on. The first time a symbol is met it is bound. */
export type Symbols = Map<string, Json>;

const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{6})?[+-]\d{2}:\d{2}$/;

/** What an answer lacks or has too much of what a fixture expects, as one text for each place. Empty: it matches. */
export function mismatches(
  expected: Json,
  actual: Json,
  { symbols, isExact = false }: { readonly symbols: Symbols; readonly isExact?: boolean },
  place = '',
): readonly string[] {
  const differs = [`${place}: expected ${JSON.stringify(expected)}, got ${JSON.stringify(actual)}`];
  if (expected === '$absent') return actual === undefined ? [] : differs;
  if (expected === '$any') return actual === undefined ? differs : [];
  if (expected === '$instant') return typeof actual === 'string' && INSTANT.test(actual) ? [] : differs;
  if (typeof expected === 'string' && expected.startsWith('$')) {
    if (!symbols.has(expected)) symbols.set(expected, actual);
    return actual !== undefined && symbols.get(expected) === actual ? [] : differs;
  }
  if (typeof expected !== 'object' || expected === null) return expected === actual ? [] : differs;
  if (typeof actual !== 'object' || actual === null || Array.isArray(expected) !== Array.isArray(actual))
    return differs;
  const surplus =
    isExact || Array.isArray(expected) ? Object.keys(actual).filter((name) => !Object.hasOwn(expected, name)) : [];
  return [
    ...surplus.map((name) => `${place}/${name}: not expected, got ${JSON.stringify(actual[name])}`),
    ...Object.keys(expected).flatMap((name) =>
      mismatches(expected[name], actual[name], { symbols, isExact }, `${place}/${name}`),
    ),
  ];
}

/** A value of a fixture with the values of its symbols in it, as members and as parts of texts. */
export function withSymbols(value: Json, symbols: Symbols): Json {
  if (typeof value === 'string') {
    return value.replaceAll(/\$\w+/g, (symbol) => (symbols.has(symbol) ? String(symbols.get(symbol)) : symbol));
  }
  if (Array.isArray(value)) return value.map((one) => withSymbols(one, symbols));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withSymbols(inner, symbols)]));
}
