import { freePorts, portsInUse, type Ports } from '@procurement/local-stack/ports';
import { startStack } from '@procurement/local-stack/stack';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { spawnSync, type SpawnSyncReturns } from 'node:child_process';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

async function expectNothingRuns(ports: Ports): Promise<void> {
  expect(await portsInUse(ports)).toEqual([]);
}

describe('a failed start leaves no process', () => {
  it('when it is aborted', async () => {
    const ports = await freePorts();
    const stopping = new AbortController();
    const progress = (line: string): void => {
      if (line.startsWith('postgres')) stopping.abort();
    };
    await expect(startStack({ ports, progress, durable: false, signal: stopping.signal })).rejects.toThrow(
      'This operation was aborted',
    );
    await expectNothingRuns(ports);
  });

  it('when a service cannot start, and names the service and its error', async () => {
    const ports = await freePorts();
    const start = startStack({ ports, durable: false, env: { LOG_LEVEL: 'nonsense' } });
    await expect(start).rejects.toThrow(/did not start: LOG_LEVEL/);
    await expectNothingRuns(ports);
  });

  it.each(['gateway', 'postgres', 'nats'] as const)('when the port of %s is taken, and names it', async (name) => {
    const ports = await freePorts();
    const stranger = createServer();
    await new Promise<void>((resolve) => stranger.listen(ports[name], '127.0.0.1', resolve));
    await expect(startStack({ ports, durable: false })).rejects.toThrow(`Port ${ports[name]} (${name}) is in use`);
    await new Promise((resolve) => stranger.close(resolve));
    await expectNothingRuns(ports);
  });
});

/** Runs a service as its image does: `node dist/main.js <words>`. */
function run(env: Readonly<Record<string, string>>, ...words: readonly string[]): SpawnSyncReturns<string> {
  const main = fileURLToPath(new URL('../../services/bids/dist/bundle/dist/main.js', import.meta.url));
  return spawnSync(process.execPath, [main, ...words], { env, encoding: 'utf8', timeout: 240_000 });
}

describe('a service with settings that it cannot use', () => {
  it('prints all of them and no value, and exits with 78', () => {
    const { status, stderr } = run({ DATABASE_URL: 'postgresql://bids@127.0.0.1/bids', NATS_USER: 'not a user' });
    expect(status).toBe(78);
    expect(stderr.split('\n').map((line) => line.trim().split(':')[0])).toEqual([
      'The configuration is not usable',
      'NATS_URL',
      'NATS_USER',
      'IDENTITY_PUBLIC_KEYS',
      '',
    ]);
    expect(stderr).not.toContain('not a user');
  });
});

/** What the build does for one program (`npm run build`), with sources that have changed. */
function rebuild(program: string): void {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const { status, stderr } = spawnSync('npx', ['tsx', 'tools/bundle.ts', '--local', program], {
    cwd: root,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
}

describe('a build beside a running system', () => {
  it('leaves it the programs with which it was started, also for what starts again', async () => {
    const stack = await startStack({ durable: false });
    try {
      const before = readProgram(stack.parts.bids.pid());
      rebuild('bids');
      expect(existsSync(before.file)).toBe(true);
      await stack.parts.bids.kill('SIGKILL');
      await stack.parts.bids.start();
      expect(readProgram(stack.parts.bids.pid())).toEqual(before);
      const answer = await fetch(`${stack.gatewayUrl}/api/2.5/tenders/${'0'.repeat(32)}/bids`);
      expect(answer.status).toBe(404);
    } finally {
      await stack.stop();
    }
  });

  /** The file of a program that runs, and when it was written. */
  function readProgram(pid: number): { readonly file: string; readonly writtenMs: number } {
    const file =
      readFileSync(`/proc/${pid}/cmdline`, 'utf8')
        .split('\0')
        .find((word) => word.endsWith('main.js')) ?? '';
    return { file, writtenMs: statSync(file).mtimeMs };
  }
});

/** Paths below a folder that other users can read, reached through folders that they can enter. */
function readableByOthers(folder: string): string[] {
  if ((statSync(folder).mode & 0o011) === 0) return [];
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    const own = (statSync(path).mode & 0o044) === 0 ? [] : [path];
    return entry.isDirectory() ? [...own, ...readableByOthers(path)] : own;
  });
}

describe('the data folder', () => {
  it('is closed to other users, also if it was open', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'procurement-open-'));
    mkdirSync(join(dataDir, 'logs'), { mode: 0o755 });
    writeFileSync(join(dataDir, 'logs/bids.log'), '', { mode: 0o644 });
    const stack = await startStack({ dataDir, durable: false });
    try {
      expect(readableByOthers(dataDir).filter((path) => !path.endsWith('.pid'))).toEqual([]);
      expect((await fetch(`${stack.gatewayUrl}/health`)).status).toBe(200);
      // The job before a roll-out, while the service runs.
      const { env } = stack.serviceOptions('bids');
      expect(run(env, 'migrate')).toMatchObject({ status: 0, stdout: 'nothing to migrate\n' });
    } finally {
      await stack.stop();
      rmSync(dataDir, { recursive: true, force: true });
    }
  });
});
