import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The secrets that the parts of one local installation share. */
export interface Secrets {
  readonly identity: string;
  readonly feed: string;
  readonly database: string;
}

/** Reads the secrets of this folder, or creates them at the first start. Only the owner can read the file. */
export async function loadOrCreateSecrets(dir: string): Promise<Secrets> {
  const path = join(dir, 'secrets.json');
  try {
    // Only the code below writes this file.
    return JSON.parse(await readFile(path, 'utf8')) as Secrets;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) {
      throw new Error(`${path} is damaged. Restore it from a copy, or delete all data: npm start -- --reset`, {
        cause: error,
      });
    }
  }
  const randomSecret = (): string => randomBytes(32).toString('hex');
  const secrets = { identity: randomSecret(), feed: randomSecret(), database: randomSecret() };
  await mkdir(dir, { recursive: true });
  // Written and renamed: a killed start leaves no partial file.
  await writeFile(`${path}.new`, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 });
  await rename(`${path}.new`, path);
  return secrets;
}
