import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, describe, expect, it } from 'vitest';
import { freePorts } from './ports.ts';
import { makeHomeFolder } from './private-folder.ts';
import { ensureDatabases, startPostgres } from './postgres.ts';

const home = mkdtempSync(join(tmpdir(), 'procurement-passwords-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));

describe('the roles of a data folder', () => {
  it('have a password each, which opens one database', async () => {
    makeHomeFolder(home);
    const { postgres: port } = await freePorts();
    const base = { dataDir: join(home, 'postgres'), port, logFile: join(home, 'postgres.log'), durable: false };
    const canConnect = async (role: string, password: string, database: string): Promise<boolean> => {
      const client = new pg.Client({ host: '127.0.0.1', port, user: role, password, database });
      return client.connect().then(
        async () => client.end().then(() => true),
        () => false,
      );
    };
    // The second start finds the roles and databases.
    for (let start = 1; start <= 2; start += 1) {
      const now = await startPostgres({ ...base, password: 'superuser' });
      await ensureDatabases(now, { bids: 'of bids', awards: 'of awards' });
      expect(await canConnect('bids', 'of bids', 'bids')).toBe(true);
      expect(await canConnect('bids', 'of awards', 'bids')).toBe(false);
      expect(await canConnect('bids', 'of bids', 'awards')).toBe(false);
      expect(await canConnect('postgres', 'superuser', 'postgres')).toBe(true);
      await now.stop();
    }
    await expect(startPostgres({ ...base, password: 'another' })).rejects.toThrow('password authentication failed');
  });
});

describe('the folder of a stack', () => {
  it('is closed to others, also if it was open', () => {
    const open = join(home, 'open');
    makeHomeFolder(open);
    writeFileSync(join(open, 'postgres.log'), '', { mode: 0o644 });
    // No right to read: nobody else can list it.
    expect(statSync(open).mode & 0o066).toBe(0);
    expect(readdirSync(open)).toEqual(['postgres.log']);
  });
});
