import { createHash, createPrivateKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeSigner, type Signer, type Verifier } from '../src/notes.ts';

/** Folder of the test vectors (docs/spec/proof.md 11). */
export const FIXTURES = join(import.meta.dirname, '../../../docs/spec/proof');

/** Reads a file of test vectors. */
export function fixture<T>(name: string): T {
  return JSON.parse(readFileSync(join(FIXTURES, name), 'utf8'));
}

export const receiptVectors = fixture<{
  /** Key that has signed the receipts. */
  readonly key: string;
  /** Text of the bid. */
  readonly text: string;
  readonly cases: readonly {
    readonly what: string;
    readonly note: string;
    readonly header: string;
    readonly findings: readonly string[];
    readonly exit: number;
  }[];
  readonly refused: readonly { readonly what: string; readonly header: string }[];
}>('receipts.json');

/** ASN.1 before the 32 bytes of a private Ed25519 key. */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');

/** Returns the key of the test vectors with this label. Never use it. */
export function testSigner(name: string, label: string, type?: Verifier['type']): Signer {
  const seed = createHash('sha256').update(`procurement proof test key: ${label}`).digest();
  const key = createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: 'der', type: 'pkcs8' });
  return makeSigner(name, key, type);
}

export function bytesOfHex(hex: string): Buffer {
  return Buffer.from(hex, 'hex');
}
