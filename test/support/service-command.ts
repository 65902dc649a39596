import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { text as readText } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { ServiceName } from '@procurement/local-stack/ports';
import type { Stack } from '@procurement/local-stack/stack';

/** Runs a command of a service beside it. Returns what it prints. */
export async function serviceCommand(stack: Stack, service: ServiceName, ...words: readonly string[]): Promise<string> {
  const [args, options] = buildCommand(stack, service, words);
  return (await promisify(execFile)(process.execPath, args, options)).stdout;
}

/** A command of a service that runs beside it. */
export interface RunningCommand {
  readonly child: ChildProcess;
  /** Resolves when it has ended: its exit code, null after a signal, and what it printed. */
  end(): Promise<{ readonly code: unknown; readonly text: string }>;
}

/** Begins a command of a service, with the present settings of the service. */
export function spawnServiceCommand(stack: Stack, service: ServiceName, ...words: readonly string[]): RunningCommand {
  const child = spawn(process.execPath, ...buildCommand(stack, service, words));
  const output = readText(child.stdout);
  const closed = once(child, 'close');
  return { child, end: async () => ({ code: (await closed)[0] as unknown, text: await output }) };
}

function buildCommand(stack: Stack, service: ServiceName, words: readonly string[]) {
  const { env } = stack.serviceOptions(service);
  const main = fileURLToPath(new URL(`../../services/${service}/dist/bundle/dist/main.js`, import.meta.url));
  return [[main, ...words], { env: { ...process.env, ...env, EXIT_WITH_PARENT: 'off' } }] as const;
}
