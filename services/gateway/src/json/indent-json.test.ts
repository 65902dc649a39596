import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { indentJson } from './indent-json.ts';

describe('indentJson', () => {
  it('keeps the form of numbers', () => {
    expect(indentJson('{"data":{"amount":500.0,"n":12345678901234567890,"e":1E-7}}')).toBe(
      '{\n    "data": {\n        "amount": 500.0,\n        "n": 12345678901234567890,\n        "e": 1E-7\n    }\n}',
    );
  });

  it('keeps strings as they are', () => {
    expect(indentJson('{"a":"x, y: {\\"z\\"}\\\\"}')).toBe('{\n    "a": "x, y: {\\"z\\"}\\\\"\n}');
  });

  it('keeps empty objects and lists on one line, and replaces existing indentation', () => {
    expect(indentJson('{ "a" : [ ] ,\n "b" : { } }')).toBe('{\n    "a": [],\n    "b": {}\n}');
  });

  it('indents as JSON.stringify does', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        // -0 is the one value whose text JSON.stringify changes.
        const text = JSON.stringify(value);
        expect(indentJson(text)).toBe(JSON.stringify(JSON.parse(text), null, 4));
      }),
    );
  });
});
