import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const PACKAGE = join(ROOT, 'packages/client');
const COMPILER_OPTIONS = '--noEmit --strict --module nodenext --target es2023 --skipLibCheck false'.split(' ');

describe('the published package', () => {
  let folder: string;

  // As a user has it: the packed files in node_modules of an empty project, without the workspaces of this repository.
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'client-package-'));
    const installed = join(folder, 'node_modules/@procurement/client');
    mkdirSync(installed, { recursive: true });
    const pack = ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder];
    const archive = execFileSync('npm', pack, { cwd: PACKAGE, encoding: 'utf8' }).trim();
    execFileSync('tar', ['-xzf', join(folder, archive), '-C', installed, '--strip-components=1']);
    writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  function compile(file: string, source: string, options: readonly string[]): void {
    writeFileSync(join(folder, file), source);
    execFileSync(join(ROOT, 'node_modules/.bin/tsc'), [...COMPILER_OPTIONS, ...options, file], { cwd: folder });
  }

  it('has the licence and no tests, and depends on nothing', () => {
    const installed = join(folder, 'node_modules/@procurement/client');
    const files = execFileSync('find', ['.', '-type', 'f'], { cwd: installed, encoding: 'utf8' }).split('\n');
    expect(files).toEqual(
      expect.arrayContaining(['./LICENSE', './README.md', './dist/client.js', './dist/client.d.ts']),
    );
    expect(files.filter((file) => file.includes('.test.') || file.includes('tsbuildinfo'))).toEqual([]);
    const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
    expect([manifest.private, manifest.publishConfig.provenance]).toEqual([undefined, true]);
  });

  it('compiles in a browser project without types of Node, and bundles without modules of Node', async () => {
    const source = `import { createClient } from '@procurement/client';
export const client = createClient({ url: 'https://api.example.org' });
export const title: Promise<string> = client.tender('x').get().then((tender) => tender.title);`;
    compile('page.ts', source, ['--lib', 'es2023,dom,dom.iterable,dom.asynciterable', '--types', '']);
    const bundle = await build({
      entryPoints: [join(folder, 'page.ts')],
      bundle: true,
      minify: true,
      format: 'esm',
      platform: 'browser',
      write: false,
    });
    expect(bundle.outputFiles[0]?.contents.byteLength).toBeLessThan(20_000);
  });
});
