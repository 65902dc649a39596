import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What the parts of one local installation share. */
export interface Secrets {
  readonly identity: string;
  readonly feed: string;
  readonly database: string;
}

/** The secrets kept in this folder; made at the first start. Readable by their owner only. */
export async function loadOrCreateSecrets(dir: string): Promise<Secrets> {
  const path = join(dir, 'secrets.json');
  try {
    // Written below and by nothing else.
    return JSON.parse(await readFile(path, 'utf8')) as Secrets;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) {
      throw new Error(`${path} is damaged; put it back from a copy, or start over with: npm start -- --reset`, {
        cause: error,
      });
    }
  }
  const randomSecret = (): string => randomBytes(32).toString('hex');
  const secrets = { identity: randomSecret(), feed: randomSecret(), database: randomSecret() };
  await mkdir(dir, { recursive: true });
  // Renamed into place: a start that is killed leaves no half of a file.
  await writeFile(`${path}.new`, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 });
  await rename(`${path}.new`, path);
  return secrets;
}
