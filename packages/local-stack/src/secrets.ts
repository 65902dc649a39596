import { createPrivateKey, generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeSigner } from '@procurement/proof/notes';
import { LOG_ORIGIN } from './log-origin.ts';
import { SERVICES, type ServiceName } from './ports.ts';

/** The secrets of one local installation. */
export interface Secrets {
  /** The key pair of the gateway's identities: PKCS #8 and SPKI in base64. */
  readonly identityKeys: { readonly privateKey: string; readonly publicKey: string };
  readonly idempotency: string;
  /** Derives the keys that sign addresses of files. */
  readonly files: string;
  readonly feed: string;
  /** Encrypts sealed bids. */
  readonly bids: string;
  /** The key pair of receipts of bids, as `identityKeys`. */
  readonly receiptKeys: Secrets['identityKeys'];
  /** Signs cursors of searches. */
  readonly register: string;
  /** The public log: the key that signs it (PKCS #8 in base64), and the key of its commitments. */
  readonly ledger: { readonly privateKey: string; readonly blind: string };
  /** Passwords at PostgreSQL, by role; `postgres` is the superuser. */
  readonly databasePasswords: Readonly<Record<ServiceName | 'postgres', string>>;
  /** Passwords at NATS, by user. */
  readonly natsPasswords: Readonly<Record<ServiceName, string>>;
  /** Secrets of the auction room: the password of its database, and the key of its links and sessions in hex, which base64url contains. */
  readonly auctionRoom: { readonly database: string; readonly master: string };
}

/** Reads the secrets of this folder, or creates them. Only the owner can read the file. */
export async function loadOrCreateSecrets(dir: string): Promise<Secrets> {
  const path = join(dir, 'secrets.json');
  const stored = await readStored(path);
  if (stored !== undefined) return stored;
  const secrets = newSecrets();
  await mkdir(dir, { recursive: true, mode: 0o700 });
  // Written and renamed: a killed start leaves no partial file.
  await writeFile(`${path}.new`, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 });
  await rename(`${path}.new`, path);
  return secrets;
}

/** The key of the public log, as its readers pin it. */
export function logVkey({ ledger }: Pick<Secrets, 'ledger'>): string {
  const key = createPrivateKey({ key: Buffer.from(ledger.privateKey, 'base64'), format: 'der', type: 'pkcs8' });
  return makeSigner(LOG_ORIGIN, key).verifier.vkey;
}

async function readStored(path: string): Promise<Secrets | undefined> {
  try {
    // Only the code above writes this file.
    return JSON.parse(await readFile(path, 'utf8')) as Secrets;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw new Error(`${path} is damaged. Restore it from a copy, or delete all data: npm start -- --reset`, {
      cause: error,
    });
  }
}

function newSecrets(): Secrets {
  return {
    identityKeys: newKeyPair(),
    idempotency: randomSecret(),
    files: randomSecret(),
    feed: randomSecret(),
    bids: randomSecret(),
    receiptKeys: newKeyPair(),
    register: randomSecret(),
    ledger: { privateKey: newKeyPair().privateKey, blind: randomSecret() },
    databasePasswords: { postgres: randomSecret(), ...makePasswords(SERVICES) },
    natsPasswords: makePasswords(SERVICES),
    auctionRoom: { database: randomSecret(), master: randomSecret() },
  };
}

function newKeyPair(): Secrets['identityKeys'] {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  return {
    privateKey: privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64'),
    publicKey: publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
  };
}

function makePasswords<N extends string>(names: readonly N[]): Readonly<Record<N, string>> {
  // Safe cast: the keys are exactly the names.
  return Object.fromEntries(names.map((name) => [name, randomSecret()])) as Record<N, string>;
}

function randomSecret(): string {
  return randomBytes(32).toString('hex');
}
