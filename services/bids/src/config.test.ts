import { ConfigError } from '@procurement/kit/runtime/config';
import { TEST_IDENTITY_PUBLIC_KEYS } from '@procurement/testing/identity';
import { describe, expect, it } from 'vitest';
import { config } from './config.ts';

const [KEY, OTHER] = ['k'.repeat(32), 'o'.repeat(32)];
const environment = { DATABASE_URL: 'x', NATS_URL: 'x', IDENTITY_PUBLIC_KEYS: TEST_IDENTITY_PUBLIC_KEYS };

describe('BIDS_KEYS and SEAL_BIDS', () => {
  it.each([
    [{ BIDS_KEYS: KEY }, true, [KEY]],
    [{ BIDS_KEYS: `${KEY},${OTHER}` }, true, [KEY, OTHER]],
    [{ BIDS_KEYS: KEY, SEAL_BIDS: 'off' }, false, [KEY]],
    [{ SEAL_BIDS: 'off' }, false, undefined],
  ])('are read from %j', (given, isSealing, keys) => {
    const settings = config({ ...environment, ...given });
    expect([settings.SEAL_BIDS, settings.BIDS_KEYS]).toEqual([isSealing, keys]);
  });

  it.each([
    ['absent', {}],
    ['too short', { BIDS_KEYS: `${KEY},short` }],
    ['twice', { BIDS_KEYS: `${KEY},${KEY}` }],
    ['empty', { BIDS_KEYS: `${KEY},` }],
  ])('keep the service from starting with a key that is %s, and are named without it', (_what, given) => {
    const start = () => config({ ...environment, ...given });
    expect(start).toThrow(ConfigError);
    expect(start).toThrow(/^ {2}BIDS_KEYS/m);
    expect(start).not.toThrow(/kkkk/);
  });
});
