import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { ServiceName } from '@procurement/local-stack/ports';
import type { Stack } from '@procurement/local-stack/stack';

/** Runs a command of a service beside it. Returns what it prints. */
export async function serviceCommand(stack: Stack, service: ServiceName, ...words: readonly string[]): Promise<string> {
  const { env } = stack.serviceOptions(service);
  const main = fileURLToPath(new URL(`../../services/${service}/dist/bundle/dist/main.js`, import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [main, ...words], {
    env: { ...process.env, ...env, EXIT_WITH_PARENT: 'off' },
  });
  return stdout;
}
