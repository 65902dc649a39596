import { readdirSync, readFileSync } from 'node:fs';
import type { Stack } from '@procurement/local-stack/stack';

/** Of `/proc/<pid>/stat`, on every Linux that Node supports. */
const MS_PER_TICK = 10;

interface ProcessTimes {
  readonly parent: number;
  readonly ownMs: number;
  /** Of children that have ended. */
  readonly endedMs: number;
}

/** Milliseconds of processor time that all processes of the stack have used. Undefined where there is no `/proc`. */
export function stackCpuMs(stack: Stack): number | undefined {
  const postgres = stack.parts.postgres.pid();
  const server = timesOf(postgres);
  if (server === undefined) return undefined;
  let all = server.ownMs + server.endedMs;
  for (const part of Object.values(stack.parts)) if (part.name !== 'postgres') all += timesOf(part.pid())?.ownMs ?? 0;
  // Each connection is a process.
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const times = timesOf(Number(pid));
    if (times?.parent === postgres) all += times.ownMs;
  }
  return all;
}

/** The same of one process. */
export function processCpuMs(pid: number): number | undefined {
  return timesOf(pid)?.ownMs;
}

/** Undefined when the process has ended. */
function timesOf(pid: number): ProcessTimes | undefined {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return undefined;
  }
  // The second field is the name in brackets, which may contain spaces. The fourth is the parent; 14 to 17 are times.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11, 15).map(Number);
  return {
    parent: Number(fields[1]),
    ownMs: (user + system) * MS_PER_TICK,
    endedMs: (endedUser + endedSystem) * MS_PER_TICK,
  };
}
