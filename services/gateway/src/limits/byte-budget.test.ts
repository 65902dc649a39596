import { describe, expect, it } from 'vitest';
import { makeByteBudget } from './byte-budget.ts';

describe('makeByteBudget', () => {
  it('bounds the bytes of one address and of all', () => {
    const budget = makeByteBudget({ bytesMax: 10, bytesPerAddressMax: 6 });
    const [one, same, other] = [budget.lease('1'), budget.lease('1'), budget.lease('2')];
    expect([one.take(4), same.take(3), same.take(2), other.take(5), other.take(4)]).toEqual([
      true,
      false,
      true,
      false,
      true,
    ]);
    expect(budget.bytes).toBe(10);
  });

  it('gives back what one request took, once', () => {
    const budget = makeByteBudget({ bytesMax: 10, bytesPerAddressMax: 10 });
    const [one, other] = [budget.lease('1'), budget.lease('1')];
    one.take(6);
    other.take(4);
    one.release();
    one.release();
    expect(budget.bytes).toBe(4);
    expect([budget.lease('1').take(7), budget.lease('2').take(6)]).toEqual([false, true]);
  });
});
