import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Profiles } from './profiles.ts';

const ID = 'a'.repeat(32);

describe('Profiles', () => {
  let folder: string;
  let profiles: Profiles;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'profiles-'));
    profiles = new Profiles({ PROCUREMENT_CONFIG: folder });
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('uses the last one that was added, the one that is named, or that of the environment', () => {
    profiles.add('one', { url: 'http://one', key: 'k1' });
    profiles.add('two', { url: 'http://two' });
    expect(profiles.selected(undefined)).toEqual({ name: 'two', url: 'http://two' });
    expect(profiles.selected('one')).toEqual({ name: 'one', url: 'http://one', key: 'k1' });
    profiles.use('one');
    expect(profiles.selected(undefined).name).toBe('one');
    const env = { PROCUREMENT_CONFIG: folder, PROCUREMENT_URL: 'http://env', PROCUREMENT_KEY: 'k' };
    expect(new Profiles(env).selected(undefined)).toEqual({ name: 'environment', url: 'http://env', key: 'k' });
    expect(new Profiles(env).selected('one').url).toBe('http://one');
  });

  it('removes a profile and keeps its tokens', async () => {
    profiles.add('one', { url: 'http://one' });
    await profiles.tokens('one').set(ID, { token: 't' });
    profiles.remove('one');
    expect(() => profiles.selected(undefined)).toThrow('there is no profile');
    expect(await profiles.tokens('one').get(ID)).toEqual({ token: 't' });
  });

  it.each(['../x', 'A', '', 'a/b'])('refuses the name %j', (name) => {
    expect(() => profiles.add(name, { url: 'http://one' })).toThrow('a name has');
  });

  it('has a private file for each token, so that two commands at once lose none', async () => {
    const [one, other] = [profiles.tokens('p'), new Profiles({ PROCUREMENT_CONFIG: folder }).tokens('p')];
    await one.set(ID, { token: 't', transfer: 'x' });
    await other.set('b'.repeat(32), { token: 'u' });
    expect([await other.get(ID), await one.get('b'.repeat(32))]).toEqual([
      { token: 't', transfer: 'x' },
      { token: 'u' },
    ]);
    const files = readdirSync(join(folder, 'tokens/p'));
    expect(files).toHaveLength(2);
    for (const file of files) expect(statSync(join(folder, 'tokens/p', file)).mode & 0o777).toBe(0o600);
  });

  it('writes no file for an id that is none', async () => {
    await profiles.tokens('p').set('../../escaped', { token: 't' });
    expect(existsSync(join(folder, '..', 'escaped.json'))).toBe(false);
    expect(await profiles.tokens('p').get('../../escaped')).toBeUndefined();
  });
});
