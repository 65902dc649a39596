import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ROOT } from '../deploy/repository.ts';

export const BIN = join(ROOT, '.local/foreign');
export const PYTHON = join(BIN, 'python/bin/python');
export const PYTHON_PROGRAMS = join(ROOT, 'test/foreign/python');
/** A module with a program of ours, its generator, and how the generator reads the document. It lacks the generated package `api`. */
export const GO_CLIENT = join(ROOT, 'test/foreign/go-client');

export type Toolset = 'python' | 'go' | 'go client' | 'go collector';

const NO_GO = 'no Go, or no module proxy';

/** Installs a set of tools that programs need. Returns why that is impossible here. Throws when a program of ours does not compile. */
export const INSTALL: Readonly<Record<Toolset, () => string | undefined>> = {
  python() {
    const isMade = succeeds('python3', '-m', 'venv', join(BIN, 'python'));
    if (!isMade) return 'no python3 with venv';
    const requirements = join(PYTHON_PROGRAMS, 'requirements.txt');
    return succeeds(PYTHON, '-m', 'pip', 'install', '--quiet', '--requirement', requirements)
      ? undefined
      : 'pip could not install the packages';
  },
  go: () => buildGo(join(ROOT, 'test/foreign/go')),
  'go client': () => (succeeds('go', '-C', GO_CLIENT, 'mod', 'download') ? undefined : NO_GO),
  'go collector': () => buildGo(join(ROOT, 'test/foreign/go-collector')),
};

function buildGo(programs: string): string | undefined {
  if (!succeeds('go', '-C', programs, 'mod', 'download')) return NO_GO;
  run('go', ['-C', programs, 'build', '-o', `${BIN}/`, './...']);
  return undefined;
}

function succeeds(command: string, ...words: readonly string[]): boolean {
  return spawnSync(command, words, { stdio: ['ignore', 'ignore', 'inherit'] }).status === 0;
}

interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

/** Runs a program to its end. Throws when it fails. */
export function run(command: string, words: readonly string[], { env, cwd = ROOT }: RunOptions = {}): void {
  const { status } = spawnSync(command, words, { cwd, env: { ...process.env, ...env }, stdio: 'inherit' });
  if (status !== 0) throw new Error(`${command} ended with ${status}`);
}
