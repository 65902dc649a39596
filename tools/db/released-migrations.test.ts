import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { newestRelease } from './released-migrations.ts';

const OF_BIDS = 'services/bids/prisma/migrations/0_init/migration.sql';
const OF_KIT = 'packages/kit/prisma/kit-migrations/0_init/migration.sql';
let root: string;

function git(...args: readonly string[]): void {
  const settings = ['user.name=test', 'user.email=test@example.org', 'commit.gpgsign=false', 'tag.gpgsign=false'];
  execFileSync('git', [...settings.flatMap((setting) => ['-c', setting]), ...args], { cwd: root, stdio: 'ignore' });
}

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

function commit(): void {
  git('add', '--all');
  git('commit', '--message', 'area: change something');
}

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'released-'));
  git('init');
  write(OF_BIDS, 'CREATE TABLE bid ();');
  write(OF_KIT, 'CREATE TABLE outbox ();');
  write('services/bids/prisma/schema.sql', '');
  commit();
});
afterEach(() => rmSync(root, { recursive: true }));

describe('the newest release', () => {
  it('is none before the first tag', () => {
    expect(newestRelease(root)).toBeUndefined();
  });

  it('has the migrations of its tag, and accepts what was added since', () => {
    git('tag', 'v0.9.0');
    git('tag', 'v0.10.0');
    write('services/bids/prisma/migrations/20270101000000_more/migration.sql', 'SELECT 1;');
    write('services/bids/prisma/schema.sql', 'SELECT 1;');
    commit();
    expect(newestRelease(root)).toEqual({ tag: 'v0.10.0', migrations: new Set([OF_KIT, OF_BIDS]), edited: [] });
  });

  it('names a migration that was edited since, committed or not, and one that was removed', () => {
    git('tag', '--annotate', 'v0.1.0', '--message', 'first');
    write(OF_BIDS, 'CREATE TABLE bid (id text);');
    commit();
    expect(newestRelease(root)?.edited).toEqual([OF_BIDS]);
    rmSync(join(root, OF_KIT));
    expect(newestRelease(root)?.edited).toEqual([OF_KIT, OF_BIDS]);
  });

  it('is unknown in a clone without history', () => {
    const clone = mkdtempSync(join(tmpdir(), 'released-'));
    execFileSync('git', ['clone', '--depth', '1', pathToFileURL(root).href, clone], { stdio: 'ignore' });
    expect(() => newestRelease(clone)).toThrow('no history');
    rmSync(clone, { recursive: true });
  });
});
