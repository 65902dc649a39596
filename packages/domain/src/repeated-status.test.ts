import { describe, expect, it } from 'vitest';
import { repeatsStatus } from './repeated-status.ts';

const stored = { id: 'a', status: 'claim', value: { amount: 1 } };

describe('repeatsStatus (rulings R27)', () => {
  it.each([{ status: 'claim' }, { id: 'a', status: 'claim' }, { status: 'claim', value: { amount: 1 } }])(
    'accepts %j',
    (data) => {
      expect(repeatsStatus(stored, data)).toBe(true);
    },
  );

  it.each([{}, { id: 'a' }, { status: 'answered' }, { status: null }, { status: 'claim', title: 'x' }])(
    'rejects %j',
    (data) => {
      expect(repeatsStatus(stored, data)).toBe(false);
    },
  );
});
