import { lastLoggedError, startChild, type Child } from './child.ts';
import type { RunningPart } from './part.ts';
import type { ServiceName } from './ports.ts';

const READY_TIMEOUT_MS = 60_000;
const READY_POLL_MS = 25;

/** How the process of a service is run. */
export interface ServiceLaunch {
  /** Arguments of node. */
  readonly args: readonly string[];
  /** Settings of node's loaders. */
  readonly env?: Readonly<Record<string, string>>;
  /** Milliseconds between SIGTERM and SIGKILL; 15,000 when absent. */
  readonly graceMs?: number;
  /** Receives the log as well as the log file. */
  readonly onOutput?: (chunk: Buffer) => void;
}

/** A program of this repository that a supervisor runs. Apps are those without which the system works. */
export type ProgramName = ServiceName | 'auction-room' | 'portal';

export interface ServiceOptions {
  readonly name: ProgramName;
  readonly env: Readonly<Record<string, string>>;
  /** Port of `/ready`. */
  readonly readyPort: number;
  readonly logFile: string;
}

/** Where the sources and bundles of a program are, from the root of the repository. */
export function folderOf(name: ProgramName): string {
  return name === 'auction-room' || name === 'portal' ? `apps/${name}` : `services/${name}`;
}

/** Starts a service and waits until `/ready` answers 200, for a minute at most. */
export async function startService(
  { name, env, readyPort, logFile }: ServiceOptions,
  onSpawn: (child: Child) => void,
  { args, env: launchEnv, graceMs, onOutput }: ServiceLaunch,
): Promise<RunningPart> {
  const child = startChild({ name, command: process.execPath, args, env: { ...env, ...launchEnv }, logFile, onOutput });
  onSpawn(child);
  const giveUpAt = Date.now() + READY_TIMEOUT_MS;
  while (!(await isReady(readyPort))) {
    if (!child.isRunning()) throw new Error(`${name} did not start: ${lastLoggedError(logFile)}`);
    if (Date.now() > giveUpAt) {
      await child.stop('SIGKILL');
      throw new Error(`${name} was not ready after a minute: ${lastLoggedError(logFile)}`);
    }
    await new Promise((resolve) => setTimeout(resolve, READY_POLL_MS));
  }
  return {
    child,
    stop: async () => {
      await child.stop('SIGTERM', graceMs);
    },
  };
}

async function isReady(port: number): Promise<boolean> {
  try {
    return (await fetch(`http://127.0.0.1:${port}/ready`, { signal: AbortSignal.timeout(2_000) })).ok;
  } catch {
    return false;
  }
}
