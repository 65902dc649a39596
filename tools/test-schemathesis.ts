import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freeFamily } from '@procurement/local-stack/ports';
import { runningSandbox } from '@procurement/local-stack/sandbox';
import { waitFor } from '@procurement/testing/wait-for';

// `npm run test:schemathesis [-- options of schemathesis run]`: requests that schemathesis makes of the OpenAPI document of segment
// 2.5, to the running sandbox or one of its own. Optional: without Python's schemathesis it says so and ends with 0.
const ROOT = join(import.meta.dirname, '..');
const OWN = join(ROOT, '.local/schemathesis/bin/schemathesis');
const PROGRAM = process.env['SCHEMATHESIS'] ?? (existsSync(OWN) ? OWN : 'schemathesis');
const SECONDS = '600';
const FIRST_PORT = 18_080;
const START_MS_MAX = 300_000;

const SKIPPED = `skipped: schemathesis is missing. Once:
  python3 -m venv .local/schemathesis && .local/schemathesis/bin/pip install schemathesis==4.32.5
Another one: SCHEMATHESIS=<path>`;

const ALLOWANCES = join(import.meta.dirname, 'schemathesis.toml');
const OPTIONS = ['--checks', 'all', '--max-time', SECONDS, '--request-timeout', '10', '--auth', 'broker1:'];

function startSandbox(folder: string, port: number): ChildProcess {
  console.log('no sandbox runs: starting one');
  return spawn(process.execPath, ['--conditions=source', '--import=tsx', 'packages/local-stack/src/main.ts'], {
    cwd: ROOT,
    env: { ...process.env, DATA_DIR: folder, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

async function isReady(port: number): Promise<boolean> {
  return (await fetch(`http://127.0.0.1:${port}/health`).catch(() => undefined))?.ok === true;
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGINT');
  await ended;
}

function run(port: number): number {
  const document = `http://127.0.0.1:${port}/api/2.5/openapi.json`;
  const words = ['--config-file', ALLOWANCES, 'run', document, ...OPTIONS, ...process.argv.slice(2)];
  return spawnSync(PROGRAM, words, { cwd: tmpdir(), stdio: 'inherit' }).status ?? 1;
}

async function runOnOwnSandbox(): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'procurement-schemathesis-'));
  const port = await freeFamily(FIRST_PORT);
  const child = startSandbox(folder, port);
  try {
    await waitFor(async () => child.exitCode !== null || (await isReady(port)), {
      what: 'the sandbox',
      timeoutMs: START_MS_MAX,
    });
    if (child.exitCode !== null) throw new Error(`the sandbox ended with ${child.exitCode}`);
    return run(port);
  } finally {
    await stop(child);
    rmSync(folder, { recursive: true, force: true });
  }
}

if (spawnSync(PROGRAM, ['--version'], { stdio: 'ignore' }).status === 0) {
  const sandbox = runningSandbox();
  process.exitCode = sandbox === undefined ? await runOnOwnSandbox() : run(sandbox.gatewayPort);
} else console.log(SKIPPED);
