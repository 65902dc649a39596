import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { SERVICES, type ServiceName } from './ports.ts';

/** The secrets of one local installation. */
export interface Secrets {
  readonly identity: string;
  readonly feed: string;
  /** Passwords at PostgreSQL, by role; `postgres` is the superuser. */
  readonly databasePasswords: Readonly<Record<ServiceName | 'postgres', string>>;
  /** Passwords at NATS, by user. */
  readonly natsPasswords: Readonly<Record<ServiceName, string>>;
  /** The password of all roles in a data folder of a release without `databasePasswords`. */
  readonly database?: string;
}

/** Reads the secrets of this folder, and creates those that it lacks. Only the owner can read the file. */
export async function loadOrCreateSecrets(dir: string): Promise<Secrets> {
  const path = join(dir, 'secrets.json');
  const stored = await readStored(path);
  const secrets = withMissing(stored, newSecrets());
  if (isDeepStrictEqual(secrets, stored)) return secrets;
  await mkdir(dir, { recursive: true, mode: 0o700 });
  // Written and renamed: a killed start leaves no partial file.
  await writeFile(`${path}.new`, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 });
  await rename(`${path}.new`, path);
  return secrets;
}

async function readStored(path: string): Promise<Partial<Secrets>> {
  try {
    // Only the code above writes this file.
    return JSON.parse(await readFile(path, 'utf8')) as Partial<Secrets>;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {};
    throw new Error(`${path} is damaged. Restore it from a copy, or delete all data: npm start -- --reset`, {
      cause: error,
    });
  }
}

/** What is stored, completed by what a release before did not need: a secret, or the password of a new service. */
function withMissing(stored: Partial<Secrets>, created: Secrets): Secrets {
  return {
    ...created,
    ...stored,
    databasePasswords: { ...created.databasePasswords, ...stored.databasePasswords },
    natsPasswords: { ...created.natsPasswords, ...stored.natsPasswords },
  };
}

function newSecrets(): Secrets {
  return {
    identity: randomSecret(),
    feed: randomSecret(),
    databasePasswords: { postgres: randomSecret(), ...passwordsOf(SERVICES) },
    natsPasswords: passwordsOf(SERVICES),
  };
}

function passwordsOf<N extends string>(names: readonly N[]): Readonly<Record<N, string>> {
  // Safe cast: the keys are exactly the names.
  return Object.fromEntries(names.map((name) => [name, randomSecret()])) as Record<N, string>;
}

function randomSecret(): string {
  return randomBytes(32).toString('hex');
}
