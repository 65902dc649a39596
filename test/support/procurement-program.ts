import { spawn } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text as readText } from 'node:stream/consumers';

/** The `node_modules` of a folder in which the packed packages are installed (tools/release.ts). Without it, the built ones are used. */
const installed = process.env['INSTALLED_PACKAGES'];
const PACKAGES =
  installed === undefined ? join(import.meta.dirname, '../../packages') : join(installed, '@procurement');
const MAIN = join(PACKAGES, 'cli/dist/main.js');

/** The program `verify-procurement`, bundled as its package has it. */
export const VERIFIER = join(import.meta.dirname, '../../packages/verify/dist/bundle/dist/main.js');

/** The package `@procurement/client`. */
export const CLIENT_PACKAGE = join(PACKAGES, 'client');

/** Writes the program `procurement` into a folder, as an installation of the package puts it on the path. */
export function writeProgram(folder: string): string {
  const program = join(folder, 'procurement');
  writeFileSync(program, `#!/bin/sh\nexec '${process.execPath}' '${MAIN}' "$@"\n`);
  chmodSync(program, 0o755);
  return program;
}

export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly notes: string;
}

export interface ProgramOptions {
  readonly stdin?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** The environment of a program whose user has this folder: its profiles and tokens are there, and `procurement` is on the path. */
export function environmentIn(folder: string): Record<string, string> {
  return { PATH: `${folder}:${process.env['PATH'] ?? ''}`, HOME: folder };
}

/** Runs a program in a folder to its end. */
export async function runIn(
  folder: string,
  [program, ...args]: readonly [string, ...(readonly string[])],
  { stdin = '', env = {} }: ProgramOptions = {},
): Promise<Ended> {
  const child = spawn(program, args, { cwd: folder, env: { ...environmentIn(folder), ...env } });
  // A program may end before it has read what is written (EPIPE).
  child.stdin.on('error', () => undefined).end(stdin);
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  const [out, notes] = await Promise.all([readText(child.stdout), readText(child.stderr)]);
  return { code: await ended, out, notes };
}
