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

describe('a data folder of a release with one password for all roles', () => {
  it('gets a password for each role, at once and for good', async () => {
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
    const earlier = await startPostgres({ ...base, password: 'shared' });
    await ensureDatabases(earlier, { bids: 'shared', awards: 'shared' });
    await earlier.stop();
    // The second start is one after a kill between the change of the superuser and that of the roles.
    for (const formerPassword of ['shared', 'shared', undefined]) {
      const now = await startPostgres({ ...base, password: 'superuser', formerPassword });
      await ensureDatabases(now, { bids: 'of bids', awards: 'of awards' });
      expect(await canConnect('bids', 'of bids', 'bids')).toBe(true);
      expect(await canConnect('bids', 'shared', 'bids')).toBe(false);
      expect(await canConnect('bids', 'of bids', 'awards')).toBe(false);
      expect(await canConnect('postgres', 'superuser', 'postgres')).toBe(true);
      expect(await canConnect('postgres', 'shared', 'postgres')).toBe(false);
      await now.stop();
    }
  });
});

describe('the folder of a stack', () => {
  it('is closed to others, also if an earlier release left it open', () => {
    const open = join(home, 'open');
    makeHomeFolder(open);
    writeFileSync(join(open, 'postgres.log'), '', { mode: 0o644 });
    // No right to read: nobody else can list it.
    expect(statSync(open).mode & 0o066).toBe(0);
    expect(readdirSync(open)).toEqual(['postgres.log']);
  });
});
