import { cpSync, existsSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { makePrivateFolder } from './private-folder.ts';
import { folderOf, type ProgramName, type ServiceLaunch } from './service.ts';

const ATTEMPTS_MAX = 100;
const ATTEMPT_MS = 50;

/**
 * Copies the bundles of programs (`npm run build`) to a folder, and returns how a program is run from there: a build beside a running system
 * replaces the bundles, and a program that is started again must be the one with which the system began.
 */
export async function copyPrograms<P extends ProgramName>(
  names: readonly P[],
  folder: string,
): Promise<(name: P) => ServiceLaunch> {
  rmSync(folder, { recursive: true, force: true });
  makePrivateFolder(folder);
  for (const name of names) await copyWhole(bundleFolder(name), join(folder, name));
  // A bundle takes half the processor time of its files to load.
  return (name) => ({ args: ['--enable-source-maps', join(folder, name, 'dist/main.js')] });
}

/** The folder to which the build writes the bundle of a program. */
function bundleFolder(name: ProgramName): string {
  return fileURLToPath(new URL(`../../../${folderOf(name)}/dist/bundle`, import.meta.url));
}

/**
 * A build replaces the folder as a whole: a copy is of one build if the folder is the same after it. While a build replaces it the folder is
 * absent, and its parent is there.
 */
export async function copyWhole(from: string, to: string): Promise<void> {
  const absent = new Error(`there is no ${from}: run npm run build`);
  if (!existsSync(dirname(from))) throw absent;
  for (let attempt = 1; ; attempt += 1) {
    try {
      const { ino } = statSync(from);
      cpSync(from, to, { recursive: true });
      if (statSync(from).ino === ino) return;
    } catch (error) {
      if (attempt >= ATTEMPTS_MAX) throw existsSync(from) ? error : absent;
    }
    rmSync(to, { recursive: true, force: true });
    await pause(ATTEMPT_MS);
  }
}
