import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { isUsable, makeCertificates, withSuccessor } from './certificates.ts';

export interface Folders {
  /** `ca.pem`, for everybody: the authorities that clients of NATS trust. */
  readonly authority: string;
  /** `server.pem`, for the servers only: their certificate and its private key. */
  readonly server: string;
}

export interface Wish {
  /** DNS names of the servers. */
  readonly hosts: readonly string[];
  /** Also if the present certificate is still good. */
  readonly renew: boolean;
  readonly now: Date;
}

/**
 * Makes the files, unless there are good ones. Replaces each as a whole, first what clients trust: at every moment, also after a crash, they
 * trust the certificate that the servers have, and the one that they will have.
 */
export async function ensureCertificateFiles(folders: Folders, { hosts, renew, now }: Wish): Promise<'kept' | 'made'> {
  const paths = { authority: join(folders.authority, 'ca.pem'), server: join(folders.server, 'server.pem') };
  const present = { authorities: readIfThere(paths.authority), server: readIfThere(paths.server) };
  if (!renew && isUsable(present, hosts, now)) return 'kept';
  const { authority, certificate, key } = await makeCertificates(hosts, now);
  replaceFile(paths.authority, withSuccessor(present, authority), 0o644);
  replaceFile(paths.server, `${certificate}${key}`, 0o600);
  return 'made';
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '';
    throw error;
  }
}

function replaceFile(path: string, text: string, mode: number): void {
  const part = `${path}.part`;
  const file = openSync(part, 'w', mode);
  try {
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(part, path);
}
