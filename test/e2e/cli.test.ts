import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { environmentIn, runIn, writeProgram, type Ended } from '../support/procurement-program.ts';
import { minimalTender } from '../support/request-bodies.ts';

const url = inject('gatewayUrl');

describe('the command line', () => {
  let folder: string;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'cli-'));
    writeProgram(folder);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  async function run(args: readonly string[], stdin = '', env: Record<string, string> = {}): Promise<Ended> {
    return runIn(folder, ['procurement', ...args], { stdin, env });
  }

  const withKey = (key: string) => ({ PROCUREMENT_URL: url, PROCUREMENT_KEY: key });

  it('keeps keys and tokens in files of their user only, and refuses a file that others can read', async () => {
    expect((await run(['key', 'add', 'seller', '--url', url], 'broker2')).code).toBe(0);
    const listed = await run(['key', 'list']);
    expect(listed.out).toMatch(/\* +seller +http/);
    expect(listed.out).not.toContain('broker2');
    await run(['tender', 'create', '-'], JSON.stringify(minimalTender()));
    const profiles = join(folder, '.config/procurement/profiles.json');
    expect([profiles, join(profiles, '..')].map((path) => (statSync(path).mode & 0o777).toString(8))).toEqual([
      '600',
      '700',
    ]);
    chmodSync(profiles, 0o644);
    const refused = await run(['key', 'list']);
    chmodSync(profiles, 0o600);
    expect([refused.code, refused.out]).toEqual([2, '']);
    expect(refused.notes).toContain('chmod 600');
  });

  it('goes on with the feed where the last run stopped', async () => {
    const again = ['feed', 'follow', '--once', '--mode', '_all_', '--state', 'feed.position', '--json'];
    const rows = new Set<string>();
    /** The rows that a run prints: none that an earlier one has printed. */
    const newRows = async (): Promise<readonly { readonly id: string }[]> => {
      const { code, out, notes } = await run(again);
      expect([code, notes]).toEqual([0, '']);
      const lines = out.split('\n').filter((line) => line !== '');
      expect(lines.filter((line) => rows.has(line))).toEqual([]);
      for (const line of lines) rows.add(line);
      return lines.map((line) => JSON.parse(line));
    };
    expect(await newRows()).not.toEqual([]);
    // Tenders of other tests may change between two runs.
    await newRows();
    const created = await run(
      ['tender', 'create', '-', '--quiet'],
      JSON.stringify({ data: minimalTender() }),
      withKey('broker1'),
    );
    const isCreated = ({ id }: { readonly id: string }): boolean => id === created.out.trim();
    expect((await newRows()).filter(isCreated)).toHaveLength(1);
    expect((await newRows()).filter(isCreated)).toEqual([]);
  });

  it('watches a tender by the stream until it has ended', async () => {
    const env = withKey('broker1');
    const { out: id } = await run(['tender', 'create', '-', '--quiet'], JSON.stringify(minimalTender()), env);
    const path = `/tenders/${id.trim()}/cancellations`;
    const cancelled = { reason: 'No money', status: 'active' };
    // The test would end before a poll.
    const args = ['tender', 'watch', id.trim(), '--poll', '86400'];
    const child = spawn(join(folder, 'procurement'), args, { cwd: folder, env: { ...environmentIn(folder), ...env } });
    const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
    expect((await lines.next()).value).toContain('active.enquiries');
    expect((await run(['send', 'POST', path, '-'], JSON.stringify(cancelled), env)).code).toBe(0);
    const rest: string[] = [];
    for await (const line of { [Symbol.asyncIterator]: () => lines }) rest.push(line);
    expect(rest.at(-1)).toContain('cancelled');
    expect(child.exitCode ?? (await once(child, 'exit'))[0]).toBe(0);
  });

  it.each([
    ['a tender that does not exist', ['tender', 'get', '0'.repeat(32)], '', 4],
    ['a body that is invalid', ['tender', 'create', '-'], '{"title": "x"}', 5],
    ['a body that is not JSON', ['tender', 'create', '-'], 'title', 2],
    ['an unknown command', ['tenders'], '', 2],
    ['a file that does not exist', ['document', 'upload', '0'.repeat(32), 'nowhere'], '', 2],
  ])('ends for %s with its exit code', async (_what, args, stdin, code) => {
    const ended = await run(args, stdin, withKey('broker1'));
    expect([ended.code, ended.out]).toEqual([code, '']);
    expect(ended.notes).not.toBe('');
  });

  it('ends with 3 for an unknown key, and prints no key', async () => {
    const ended = await run(['tender', 'create', '-'], JSON.stringify(minimalTender()), withKey('wrong-key'));
    expect(ended.code).toBe(3);
    expect(ended.notes).not.toContain('wrong-key');
  });

  it('completes commands, options and names of profiles in bash', async () => {
    expect((await run(['key', 'add', 'completed', '--url', url], 'broker2')).code).toBe(0);
    const script = `source <(procurement completion bash)
      complete_line() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _procurement; echo "\${COMPREPLY[@]}"; }
      complete_line procurement tender ''
      complete_line procurement --profile compl
      complete_line procurement key use compl`;
    const [words = '', ...names] = (await runIn(folder, ['bash', '-c', script])).out.trim().split('\n');
    expect(words.split(' ')).toEqual(expect.arrayContaining(['create', 'get', 'watch', '--json']));
    expect(names).toEqual(['completed', 'completed']);
  });
});
