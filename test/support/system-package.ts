import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** Installs a package of Debian when the tests run as root; does nothing elsewhere. */
export function installSystemPackage(name: string): void {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return;
  process.stdout.write(`installing ${name} with the system package manager (once, up to 20 s)\n`);
  const options = { stdio: 'ignore', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } } as const;
  // Waits for the lock if another installation runs.
  const lock = ['-o', 'DPkg::Lock::Timeout=120'];
  spawnSync('apt-get', [...lock, 'update', '-qq'], options);
  spawnSync('apt-get', [...lock, 'install', '-y', '-qq', '--no-install-recommends', name], options);
}

/** Installs a program that has the name of its package, unless it is there. */
export function requireProgram(name: string): void {
  const isThere = (): boolean => spawnSync(name, ['--version'], { stdio: 'ignore' }).status === 0;
  if (isThere()) return;
  installSystemPackage(name);
  if (!isThere()) throw new Error(`the tests need ${name}`);
}
