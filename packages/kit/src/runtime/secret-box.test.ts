import { describe, expect, it } from 'vitest';
import { makeSecretBox, secretKeys } from './secret-box.ts';

const [OLD, NEW] = ['o'.repeat(32), 'n'.repeat(32)];
const secret = Buffer.alloc(32, 7);
const purpose = { setting: 'SOME_KEYS', info: 'webhook secrets' };
const makeBox = (...keys: readonly string[]) => makeSecretBox(keys, purpose);

describe('makeSecretBox', () => {
  it('opens what any of its keys has sealed, for the same owner and salt only', () => {
    const sealed = makeBox(OLD).seal('a', secret, 'salt');
    const box = makeBox(NEW, OLD);
    expect(box.open('a', sealed, 'salt')).toEqual(secret);
    for (const [owner, salt] of [['b', 'salt'], ['a', 'other'], ['a']] as const)
      expect(() => box.open(owner, sealed, salt)).toThrow('unable to authenticate');
    expect(sealed.sealed.includes(secret)).toBe(false);
  });

  it('refuses what was changed or cut', () => {
    const box = makeBox(OLD);
    const { keyId, sealed } = box.seal('a', secret);
    for (let n = 0; n < sealed.length; n += 1) {
      const changed = Buffer.from(sealed);
      changed.writeUInt8(sealed.readUInt8(n) ^ 1, n);
      expect(() => box.open('a', { keyId, sealed: changed })).toThrow('unable to authenticate');
      expect(() => box.open('a', { keyId, sealed: sealed.subarray(0, n) })).toThrow(
        /authenticat|initialization vector/,
      );
    }
  });

  it('opens a secret of a webhook as it is stored', () => {
    const stored = {
      keyId: 'daa591037de95752',
      sealed: Buffer.from('5e2ea8f71e09a56abc3794c66b929be887e97f86d7ca4bb2668da16660598d32218b04ea', 'hex'),
    };
    expect(makeBox(OLD).open('0123', stored).toString()).toBe('a secret');
  });

  it('says which key is missing', () => {
    const sealed = makeBox(OLD).seal('a', secret);
    expect(() => makeBox(NEW).open('a', sealed)).toThrow(`${sealed.keyId}, which SOME_KEYS lacks`);
    expect(() => makeBox()).toThrow('SOME_KEYS has no key');
  });
});

describe('secretKeys', () => {
  it.each([
    [`${OLD},${NEW}`, true],
    [OLD, true],
    [`${OLD},`, false],
    [`${OLD},short`, false],
    [`${OLD},${OLD}`, false],
  ])('%s: %s', (text, isRead) => {
    expect(secretKeys.safeParse(text).success).toBe(isRead);
  });
});
