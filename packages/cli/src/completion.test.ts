import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runProgram } from './program.ts';

describe('completion', () => {
  let folder: string;

  async function run(args: readonly string[]): Promise<readonly string[]> {
    const printed: string[] = [];
    const code = await runProgram(args, {
      env: { PROCUREMENT_CONFIG: folder },
      signal: new AbortController().signal,
      readInput: async () => 'key-of-a-broker',
      output: { print: (text) => printed.push(text), note: (text) => printed.push(text), progress: undefined },
    });
    expect(code).toBe(0);
    return printed.join('\n').split('\n');
  }

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'completion-'));
    for (const name of ['buyer', 'tender']) await run(['key', 'add', name, '--url', 'https://api.example.org']);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const complete = async (...typed: readonly string[]) => run(['complete', '--', ...typed]);

  it.each([
    ['--profile', ['buyer', 'tender']],
    ['key use x --profile', ['buyer', 'tender']],
    ['tender get --profile =', ['buyer', 'tender']],
    ['feed follow --mode', ['test', '_all_']],
    ['clock move x --to', ['next_check']],
    ['feed follow --state', ['']],
  ])('gives the values of an option and nothing else: %s', async (typed, values) => {
    expect(await complete(...typed.split(' '))).toEqual(values);
  });

  it.each([
    ['key use', ['buyer', 'tender', '--json']],
    ['key remove', ['buyer', 'tender', '--json']],
    ['completion', ['bash', 'zsh', 'fish', '--json']],
    ['', ['key', 'tender', 'feed', '--profile']],
    ['--profile tender', ['key', 'tender', 'feed', '--profile']],
    ['--profile tender tender', ['create', 'get', 'watch']],
    ['tender watch', ['--poll', '--profile']],
  ])('gives arguments, commands and options: %s', async (typed, words) => {
    expect(await complete(...typed.split(' ').filter(Boolean))).toEqual(expect.arrayContaining(words));
  });

  it('gives a name to an argument once, and none for a new profile', async () => {
    for (const typed of [
      ['key', 'use', 'buyer'],
      ['key', 'add'],
    ])
      expect(await complete(...typed)).not.toContain('buyer');
  });

  it('prints no key, and nothing about a file that it cannot use', async () => {
    expect((await complete('--profile')).join(' ')).not.toContain('key-of-a-broker');
    const path = join(folder, 'profiles.json');
    chmodSync(path, 0o644);
    expect(await complete('--profile')).toEqual(['']);
    chmodSync(path, 0o600);
  });
});
