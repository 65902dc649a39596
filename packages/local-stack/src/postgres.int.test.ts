import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, describe, expect, it } from 'vitest';
import { freePort } from './ports.ts';
import { startPostgres } from './postgres.ts';

const folder = mkdtempSync(join(tmpdir(), 'procurement-killed-'));
// Under root the server runs as another user, who has to enter this folder.
chmodSync(folder, 0o755);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('startPostgres', () => {
  it('starts again after a kill when the last session of the killed server has ended', async () => {
    const logFile = join(folder, 'postgres.log');
    const options = {
      dataDir: join(folder, 'data'),
      port: await freePort(),
      password: 'test',
      logFile,
      durable: false,
    };
    const killed = await startPostgres(options);
    const client = new pg.Client({ connectionString: killed.urlOf('postgres') });
    client.on('error', () => undefined);
    await client.connect();
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    const pid = rows[0]?.pid ?? 0;
    process.kill(pid, 'SIGSTOP');
    await killed.child.stop('SIGKILL');
    const starting = startPostgres(options);
    await expect.poll(() => readFileSync(logFile, 'utf8')).toContain('pre-existing shared memory block');
    process.kill(pid, 'SIGCONT');
    const server = await starting;
    expect(await server.version()).toMatch(/^\d/);
    await server.stop();
  });
});
