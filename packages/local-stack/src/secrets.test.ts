import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { SERVICES } from './ports.ts';
import { loadOrCreateSecrets } from './secrets.ts';

const folder = mkdtempSync(join(tmpdir(), 'procurement-secrets-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('loadOrCreateSecrets', () => {
  it('creates them once, readable by their owner only', async () => {
    const dir = join(folder, 'secrets');
    const created = await loadOrCreateSecrets(dir);
    expect(await loadOrCreateSecrets(dir)).toEqual(created);
    const { databasePasswords, natsPasswords, identityKeys, auctionRoom, ...others } = created;
    const all = [databasePasswords, natsPasswords, identityKeys, auctionRoom, others].flatMap((group) =>
      Object.values<unknown>(group),
    );
    expect(new Set(all).size).toBe(all.length);
    expect(Object.keys(databasePasswords).toSorted()).toEqual(['postgres', ...SERVICES].toSorted());
    expect(statSync(join(dir, 'secrets.json')).mode & 0o777).toBe(0o600);
  });

  it('refuses a damaged file and does not replace it', async () => {
    const dir = join(folder, 'damaged');
    mkdirSync(dir);
    writeFileSync(join(dir, 'secrets.json'), '{"identity":');
    await expect(loadOrCreateSecrets(dir)).rejects.toThrow('is damaged');
    expect(readFileSync(join(dir, 'secrets.json'), 'utf8')).toBe('{"identity":');
  });
});
