import { generateKeyPairSync } from 'node:crypto';
import { publicKeyOf, readPrivateKey } from '@procurement/kit/runtime/identity-keys';
import { makeSigner } from '@procurement/proof/notes';
import { describe, expect, it } from 'vitest';
import { config } from './config.ts';

function newKey(): string {
  return generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64');
}

const VKEY = 'witness-one.example/w+c16131f9+BPTTrdrtOxhS7xjdFNOkGbisNyDGq8dAvHxs6tUPDtgl';

const env = {
  DATABASE_URL: 'postgresql://ledger@127.0.0.1/ledger',
  NATS_URL: 'nats://127.0.0.1',
  IDENTITY_PUBLIC_KEYS: 'MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=',
  LEDGER_KEY: newKey(),
  LEDGER_BLIND_KEY: 'ab'.repeat(32),
  LEDGER_ORIGIN: 'tenders.example.gov/log',
  LEDGER_STORE: 'folder:/data',
};

describe('config', () => {
  it('reads one key, and two during a change', () => {
    expect(config(env).signers.map(({ verifier }) => verifier.name)).toEqual(['tenders.example.gov/log']);
    expect(config({ ...env, LEDGER_KEY: `${newKey()},${newKey()}` }).signers).toHaveLength(2);
  });

  it('names the keys of receipts as bids does, whose public keys it is given', () => {
    const key = newKey();
    const BIDS_RECEIPT_PUBLIC_KEYS = `${publicKeyOf(key)},${publicKeyOf(newKey())}`;
    const signer = makeSigner('tenders.example.gov/log/bids', readPrivateKey(key));
    const { receiptKeys } = config({ ...env, BIDS_RECEIPT_PUBLIC_KEYS });
    expect([receiptKeys.length, receiptKeys[0]?.vkey]).toEqual([2, signer.verifier.vkey]);
    expect(config(env).receiptKeys).toEqual([]);
  });

  it('reads witnesses', () => {
    const LEDGER_WITNESSES = `one ${VKEY} https://w1.example/, two ${VKEY} http://127.0.0.1:7380`;
    expect(config({ ...env, LEDGER_WITNESSES }).witnesses).toMatchObject([
      { name: 'one', url: 'https://w1.example', verifier: { name: 'witness-one.example/w' } },
      { name: 'two', url: 'http://127.0.0.1:7380' },
    ]);
  });

  it.each([
    ['LEDGER_KEY', ''],
    ['LEDGER_KEY', 'secret'],
    ['LEDGER_KEY', [newKey(), newKey(), newKey()].join(',')],
    ['LEDGER_BLIND_KEY', 'ab'],
    ['LEDGER_ORIGIN', 'https://tenders.example.gov/log'],
    ['LEDGER_ORIGIN', 'tenders example'],
    ['LEDGER_STORE', ''],
    ['BIDS_RECEIPT_PUBLIC_KEYS', newKey()],
    ['LEDGER_INTERVAL_MS', '999'],
    ['LEDGER_WITNESSES', `one ${VKEY}`],
    ['LEDGER_WITNESSES', `one ${VKEY} ftp://w1.example`],
    ['LEDGER_WITNESSES', 'one secret https://w1.example'],
    ['LEDGER_WITNESSES', `one ${VKEY} https://w1.example,one ${VKEY} https://w2.example`],
  ])('refuses a bad %s by its name, without its value', (name, value) => {
    const read = (): unknown => config({ ...env, [name]: value });
    expect(read).toThrow(name);
    expect(read).not.toThrow('secret');
  });
});
