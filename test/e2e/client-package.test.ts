import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const PACKAGE = join(ROOT, 'packages/client');
/** The compiler of this repository, and the oldest one that the README names: a dependency of the tests. */
const COMPILERS = [join(ROOT, 'node_modules/typescript'), join(ROOT, 'test/node_modules/typescript')];
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

  /** What the compiler says: nothing when all is right. */
  function runCompiler(compiler: string, file: string, options: readonly string[]): string {
    const args = [join(compiler, 'bin/tsc'), ...COMPILER_OPTIONS, ...options, file];
    const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
    return stdout + stderr;
  }

  it('names the oldest compiler that the tests use', () => {
    const versions = COMPILERS.map((path) => JSON.parse(readFileSync(join(path, 'package.json'), 'utf8')).version);
    const [, named = ''] =
      /TypeScript (\d+\.\d+) or newer/.exec(readFileSync(join(PACKAGE, 'README.md'), 'utf8')) ?? [];
    expect(versions.map((version) => version.startsWith(`${named}.`))).toEqual([false, true]);
  });

  it.each(COMPILERS)('compiles in a Node project with every type checked: %s', (compiler) => {
    const types = join(folder, 'node_modules/@types/node');
    if (!existsSync(types)) {
      mkdirSync(join(folder, 'node_modules/@types'));
      symlinkSync(join(ROOT, 'node_modules/@types/node'), types);
      symlinkSync(join(ROOT, 'node_modules/undici-types'), join(folder, 'node_modules/undici-types'));
    }
    const source = `import { createClient, isProblem, type TenderInput } from '@procurement/client';
import { openFile } from '@procurement/client/node';
const client = createClient({ url: 'https://api.example.org', key: 'key' });
export async function run(input: TenderInput): Promise<void> {
  const { id } = await client.createTender(input);
  const { auctionPeriod } = await client.tender(id).get();
  console.log(auctionPeriod?.startDate);
  await client.tender(id).documents.upload(await openFile('a.txt'));
  for await (const { entry } of client.feed({ fields: ['status'] })) console.log(entry.id);
  for await (const { tenderID } of client.search({ q: 'paint' })) console.log(tenderID);
  await client.uploadFile({ name: 'b.txt', content: new Uint8Array([1]) }).catch((error: unknown) => {
    if (isProblem(error)) console.log(error.faults.map(({ path }) => path));
  });
}`;
    writeFileSync(join(folder, 'program.ts'), source);
    expect(runCompiler(compiler, 'program.ts', ['--lib', 'es2023', '--types', 'node'])).toBe('');
  });

  it('compiles a PATCH with the statuses that owners can set, and no other', () => {
    const accepted = [
      "patch({ status: 'active.enquiries' })",
      "award('a').patch({ status: 'unsuccessful' })",
      "bid('b').patch({ status: 'active' })",
      "cancellation('c').patch({ status: 'active' })",
      "complaint('c').patch({ status: 'answered' })",
      "contract('c').patch({ status: 'active' })",
    ];
    const refused = [
      "patch({ status: 'complete' })",
      "lot('l').patch({ status: 'cancelled' })",
      "award('a').patch({ status: 'pending' })",
      "bid('b').patch({ status: 'draft' })",
      "cancellation('c').patch({ status: 'pending' })",
      "complaint('c').patch({ status: 'declined' })",
      "contract('c').patch({ status: 'terminated' })",
    ];
    const acceptedOfContracts = ["patch({ status: 'terminated' })", "change('g').patch({ status: 'active' })"];
    const refusedOfContracts = ["patch({ status: 'cancelled' })", "change('g').patch({ status: 'pending' })"];
    const source = `import { createClient } from '@procurement/client';
const client = createClient({ url: 'https://api.example.org' });
const tender = client.tender('x');
const contract = client.contract('x');
${accepted.map((change) => `void tender.${change};`).join('\n')}
${acceptedOfContracts.map((change) => `void contract.${change};`).join('\n')}
${refused.map((change) => `// @ts-expect-error\nvoid tender.${change};`).join('\n')}
${refusedOfContracts.map((change) => `// @ts-expect-error\nvoid contract.${change};`).join('\n')}`;
    writeFileSync(join(folder, 'statuses.ts'), source);
    expect(
      runCompiler(COMPILERS[0] ?? '', 'statuses.ts', [
        '--lib',
        'es2023,dom,dom.iterable,dom.asynciterable',
        '--typeRoots',
        'none',
      ]),
    ).toBe('');
  });

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
export const title: Promise<string | undefined> = client.tender('x').get().then((tender) => tender.title);`;
    writeFileSync(join(folder, 'page.ts'), source);
    const libraries = ['--lib', 'es2023,dom,dom.iterable,dom.asynciterable', '--typeRoots', 'none'];
    for (const compiler of COMPILERS) expect(runCompiler(compiler, 'page.ts', libraries)).toBe('');
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
