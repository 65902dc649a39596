import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY } from '@procurement/contracts/reading/instant';
import { acceleratorOf, complaintReactionMicros, isQuickAuction } from './acceleration.ts';

describe('acceleratorOf (tenders.md 7.3)', () => {
  it.each([
    ['quick, accelerator=1440', 1_440],
    ['quick, accelerator=5, accelerator=10', 10],
    ['quick, accelerator=0', 1],
    ['quick, accelerator=1', 1],
    ['quick,\naccelerator=2', 2],
    ['accelerator=1440', undefined],
    ['quick, accelerator=', undefined],
    ['quick, accelerator=-3', undefined],
    ['quick', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('reads %j', (procurementMethodDetails, divisor) => {
    expect(acceleratorOf({ procurementMethodDetails }, true)).toBe(divisor);
  });

  it('reads nine digits at most', () => {
    expect(acceleratorOf({ procurementMethodDetails: 'quick, accelerator=1234567890' }, true)).toBe(123_456_789);
  });

  it('finds the same divisor as the expression without an anchor', () => {
    const part = fc.constantFrom('accelerator=', '1', '20', 'x', '\n', ' ', 'accelerator', '=');
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
        const text = parts.join('');
        const digits = /.+accelerator=(\d{1,9})/s.exec(text)?.[1];
        const divisor = digits === undefined ? undefined : Math.max(Number(digits), 1);
        expect(acceleratorOf({ procurementMethodDetails: text }, true)).toBe(divisor);
      }),
    );
  });

  it('reads a long text without an accelerator in linear time', () => {
    // Unanchored this takes about 30 minutes.
    expect(acceleratorOf({ procurementMethodDetails: 'x'.repeat(1_000_000) }, true)).toBeUndefined();
  });

  it('is undefined outside the sandbox', () => {
    expect(acceleratorOf({ procurementMethodDetails: 'quick, accelerator=1440' }, false)).toBeUndefined();
  });
});

describe('complaintReactionMicros', () => {
  it('is three days, divided by the accelerator of a sandbox tender', () => {
    const tender = { procurementMethodDetails: 'quick, accelerator=1440' };
    expect(complaintReactionMicros({}, true)).toBe(3 * DAY);
    expect(complaintReactionMicros(tender, false)).toBe(3 * DAY);
    expect(complaintReactionMicros(tender, true)).toBe((3 * DAY) / 1_440);
  });
});

describe('isQuickAuction (tenders.md 7.4)', () => {
  it.each([
    ['quick', true],
    ['quick(mode:fast-forward)', true],
    ['please be quick', true],
    ['Quick', false],
    ['', false],
    [undefined, false],
  ])('reads %j', (submissionMethodDetails, isQuick) => {
    expect(isQuickAuction({ submissionMethodDetails }, true)).toBe(isQuick);
  });

  it('is false outside the sandbox', () => {
    expect(isQuickAuction({ submissionMethodDetails: 'quick' }, false)).toBe(false);
  });
});
