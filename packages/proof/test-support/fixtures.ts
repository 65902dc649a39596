import { createHash, createPrivateKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { signerOf, type Signer, type Verifier } from '../src/notes.ts';

const FOLDER = join(import.meta.dirname, '../../../docs/spec/proof');

/** Reads a file of test vectors (docs/spec/proof.md 11). */
export function fixture<T>(name: string): T {
  return JSON.parse(readFileSync(join(FOLDER, name), 'utf8'));
}

/** ASN.1 before the 32 bytes of a private Ed25519 key. */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');

/** Returns the key of the test vectors with this label. Never use it. */
export function testSigner(name: string, label: string, type?: Verifier['type']): Signer {
  const seed = createHash('sha256').update(`procurement proof test key: ${label}`).digest();
  const key = createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: 'der', type: 'pkcs8' });
  return signerOf(name, key, type);
}

export function bytesOfHex(hex: string): Buffer {
  return Buffer.from(hex, 'hex');
}
