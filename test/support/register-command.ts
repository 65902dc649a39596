import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Stack } from '@procurement/local-stack/stack';

/** Runs a command of the register beside the service. Returns what it prints. */
export async function registerCommand(stack: Stack, ...words: readonly string[]): Promise<string> {
  const { env } = stack.serviceOptions('register');
  const main = fileURLToPath(new URL('../../services/register/dist/bundle/dist/main.js', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [main, ...words], {
    env: { ...process.env, ...env, EXIT_WITH_PARENT: 'off' },
  });
  return stdout;
}
