import { readFileSync } from 'node:fs';
import { KEY_ID_BYTES } from '@procurement/kit/runtime/secret-box';
import { describe, expect, it } from 'vitest';
import { makeBidBox, SEALED_BYTES_ADDED } from './bid-box.ts';

interface Sealed {
  readonly sealed: string;
}
interface Vectors {
  readonly keys: readonly string[];
  readonly tender: string;
  readonly bid: string;
  readonly version: number;
  readonly text: string;
  readonly boxes: readonly (Sealed & { readonly key: string; readonly keyId: string })[];
  readonly refused: readonly (Sealed & {
    readonly what: string;
    readonly tender: string;
    readonly bid: string;
    readonly version: number;
  })[];
}

const path = new URL('../../../../docs/spec/proof/bid-box.json', import.meta.url);
const vectors: Vectors = JSON.parse(readFileSync(path, 'utf8'));
const { keys, text } = vectors;
const bid = { id: vectors.bid, tenderId: vectors.tender, version: vectors.version };

describe('makeBidBox, with the vectors of proof.md', () => {
  it.each(vectors.boxes)(
    'opens what key $keyId has sealed, with this key alone and behind another',
    ({ key, keyId, sealed }) => {
      expect(makeBidBox([key]).open(bid, Buffer.from(sealed, 'hex')).text).toBe(text);
      expect(makeBidBox(['k'.repeat(33), key]).open(bid, Buffer.from(sealed, 'hex')).text).toBe(text);
      expect(makeBidBox([key]).keyId.toString('hex')).toBe(keyId);
    },
  );

  it.each(vectors.refused)('refuses $what', ({ sealed, tender, bid: id, version }) => {
    expect(() => makeBidBox(keys).open({ id, tenderId: tender, version }, Buffer.from(sealed, 'hex'))).toThrow(
      /authenticate|lacks/,
    );
  });

  it('opens what it seals, under its first key, differently each time, and adds a fixed number of bytes', () => {
    const box = makeBidBox(keys);
    const sealed = [box.seal(bid, text), box.seal(bid, text)] as const;
    expect(sealed.map((one) => box.open(bid, one).text)).toEqual([text, text]);
    expect(sealed[0].equals(sealed[1])).toBe(false);
    expect(sealed.map((one) => one.length - Buffer.byteLength(text))).toEqual([SEALED_BYTES_ADDED, SEALED_BYTES_ADDED]);
    expect(sealed[0].subarray(0, KEY_ID_BYTES).toString('hex')).toBe(vectors.boxes[0]?.keyId);
  });

  it('keeps the salt of a text that is encrypted again, so that its digest stays', () => {
    const [former, box] = [makeBidBox(keys.slice(0, 1)), makeBidBox(['n'.repeat(32), ...keys])];
    const salted = former.open(bid, former.seal(bid, text));
    expect(box.open(bid, box.seal(bid, salted.text, salted.salt))).toEqual(salted);
    expect(salted.salt).toHaveLength(32);
    expect(former.open(bid, former.seal(bid, text)).salt).not.toEqual(salted.salt);
  });

  it.each([0, KEY_ID_BYTES, SEALED_BYTES_ADDED - 1])('refuses %i bytes', (length) => {
    const box = makeBidBox(keys);
    expect(() => box.open(bid, box.seal(bid, text).subarray(0, length))).toThrow(
      /lacks|authenticat|initialization vector/,
    );
  });
});
