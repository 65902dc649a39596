import { describe, expect, it } from 'vitest';
import { makeSecretBox } from './secret-box.ts';

const [OLD, NEW] = ['o'.repeat(32), 'n'.repeat(32)];
const secret = Buffer.alloc(32, 7);

describe('makeSecretBox', () => {
  it('opens what any of its keys has sealed, for the same webhook only', () => {
    const sealed = makeSecretBox([OLD]).seal('a', secret);
    const box = makeSecretBox([NEW, OLD]);
    expect(box.open('a', sealed)).toEqual(secret);
    expect(() => box.open('b', sealed)).toThrow('unable to authenticate');
    expect(sealed.sealed.includes(secret)).toBe(false);
  });

  it('says which key is missing', () => {
    const sealed = makeSecretBox([OLD]).seal('a', secret);
    expect(() => makeSecretBox([NEW]).open('a', sealed)).toThrow(sealed.keyId);
  });
});
