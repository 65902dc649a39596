import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The `node_modules` of a folder in which the packed packages are installed (tools/release.ts). Without it, the built ones are used. */
const installed = process.env['INSTALLED_PACKAGES'];
const PACKAGES =
  installed === undefined ? join(import.meta.dirname, '../../packages') : join(installed, '@procurement');
const MAIN = join(PACKAGES, 'cli/dist/main.js');

/** The package `@procurement/client`. */
export const CLIENT_PACKAGE = join(PACKAGES, 'client');

/** Writes the program `procurement` into a folder, as an installation of the package puts it on the path. */
export function writeProgram(folder: string): string {
  const program = join(folder, 'procurement');
  writeFileSync(program, `#!/bin/sh\nexec '${process.execPath}' '${MAIN}' "$@"\n`);
  chmodSync(program, 0o755);
  return program;
}
