import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const MAIN = join(import.meta.dirname, '../../packages/cli/dist/main.js');

/** Writes the program `procurement` into a folder, as an installation of the package puts it on the path. */
export function writeProgram(folder: string): string {
  const program = join(folder, 'procurement');
  writeFileSync(program, `#!/bin/sh\nexec '${process.execPath}' '${MAIN}' "$@"\n`);
  chmodSync(program, 0o755);
  return program;
}
