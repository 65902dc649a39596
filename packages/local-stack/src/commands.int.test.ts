import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { freePort } from './ports.ts';

const ROOT = join(import.meta.dirname, '../../..');

function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'commands-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** Runs a command of the repository as its script in package.json does, without npm. */
function run(words: string, env: Readonly<Record<string, string>>) {
  const args = ['--conditions=source', '--import=tsx', ...words.split(' ')];
  const result = spawnSync(process.execPath, args, { cwd: ROOT, env: { ...process.env, ...env }, encoding: 'utf8' });
  return { status: result.status, lines: `${result.stdout}${result.stderr}`.split('\n').filter((line) => line !== '') };
}

describe('a command that talks to a running system', () => {
  it.each([
    ['verify', 3, 'packages/local-stack/src/verify/main.ts'],
    ['operate', 2, 'tools/operate.ts brokers list'],
    ['operate verify', 3, 'tools/operate.ts verify'],
    ['auction', 1, 'packages/local-stack/src/auction-main.ts'],
    ['procedure', 1, 'test/demo/main.ts'],
  ])('says in one line that there is none: npm run %s exits with %i', (_name, code, words) => {
    const folder = emptyFolder();
    expect(run(words, { DATA_DIR: folder })).toEqual({
      status: code,
      lines: [`No sandbox runs on ${folder}. Run npm start in another terminal; DATA_DIR names another folder.`],
    });
  });
});

describe('npm start', () => {
  const MAIN = 'packages/local-stack/src/main.ts';

  it.each([
    ['npm start', MAIN],
    ['npm run auction', 'packages/local-stack/src/auction-main.ts'],
  ])('answers --help without a build: %s', (name, main) => {
    // A build would say so first, and a start would need ports.
    const { status, lines } = run(`${main} --help`, { PORT: 'none' });
    expect([status, lines[0]]).toEqual([0, expect.stringMatching(new RegExp(`^${name} `))]);
    expect(lines.join('\n')).not.toContain('Building');
  });

  it('on a taken port prints one line that names a free one, before it builds or writes anything', async () => {
    const port = await freePort();
    const stranger: Server = createServer();
    await new Promise<void>((resolve) => stranger.listen(port, '127.0.0.1', resolve));
    onTestFinished(() => void stranger.close());
    const folder = emptyFolder();
    const { status, lines } = run(MAIN, { PORT: String(port), DATA_DIR: folder });
    expect(status).toBe(1);
    expect(lines).toEqual([
      expect.stringMatching(
        new RegExp(
          `^Port ${port} \\(gateway\\) is in use by another program\\. Stop that program, or choose free ports: PORT=\\d+ npm start$`,
        ),
      ),
    ]);
    expect(readdirSync(folder)).toEqual([]);
  });
});
