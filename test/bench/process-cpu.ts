import { readdirSync, readFileSync } from 'node:fs';
import type { Stack } from '@procurement/local-stack/stack';

/** Unit of the times in `/proc/<pid>/stat`, on every Linux that Node supports. */
const MS_PER_TICK = 10;

interface ProcessTimes {
  readonly parent: number;
  readonly ownMs: number;
  /** Time of children that have ended. */
  readonly endedMs: number;
}

/**
 * Milliseconds of processor time that the parts of the stack have used, by name. PostgreSQL includes its connections, also those
 * that have ended. Undefined where there is no `/proc`.
 */
export function stackCpuMs({ parts }: Stack): ReadonlyMap<string, number> | undefined {
  const postgres = parts.postgres.pid();
  const server = readTimes(postgres);
  if (server === undefined) return undefined;
  const used = new Map(Object.values(parts).map((part) => [part.name, readTimes(part.pid())?.ownMs ?? 0]));
  // Each connection is a process.
  const connections = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => readTimes(Number(pid)));
  const open = connections.filter((times) => times?.parent === postgres).map((times) => times?.ownMs ?? 0);
  return used.set(parts.postgres.name, server.ownMs + server.endedMs + open.reduce((sum, ms) => sum + ms, 0));
}

/** Milliseconds between two readings, by part, the largest first. */
export function cpuBetween(
  before: ReadonlyMap<string, number>,
  after: ReadonlyMap<string, number>,
): Map<string, number> {
  const used = [...after].map(([name, ms]) => [name, ms - (before.get(name) ?? 0)] as const);
  return new Map(used.toSorted(([, one], [, other]) => other - one));
}

export function sumMs(parts: ReadonlyMap<string, number>): number {
  return [...parts.values()].reduce((sum, ms) => sum + ms, 0);
}

export function processCpuMs(pid: number): number | undefined {
  return readTimes(pid)?.ownMs;
}

/** Times of a process; undefined when it has ended. */
function readTimes(pid: number): ProcessTimes | undefined {
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
