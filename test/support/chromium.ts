import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';
import { installSystemPackage } from './system-package.ts';

const PATHS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Arguments that keep Chromium quiet without a network, and small enough for a container (platform.md 6). */
const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-dev-shm-usage',
];

/**
 * Path of the Chromium of this machine: $CHROMIUM_BIN, one of the usual paths, or the package of the system, which is installed when the
 * tests run as root. Undefined: none. In CI there must be one.
 */
export function findChromium(env: NodeJS.ProcessEnv = process.env): string | undefined {
  const configured = env['CHROMIUM_BIN'];
  if (configured !== undefined && configured !== '') return configured;
  const found = PATHS.find(existsSync) ?? installed();
  if (found !== undefined) return found;
  const message = 'no Chromium is on this machine for the tests in a browser; install it, or set CHROMIUM_BIN';
  if (env['CI'] === 'true') throw new Error(message);
  process.stdout.write(`${message}\n`);
  return undefined;
}

function installed(): string | undefined {
  installSystemPackage('chromium');
  return PATHS.find(existsSync);
}

/** Time limit for everything that a test waits for in a page. It only ends what never comes. The default is 30 s. */
export const PAGE_WAIT_MS = 120_000;

/** Starts Chromium. `more` are arguments beside those that every use needs. */
export async function startBrowser(executablePath: string, more: readonly string[] = []): Promise<Browser> {
  return chromium.launch({ executablePath, args: [...ARGUMENTS, ...more], timeout: PAGE_WAIT_MS });
}
