import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { parseCodeBlocks, writeModule, runnable, writeScript } from '../support/code-blocks.ts';
import { CLIENT_PACKAGE, writeProgram } from '../support/procurement-program.ts';
import { requireProgram } from '../support/system-package.ts';

const ROOT = join(import.meta.dirname, '../..');
const GUIDES = readdirSync(join(ROOT, 'docs/guides'))
  .toSorted()
  .map((name) => `docs/guides/${name}`);
const COMPILER_OPTIONS = '--noEmit --strict --module nodenext --target es2023 --lib es2023 --types node'.split(' ');
/** A document starts up to 40 processes, one after the other: 5 s on an idle machine. */
const PROCEDURE_MS_MAX = 300_000;
const gatewayUrl = inject('gatewayUrl');

const PACKAGES = ['client', 'cli', 'verify'].map((name) => `packages/${name}/README.md`);
const documents = ['README.md', ...PACKAGES, ...GUIDES].map((path) => ({
  path,
  file: path.replaceAll(/[/.]/g, '-'),
  blocks: parseCodeBlocks(readFileSync(join(ROOT, path), 'utf8')),
}));

/** What some documents print in the end. */
const PRINTED: Readonly<Record<string, RegExp>> = {
  'docs/guides/auctions.md (ts)': /active\.qualification 390[^]*active\.qualification 470/,
  'docs/guides/complaints.md (sh)': /answered[^]*pending[^]* complaint +resolved +Only one maker/,
  'docs/guides/contracts.md (sh)':
    /^active$[^]*^395\.2$[^]*^1001 successful,1002 canceled$[^]*^terminated\nCan't update[^]*^active 380, now terminated 395\.2$/m,
  'docs/guides/first-procedure.md (sh)': /^complete$[^]*active\.qualification[^]* complete *$/m,
  'docs/guides/first-procedure.md (ts)': /^[0-9a-f]{32} is complete$/m,
  'docs/guides/lots.md (ts)': /^complete complete and cancelled$/m,
  'docs/guides/open-contracting.md (sh)': /^tender$[^]*^White paint$/m,
  'docs/guides/search.md (ts)': /^UA-/m,
  'docs/guides/webhooks.md (sh)': /^tender\.created [0-9a-f]{32} is active\.enquiries: http[^]* 204 /m,
  'packages/client/README.md (ts)': /active\.enquiries[^]*18 18[^]*403 \[/,
  'packages/cli/README.md (sh)': /\* +seller +http[^]* complete$[^]* complete +500 +UAH +.*Paint for the school/m,
};

/** Every block that is not run, in the order of the documents. A new one is a decision. */
const NOT_RUN = [
  'README.md: the tests have a sandbox of their own',
  'README.md: plays whole procedures; test/e2e/client.test.ts and test/rooms/procedures.test.ts run them',
  'README.md: a picture',
  'packages/client/README.md: installs packages from the registry',
  'packages/cli/README.md: the tests have the program on the path',
  'packages/verify/README.md: needs an installation with a log',
  'docs/guides/complaints.md: needs a tender with awards, as in docs/guides/first-procedure.md',
  'docs/guides/errors.md: an answer',
  'docs/guides/errors.md: an answer',
  'docs/guides/feed-and-stream.md: a sandbox makes exports on demand only',
  'docs/guides/first-procedure.md: the tests have a sandbox of their own',
  'docs/guides/first-procedure.md: installs packages from the registry',
  'docs/guides/first-procedure.md: the tests have the program on the path',
];

const run = promisify(execFile);

/** Other systems have other addresses: `npm start` has this one. */
const atThisSystem = (code: string): string => code.replaceAll('http://127.0.0.1:8080', gatewayUrl);

describe('the code blocks of README and guides', () => {
  let folder: string;

  // As a user has it: the packages in node_modules, the program on the path.
  beforeAll(() => {
    requireProgram('curl');
    folder = mkdtempSync(join(tmpdir(), 'code-blocks-'));
    mkdirSync(join(folder, 'node_modules/@procurement'), { recursive: true });
    mkdirSync(join(folder, 'node_modules/@types'));
    symlinkSync(CLIENT_PACKAGE, join(folder, 'node_modules/@procurement/client'));
    for (const name of ['@types/node', 'undici-types']) {
      symlinkSync(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name));
    }
    writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
    writeProgram(folder);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  async function runProgram(program: string, args: readonly string[]): Promise<string> {
    const cwd = mkdtempSync(join(folder, 'run-'));
    // A file that every project has: the README of the client uploads it.
    writeFileSync(join(cwd, 'package.json'), '{"type": "module"}');
    const env = { PATH: `${folder}:${process.env['PATH'] ?? ''}`, HOME: cwd };
    return (await run(program, args, { cwd, env })).stdout;
  }

  it('have a mark if they are not run', () => {
    const blocks = documents.flatMap(({ path, blocks: all }) => all.map((block) => ({ ...block, path })));
    const unmarked = blocks.filter(({ notRun, language }) => notRun === undefined && !/^(sh|ts)$/.test(language));
    expect(unmarked.map(({ path, line }) => `${path}:${line}`)).toEqual([]);
    const marked = blocks.flatMap(({ path, notRun }) => (notRun === undefined ? [] : [`${path}: ${notRun}`]));
    expect(marked).toEqual(NOT_RUN);
  });

  it.concurrent.each(documents.filter(({ blocks }) => runnable(blocks, 'sh').length > 0))(
    'run as one script: $path',
    async ({ path, file, blocks }) => {
      const script = join(folder, `${file}.sh`);
      writeFileSync(script, atThisSystem(writeScript(runnable(blocks, 'sh'))));
      const output = await runProgram('bash', ['-eu', script]);
      expect(output).toMatch(PRINTED[`${path} (sh)`] ?? /^/);
      expect(output).not.toMatch(/broker[123]\b/);
    },
    PROCEDURE_MS_MAX,
  );

  it(
    'compile and run as one module of each document',
    async () => {
      const modules = documents.filter(({ blocks }) => runnable(blocks, 'ts').length > 0);
      const files = modules.map(({ file, blocks }) => {
        writeFileSync(join(folder, `${file}.ts`), atThisSystem(writeModule(runnable(blocks, 'ts'))));
        return `${file}.ts`;
      });
      const compiled = run(join(ROOT, 'node_modules/.bin/tsc'), [...COMPILER_OPTIONS, ...files], { cwd: folder });
      // The compiler prints its findings on stdout.
      await compiled.catch(({ stdout }) => expect.fail(stdout));
      await build({
        entryPoints: files.map((name) => join(folder, name)),
        bundle: true,
        format: 'esm',
        platform: 'node',
        outdir: folder,
      });
      const outputs = await Promise.all(
        modules.map(async ({ path, file }) => ({
          document: `${path} (ts)`,
          output: await runProgram(process.execPath, [join(folder, `${file}.js`)]),
        })),
      );
      for (const { document, output } of outputs) expect(output, document).toMatch(PRINTED[document] ?? /^/);
    },
    PROCEDURE_MS_MAX,
  );
});
