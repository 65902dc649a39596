import { chmodSync, mkdirSync } from 'node:fs';
import { unprivilegedUser } from './user.ts';

/** Makes a folder that only its owner can enter. Closes an existing one, which others may be able to read. */
export function makePrivateFolder(path: string): void {
  makeFolder(path, 0o700);
}

/**
 * The same for a folder that contains PostgreSQL's. Under root PostgreSQL runs as another user: others may then pass through to a
 * path that they know and may enter, but cannot list it.
 */
export function makeHomeFolder(path: string): void {
  makeFolder(path, unprivilegedUser() === undefined ? 0o700 : 0o711);
}

function makeFolder(path: string, mode: number): void {
  mkdirSync(path, { recursive: true, mode });
  chmodSync(path, mode);
}
