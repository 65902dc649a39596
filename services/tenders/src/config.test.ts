import { ConfigError } from '@procurement/kit/runtime/config';
import { describe, expect, it } from 'vitest';
import { TEST_IDENTITY_PUBLIC_KEYS } from '@procurement/testing/identity';
import { config } from './config.ts';

const REQUIRED = {
  DATABASE_URL: 'postgres://unused',
  NATS_URL: 'nats://unused',
  IDENTITY_PUBLIC_KEYS: TEST_IDENTITY_PUBLIC_KEYS,
  FEED_SECRET: 'x'.repeat(16),
};

describe('PUBLICATIONS', () => {
  it('is not off where there is a ledger', () => {
    const ledger = { LEDGER_ORIGIN: 'tenders.example.gov/log' };
    expect(config({ ...REQUIRED, ...ledger })).toMatchObject({ PUBLICATIONS: true, ...ledger });
    expect(config({ ...REQUIRED, PUBLICATIONS: 'off' })).toMatchObject({ PUBLICATIONS: false });
    expect(() => config({ ...REQUIRED, ...ledger, PUBLICATIONS: 'off' })).toThrow(ConfigError);
    expect(() => config({ ...REQUIRED, ...ledger, PUBLICATIONS: 'off' })).toThrow('PUBLICATIONS');
  });
});
