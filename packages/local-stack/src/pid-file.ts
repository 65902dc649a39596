import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

/** The process id in a file, if that process still runs and its command line contains `program`. */
export function readLivePid(file: string, program: string): number | undefined {
  if (!existsSync(file)) return undefined;
  const pid = Number(readFileSync(file, 'utf8'));
  const command = spawnSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8' }).stdout ?? '';
  return command.includes(program) ? pid : undefined;
}
