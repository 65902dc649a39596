import { describe, expect, it } from 'vitest';
import { acceptsEarlyForm } from './early-organization.ts';

const early = { name: 'ФОП Литвин', identifier: { scheme: 'UA-EDR', id: '3012345678' } };
const whole = {
  ...early,
  address: { countryName: 'Україна' },
  contactPoint: { name: 'Іван Литвин', email: 'lytvyn@example.com' },
};

describe('acceptsEarlyForm (rulings R13)', () => {
  it.each([
    ['2.5', undefined, false],
    ['2.5', whole, false],
    ['2.5', early, true],
    ['2.3', undefined, true],
    ['2.3', whole, true],
    ['0.1', early, true],
  ])('segment %s, stored %j', (segment, stored, isAccepted) => {
    expect(acceptsEarlyForm(segment, stored)).toBe(isAccepted);
  });
});
