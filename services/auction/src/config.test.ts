import { describe, expect, it } from 'vitest';
import { config, playsSpecialModes } from './config.ts';

const needed = {
  DATABASE_URL: 'postgresql://127.0.0.1/auction',
  NATS_URL: 'nats://127.0.0.1',
  IDENTITY_PUBLIC_KEYS: 'MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=',
};

describe('config', () => {
  it('has the defaults of tenders.md 9.3', () => {
    expect(config(needed)).toMatchObject({
      AUCTION_DAY_START: 660,
      AUCTION_DAY_END: 960,
      AUCTION_STREAMS: 10,
      AUCTION_RANDOM_SECONDS: 1_799,
    });
    expect(config(needed).AUCTION_QUICK_SECONDS).toBeUndefined();
    expect(config(needed).CALENDAR_FILE).toBeUndefined();
  });

  it.each([
    [{}, false],
    [{ SANDBOX_MODE: 'true' }, true],
    [{ SANDBOX_MODE: 'true', SPECIAL_MODES: 'service' }, true],
    [{ SANDBOX_MODE: 'true', SPECIAL_MODES: 'component' }, false],
    [{ SPECIAL_MODES: 'service' }, false],
  ])('%j: plays special modes: %s (rulings R28)', (env, expected) => {
    expect(playsSpecialModes(config({ ...needed, ...env }))).toBe(expected);
  });

  it.each([
    ['SPECIAL_MODES', 'both'],
    ['AUCTION_DAY_START', '9:30'],
    ['AUCTION_DAY_START', '24:00'],
    ['AUCTION_DAY_START', '16:00'],
    ['AUCTION_DAY_END', '10:00'],
    ['AUCTION_STREAMS', '0'],
    ['AUCTION_RANDOM_SECONDS', '1800'],
    ['AUCTION_QUICK_SECONDS', '0'],
  ])('refuses %s=%s', (name, value) => {
    expect(() => config({ ...needed, [name]: value })).toThrow(name);
  });
});
