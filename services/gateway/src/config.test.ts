import { describe, expect, it } from 'vitest';
import { config, rateLimitSettings } from './config.ts';

const needed = {
  DATABASE_URL: 'postgresql://127.0.0.1/gateway',
  NATS_URL: 'nats://127.0.0.1',
  IDENTITY_SECRET: 'a secret for tests, not for production',
  TENDERS_URL: 'http://127.0.0.1:8081',
  BIDS_URL: 'http://127.0.0.1:8082',
  AWARDS_URL: 'http://127.0.0.1:8083',
  DOCUMENTS_URL: 'http://127.0.0.1:8084',
  AUCTION_URL: 'http://127.0.0.1:8085',
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
