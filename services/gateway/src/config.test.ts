import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { IDENTITY_SETTINGS } from '../test-support/fake-service.ts';
import { config } from './config.ts';
import { rateLimitSettings } from './limits/limits.ts';

const needed = {
  DATABASE_URL: 'postgresql://127.0.0.1/gateway',
  NATS_URL: 'nats://127.0.0.1',
  ...IDENTITY_SETTINGS,
  TENDERS_URL: 'http://127.0.0.1:8081',
  BIDS_URL: 'http://127.0.0.1:8082',
  AWARDS_URL: 'http://127.0.0.1:8083',
  DOCUMENTS_URL: 'http://127.0.0.1:8084',
  AUCTION_URL: 'http://127.0.0.1:8085',
  REGISTER_URL: 'http://127.0.0.1:8086',
};

describe('rateLimitSettings', () => {
  it.each([
    [{}, { readsPerSecond: 140, writesPerSecond: 20, uploadsMax: 4 }],
    [{ SANDBOX_MODE: 'true' }, { readsPerSecond: 0, writesPerSecond: 0, uploadsMax: 0 }],
    [
      { SANDBOX_MODE: 'true', RATE_READS_PER_SECOND: '5', RATE_WRITES_PER_SECOND: '6', UPLOADS_MAX: '7' },
      { readsPerSecond: 5, writesPerSecond: 6, uploadsMax: 7 },
    ],
  ])('with %j gives %j', (env, expected) => {
    expect(rateLimitSettings(config({ ...needed, ...env }))).toEqual(expected);
  });
});

describe('the keys of the gateway', () => {
  it('must belong together: services would refuse every request', () => {
    const other = generateKeyPairSync('ed25519').publicKey;
    const IDENTITY_PUBLIC_KEYS = other.export({ type: 'spki', format: 'der' }).toString('base64');
    expect(() => config({ ...needed, IDENTITY_PUBLIC_KEYS })).toThrow('lacks the key of IDENTITY_PRIVATE_KEY');
    const both = `${IDENTITY_PUBLIC_KEYS},${IDENTITY_SETTINGS.IDENTITY_PUBLIC_KEYS}`;
    expect(config({ ...needed, IDENTITY_PUBLIC_KEYS: both }).IDENTITY_PUBLIC_KEYS).toHaveLength(2);
  });
});
