import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeInTree } from './test-support/write-in-tree.ts';

const ROOT = join(import.meta.dirname, '..');

interface Finding {
  readonly code: string;
  readonly filename: string;
}

const BIDS_DOMAIN = 'services/bids/src/domain';

/** A rule, a file that breaks it once, and its source. */
const VIOLATING_FILES: readonly (readonly [rule: string, file: string, source: string])[] = [
  ['eslint(no-restricted-properties)', `${BIDS_DOMAIN}/date-now.ts`, `export const at = Date.now();`],
  ['eslint(no-restricted-properties)', `${BIDS_DOMAIN}/date-now-taken.ts`, `export const { now } = Date;`],
  ['eslint(no-restricted-properties)', `${BIDS_DOMAIN}/monotonic.ts`, `export const at = performance.now();`],
  ['eslint(no-restricted-properties)', `${BIDS_DOMAIN}/hrtime.ts`, `export const at = process.hrtime.bigint();`],
  ['eslint(no-restricted-properties)', `${BIDS_DOMAIN}/dice.ts`, `export const dice = Math.random();`],
  [
    'eslint(no-restricted-globals)',
    `${BIDS_DOMAIN}/monotonic-taken.ts`,
    `const p = performance; export const at = p.now();`,
  ],
  ['house(no-machine-clock)', `${BIDS_DOMAIN}/new-date.ts`, `export const at = new Date();`],
  ['house(no-machine-clock)', `${BIDS_DOMAIN}/date-text.ts`, `export const at = Date();`],
  [
    'house(no-raw-html)',
    'apps/portal/src/parts/raw.tsx',
    `export const a = <p dangerouslySetInnerHTML={{ __html: 'x' }} />;`,
  ],
  ['house(no-raw-html)', 'packages/page-style/script/raw.ts', `document.body.innerHTML = 'x';`],
  [
    'house(assertion-has-reason)',
    `${BIDS_DOMAIN}/silent-as.ts`,
    `\nexport function f(x: unknown) {\n  return x as string;\n}`,
  ],
  [
    'house(assertion-has-reason)',
    `${BIDS_DOMAIN}/silent-bang.ts`,
    `\nexport function f(x?: string) {\n  return x!.length;\n}`,
  ],
  ['house(any-has-reason)', `${BIDS_DOMAIN}/any.test.ts`, `\nexport const a: any = 1;`],
  ['house(no-vague-file-names)', `${BIDS_DOMAIN}/utils.ts`, `export const a = 1;`],
  ['house(no-vague-file-names)', `${BIDS_DOMAIN}/index.ts`, `export const a = 1;`],
  ['house(docstring-is-sentence)', `${BIDS_DOMAIN}/fragment.ts`, `/** Of the tender. */\nexport const a = 1;`],
  ['house(docstring-is-sentence)', `${BIDS_DOMAIN}/lines.ts`, `/**\n * By the last part.\n */\nexport const a = 1;`],
  ['house(no-sleep)', `${BIDS_DOMAIN}/a.test.ts`, `await new Promise((done) => setTimeout(done, 5));`],
  [
    'house(no-sleep)',
    `${BIDS_DOMAIN}/b.test.ts`,
    `import { setTimeout as pause } from 'node:timers/promises'; await pause(5);`,
  ],
  ['unicorn(filename-case)', `${BIDS_DOMAIN}/bidDecide.ts`, `export const a = 1;`],
  ['unicorn(filename-case)', `${BIDS_DOMAIN}/bid_rules.decide.ts`, `export const a = 1;`],
  ['import(no-default-export)', `${BIDS_DOMAIN}/default.ts`, `export default 1;`],
  ['typescript(no-explicit-any)', `${BIDS_DOMAIN}/any.ts`, `// Why not.\nexport const a: any = 1;`],
  [
    'typescript(consistent-type-imports)',
    `${BIDS_DOMAIN}/type.ts`,
    `import { Bid } from './bid.ts'; export const a: Bid = 1;`,
  ],
  ['eslint(no-console)', `${BIDS_DOMAIN}/console.ts`, `console.log('x');`],
  ['eslint(no-warning-comments)', `${BIDS_DOMAIN}/todo.ts`, `// TODO later\nexport const a = 1;`],
  [
    'eslint(max-lines)',
    `${BIDS_DOMAIN}/long.ts`,
    Array.from({ length: 301 }, (_, at) => `export const a${at} = 1;`).join('\n'),
  ],
  ['vitest(no-focused-tests)', `${BIDS_DOMAIN}/c.test.ts`, `it.only('x', () => expect(1).toBe(1));`],
  ['vitest(expect-expect)', `${BIDS_DOMAIN}/d.test.ts`, `it('x', () => { f(); });`],
];

/** Files that keep the rules, or that a rule does not apply to. */
const COMPLIANT_FILES: Readonly<Record<string, string>> = {
  'packages/kit/src/runtime/clock.ts': `export const now = () => Date.now() + performance.now() + new Date().getTime();`,
  [`${BIDS_DOMAIN}/bid.decide.ts`]: `export const at = (text: string) => new Date(text);`,
  [`${BIDS_DOMAIN}/201.test.ts`]: `it('x', () => expect(Date.now()).toBe(1));`,
  [`${BIDS_DOMAIN}/reasons.ts`]: `/** The router gives text. */\nexport function f(x: unknown) {\n  return x as string;\n}\n
// Three are put in above.\nexport const b = [1, 2, 3].at(0)!;\nexport const c = [1] as const;`,
  'services/gateway/src/generations/codec-for-2.3-and-0.ts': `export const a = 1;`,
  'vitest.config.ts': `export default {};`,
};

describe('oxlint configuration', () => {
  let tree: string;
  let findings: readonly Finding[];

  beforeAll(async () => {
    tree = await mkdtemp(join(tmpdir(), 'lint-'));
    for (const file of ['.oxlintrc.json', 'tools/oxlint-house.js']) {
      await cp(join(ROOT, file), join(tree, file), { recursive: true });
    }
    for (const [file, source] of Object.entries(COMPLIANT_FILES)) await put(file, source);
    for (const [, file, source] of VIOLATING_FILES) await put(file, source);
    findings = await lint();
  }, 60_000);

  afterAll(async () => rm(tree, { recursive: true, force: true }));

  const put = async (file: string, text: string): Promise<void> => writeInTree(tree, file, `${text}\n`);

  async function lint(): Promise<readonly Finding[]> {
    return new Promise((resolve, reject) => {
      // A nonzero exit code is expected; only output that is not JSON is a failure.
      execFile(join(ROOT, 'node_modules/.bin/oxlint'), ['-f', 'json'], { cwd: tree }, (_error, stdout, stderr) => {
        try {
          // oxlint's JSON report has this shape.
          resolve((JSON.parse(stdout) as { diagnostics: Finding[] }).diagnostics);
        } catch (cause) {
          reject(new Error(`oxlint gave no JSON: ${stdout}${stderr}`, { cause }));
        }
      });
    });
  }

  it.each(VIOLATING_FILES)('%s is broken by %s', (rule, file) => {
    expect(findings.filter((found) => found.filename === file).map((found) => found.code)).toContain(rule);
  });

  it('reports no file that keeps the rules', () => {
    expect(findings.filter((found) => Object.hasOwn(COMPLIANT_FILES, found.filename))).toEqual([]);
  });
});
