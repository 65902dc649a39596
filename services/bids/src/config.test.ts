import { generateKeyPairSync } from 'node:crypto';
import { ConfigError } from '@procurement/kit/runtime/config';
import { readPrivateKey } from '@procurement/kit/runtime/identity-keys';
import { makeSigner } from '@procurement/proof/notes';
import { TEST_IDENTITY_PUBLIC_KEYS } from '@procurement/testing/identity';
import { describe, expect, it } from 'vitest';
import { config } from './config.ts';

const [KEY, OTHER] = ['k'.repeat(32), 'o'.repeat(32)];
const environment = { DATABASE_URL: 'x', NATS_URL: 'x', IDENTITY_PUBLIC_KEYS: TEST_IDENTITY_PUBLIC_KEYS };

describe('BIDS_RECEIPT_KEY', () => {
  const newKey = () =>
    generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64');
  const LEDGER_ORIGIN = 'tenders.example.gov/log';
  const [first, second] = [newKey(), newKey()];
  const { vkey } = makeSigner(`${LEDGER_ORIGIN}/bids`, readPrivateKey(first)).verifier;

  it.each([
    ['one key', { BIDS_RECEIPT_KEY: first, LEDGER_ORIGIN }, vkey],
    ['the first of two', { BIDS_RECEIPT_KEY: `${first},${second}`, LEDGER_ORIGIN }, vkey],
    ['none without it', { LEDGER_ORIGIN }, undefined],
    ['none for bids in clear text', { BIDS_RECEIPT_KEY: first, LEDGER_ORIGIN, SEAL_BIDS: 'off' }, undefined],
  ])('signs receipts: %s', (_what, given, expected) => {
    const { receiptSigner } = config({ ...environment, BIDS_KEYS: KEY, ...given });
    expect(receiptSigner?.signer.verifier.vkey).toBe(expected);
  });

  it.each([
    ['LEDGER_ORIGIN', { BIDS_RECEIPT_KEY: first }],
    ['LEDGER_ORIGIN', { BIDS_RECEIPT_KEY: first, LEDGER_ORIGIN: 'https://tenders.example.gov/log' }],
    ['BIDS_RECEIPT_KEY', { BIDS_RECEIPT_KEY: 'secret', LEDGER_ORIGIN }],
  ])('keeps the service from starting with a bad %s, without its value', (name, given) => {
    const start = () => config({ ...environment, BIDS_KEYS: KEY, ...given });
    expect(start).toThrow(name);
    expect(start).not.toThrow(/secret/);
  });
});

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
