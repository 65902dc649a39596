import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freeFamily } from '@procurement/local-stack/ports';
import { runningSandbox } from '@procurement/local-stack/sandbox';
import { waitFor } from '@procurement/testing/wait-for';
import { ROOT } from './deploy/repository.ts';

const FIRST_PORT = 18_080;
const START_MS_MAX = 300_000;

/** Acts on the sandbox that runs, or on one of its own, which it stops afterwards. `url` is the address of the gateway. */
export async function onSandbox<T>(act: (url: string) => Promise<T>): Promise<T> {
  const sandbox = runningSandbox();
  return sandbox === undefined ? onOwnSandbox(act) : act(`http://127.0.0.1:${sandbox.gatewayPort}`);
}

async function onOwnSandbox<T>(act: (url: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'procurement-sandbox-'));
  const port = await freeFamily(FIRST_PORT);
  const url = `http://127.0.0.1:${port}`;
  const child = startSandbox(folder, port);
  try {
    await waitFor(async () => child.exitCode !== null || (await isReady(url)), {
      what: 'the sandbox',
      timeoutMs: START_MS_MAX,
    });
    if (child.exitCode !== null) throw new Error(`the sandbox ended with ${child.exitCode}`);
    return await act(url);
  } finally {
    await stop(child);
    rmSync(folder, { recursive: true, force: true });
  }
}

function startSandbox(folder: string, port: number): ChildProcess {
  console.log('no sandbox runs: starting one');
  return spawn(process.execPath, ['--conditions=source', '--import=tsx', 'packages/local-stack/src/main.ts'], {
    cwd: ROOT,
    env: { ...process.env, DATA_DIR: folder, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

async function isReady(url: string): Promise<boolean> {
  return (await fetch(`${url}/health`).catch(() => undefined))?.ok === true;
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGINT');
  await ended;
}
