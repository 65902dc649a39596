import fc from 'fast-check';
import { expect, it } from 'vitest';
import { textOfUtf8, encodeUtf8 } from './utf8.ts';

/** Texts of all lengths around the one from which they are read another way, also with halves of surrogate pairs. */
const texts = fc
  .tuple(
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.constantFrom('a', 'ї', '水', '😀', '\ud800', '\0'),
    fc.nat(1_500),
  )
  .map(([text, filling, count]) => text + filling.repeat(count));

it('reads and writes what Node does', () => {
  fc.assert(
    fc.property(texts, (text) => {
      const bytes = Buffer.from(text);
      expect(encodeUtf8(text).equals(bytes)).toBe(true);
      expect(textOfUtf8(bytes)).toBe(bytes.toString());
    }),
  );
});

it('reads bytes that are no UTF-8 as Node does', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1_024, maxLength: 1_100 }), (array) => {
      const bytes = Buffer.from(array);
      expect(textOfUtf8(bytes)).toBe(bytes.toString());
    }),
  );
});
