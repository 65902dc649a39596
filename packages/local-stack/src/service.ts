import { fileURLToPath } from 'node:url';
import { lastLoggedError, startChild, type Child } from './child.ts';
import type { RunningPart } from './part.ts';
import type { ServiceName } from './ports.ts';

const READY_TIMEOUT_MS = 60_000;

export interface ServiceOptions {
  readonly name: ServiceName;
  readonly env: Readonly<Record<string, string>>;
  readonly port: number;
  readonly logFile: string;
}

/** Starts one of our services from its build, and waits until it says that it is ready. */
export async function startService(
  { name, env, port, logFile }: ServiceOptions,
  onSpawn: (child: Child) => void,
): Promise<RunningPart> {
  const entry = fileURLToPath(new URL(`../../../services/${name}/dist/main.js`, import.meta.url));
  const child = startChild({ name, command: process.execPath, args: [entry], env, logFile });
  onSpawn(child);
  const giveUpAt = Date.now() + READY_TIMEOUT_MS;
  while (!(await isReady(port))) {
    if (!child.isRunning()) throw new Error(`${name} did not start: ${lastLoggedError(logFile)}`);
    if (Date.now() > giveUpAt) {
      await child.stop('SIGKILL');
      throw new Error(`${name} was not ready after a minute: ${lastLoggedError(logFile)}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  return {
    child,
    stop: async () => {
      await child.stop('SIGTERM');
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
