import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { freePorts, isListening, portFamily } from './ports.ts';
import { reachableDir } from './user.ts';

const ROOT = join(import.meta.dirname, '../../..');
/** Time-out of one condition. The start of the system takes minutes on a slow machine. */
const TIMEOUT_MS = 240_000;

// The real system, in one start: 8 s on two cores.
describe('npm run dev', () => {
  const home = mkdtempSync(join(tmpdir(), 'procurement-dev-'));
  let port: number;
  let supervisor: ChildProcess;
  let output = '';

  beforeAll(async () => {
    port = (await freePorts()).gateway;
    const args = ['--conditions=source', '--import=tsx', 'packages/local-stack/src/dev.ts'];
    supervisor = spawn(process.execPath, args, {
      cwd: ROOT,
      env: { ...process.env, DATA_DIR: join(home, 'data'), PORT: String(port) },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const onData = (chunk: Buffer): void => {
      output += chunk.toString('utf8');
    };
    supervisor.stdout?.on('data', onData);
    supervisor.stderr?.on('data', onData);
    await printed(/Ready after/);
  });

  afterAll(() => {
    supervisor.kill('SIGKILL');
    rmSync(reachableDir(join(home, 'data'), 'postgres'), { recursive: true, force: true });
    rmSync(home, { recursive: true, force: true });
  });

  async function printed(text: RegExp): Promise<void> {
    await vi.waitFor(() => expect(output).toMatch(text), { timeout: TIMEOUT_MS });
  }

  it('restarts the service whose file changed, and no other part, until Ctrl-C stops every process', async () => {
    const now = new Date();
    utimesSync(join(ROOT, 'services/bids/src/config.ts'), now, now);
    // Warnings of other services may stand between the two lines.
    await printed(/^services\/bids\/src\/config\.ts changed: restarting bids$/m);
    await printed(/^ +bids is ready after [\d.]+ s$/m);
    expect(output.match(/is ready after/g)).toHaveLength(1);
    expect((await fetch(`http://127.0.0.1:${port}/health`)).status).toBe(200);

    const exited = once(supervisor, 'exit');
    supervisor.kill('SIGINT');
    expect(await exited).toEqual([0, null]);
    const listening = await Promise.all(Object.values(portFamily(port)).map(isListening));
    expect(listening).not.toContain(true);
  });
});
