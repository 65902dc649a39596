import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isRunningProgram } from './pid-file.ts';

/** Where `npm start` and `npm run dev` keep data, logs and secrets. */
export const DATA_DIR = resolve(process.env['DATA_DIR'] ?? fileURLToPath(new URL('../../../.local', import.meta.url)));

/** What runs on a data folder: `npm start` or `npm run dev`. */
export interface Sandbox {
  /** Id of the process that started it. */
  readonly pid: number;
  readonly gatewayPort: number;
}

const PROGRAM = 'packages/local-stack/';

function fileIn(dataDir: string): string {
  return join(dataDir, 'sandbox.json');
}

/** Says in the data folder that this process runs a sandbox there. Its commands find it by that. */
export function recordSandbox(sandbox: Sandbox, dataDir = DATA_DIR): void {
  writeFileSync(fileIn(dataDir), JSON.stringify(sandbox));
}

/** The sandbox that runs on a data folder, or is starting there. Undefined when there is none. */
export function runningSandbox(dataDir = DATA_DIR, isRunning = isRunningProgram): Sandbox | undefined {
  if (!existsSync(fileIn(dataDir))) return undefined;
  const sandbox = parsed(readFileSync(fileIn(dataDir), 'utf8'));
  return sandbox !== undefined && isRunning(sandbox.pid, PROGRAM) ? sandbox : undefined;
}

/** Undefined for the file of a start that was killed while it wrote. */
function parsed(text: string): Sandbox | undefined {
  try {
    // Only the code above writes this file.
    return JSON.parse(text) as Sandbox;
  } catch {
    return undefined;
  }
}

/** A command has no system to talk to. Its message is one line. */
export class NoSandboxError extends Error {
  override readonly name = 'NoSandboxError';

  constructor(dataDir: string) {
    super(`No sandbox runs on ${dataDir}. Run npm start in another terminal; DATA_DIR names another folder.`);
  }
}

/** The sandbox that runs on a data folder. Throws a NoSandboxError. */
export function requireSandbox(dataDir = DATA_DIR, isRunning = isRunningProgram): Sandbox {
  const sandbox = runningSandbox(dataDir, isRunning);
  if (sandbox === undefined) throw new NoSandboxError(dataDir);
  return sandbox;
}
