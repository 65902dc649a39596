import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** Whom PostgreSQL runs as. It refuses to run as root. */
export interface User {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

/** An unprivileged user when this process is root, undefined when it may run PostgreSQL itself. */
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
    throw new Error('PostgreSQL does not run as root, and there is neither a user postgres nor nobody to run it as.');
  }
  return user;
}

/** Whether that user may enter a folder: one below another's home is often closed to it. */
export function canEnter(user: User | undefined, dir: string): boolean {
  if (user === undefined) return true;
  return spawnSync('/usr/bin/test', ['-x', dir], { uid: user.uid, gid: user.gid, cwd: '/' }).status === 0;
}

/**
 * A folder for PostgreSQL's data: below `home`, or, where that is closed to the user it runs as, in the system's folder for
 * variable data, under a name that stands for `home`.
 */
export function reachableDir(home: string, name: string): string {
  if (canEnter(unprivilegedUser(), home)) return join(home, name);
  const homeHash = createHash('sha256').update(home).digest('hex').slice(0, 12);
  const dir = join('/var/tmp', `procurement-${homeHash}`);
  mkdirSync(dir, { recursive: true, mode: 0o755 });
  return join(dir, name);
}

/** Removes all that a stack keeps, wherever `reachableDir` put it. */
export function removeData(home: string): void {
  rmSync(reachableDir(home, 'postgres'), { recursive: true, force: true });
  rmSync(home, { recursive: true, force: true });
}
