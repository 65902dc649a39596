import fc from 'fast-check';

/** Text made of the tokens of JSON in any order: mostly not JSON. */
export function brokenJson(): fc.Arbitrary<string> {
  const token = fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '"',
    '"a"',
    '"\\',
    '\\"',
    '\\',
    '1',
    'true',
    ' ',
    '\n',
    'ї',
  );
  return fc.array(token, { maxLength: 24 }).map((tokens) => tokens.join(''));
}

/** JSON text of any value, compact or with blanks between its tokens. */
export function jsonText(): fc.Arbitrary<string> {
  const blank = fc.constantFrom('', ' ', '\t', '\n', '\r\n');
  return fc.tuple(fc.jsonValue(), blank).map(([value, indent]) => JSON.stringify(value, null, indent));
}
