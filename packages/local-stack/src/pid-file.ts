import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

/** The process id in a file, if that process still runs and its command line contains `program`. */
export function readLivePid(file: string, program: string): number | undefined {
  if (!existsSync(file)) return undefined;
  const pid = Number(readFileSync(file, 'utf8'));
  return isRunningProgram(pid, program) ? pid : undefined;
}

/** Whether the process runs and its command line contains `program`: ids of ended processes are given again. */
export function isRunningProgram(pid: number, program: string): boolean {
  const command = spawnSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8' }).stdout ?? '';
  return command.includes(program);
}
