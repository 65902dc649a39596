import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** The user that runs PostgreSQL, which refuses to run as root. */
export interface User {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

/** An unprivileged user if this process runs as root; undefined if this user can run PostgreSQL. */
export function unprivilegedUser(): User | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
    .map(([name = '', , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }));
  const user = ['postgres', 'nobody']
    .map((name) => users.find((one) => one.name === name))
    .find((one) => one !== undefined);
  if (user === undefined) {
    throw new Error(
      'PostgreSQL does not run as root, and the system has neither the user "postgres" nor the user "nobody" to run it.',
    );
  }
  return user;
}

/** Whether the user may enter the folder. Home folders of other users are often closed. */
export function canEnter(user: User | undefined, dir: string): boolean {
  if (user === undefined) return true;
  return spawnSync('/usr/bin/test', ['-x', dir], { uid: user.uid, gid: user.gid, cwd: '/' }).status === 0;
}

/**
 * The folder for PostgreSQL's data: below `home`, or below /var/tmp under a hash of `home` if the user that runs PostgreSQL cannot
 * enter `home`.
 */
export function reachableDir(home: string, name: string): string {
  if (canEnter(unprivilegedUser(), home)) return join(home, name);
  const homeHash = createHash('sha256').update(home).digest('hex').slice(0, 12);
  const dir = join('/var/tmp', `procurement-${homeHash}`);
  // Others may pass through to a path that they know, and cannot list it.
  mkdirSync(dir, { recursive: true, mode: 0o711 });
  return join(dir, name);
}

/** Deletes all data of a stack, including a data folder outside of `home`. */
export function removeData(home: string): void {
  rmSync(reachableDir(home, 'postgres'), { recursive: true, force: true });
  rmSync(home, { recursive: true, force: true });
}
