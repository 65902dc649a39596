import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Tables of the page that say which tests prove a row of another table or list. */
const SPEC = 'docs/spec/auction-room.md';
/** Where files are that the page names without their folder. */
const SOURCES = 'apps/auction-room/src';
/** Acceptance tests that nothing here can run: they need the front end of another component. */
const WITHOUT_TEST: ReadonlySet<string> = new Set(['A52']);

/**
 * Faults (16) and acceptance tests (18) of auction-room.md without a row in 16.1 or 18.1, and rows that name no test, or one that
 * does not exist. A row names files with the titles of their tests: `file` "title", "title". `textOf` reads a file of the
 * repository; undefined when there is none.
 */
export function roomTestProblems(page: string, textOf: (file: string) => string | undefined): readonly string[] {
  const rows = rowsOf(page);
  const named = new Set(rows.map(({ id }) => id));
  return [
    ...[...idsOf(page)].filter((id) => !named.has(id)).map((id) => `${id} has no row of tests`),
    ...rows.flatMap(({ id, tests }) => testProblems(id, tests, textOf).map((problem) => `${id}: ${problem}`)),
  ];
}

/** `F1` to `F33` of the table of faults, `A1` to `A55` of the acceptance. */
function idsOf(page: string): ReadonlySet<string> {
  const faults = sectionOf(page, '## 16. Faults').matchAll(/^\| (F\d+) \|/gm);
  const acceptance = sectionOf(page, '## 18. Acceptance').matchAll(/(?<![\w.])(A\d+)\b/g);
  return new Set([...faults, ...acceptance].map(([, id = '']) => id));
}

interface Row {
  readonly id: string;
  readonly tests: string;
}

function rowsOf(page: string): readonly Row[] {
  const tables = ['### 16.1 Tests of the faults', '### 18.1 Tests of the acceptance'].map((title) =>
    sectionOf(page, title),
  );
  return tables.flatMap((table) =>
    [...table.matchAll(/^\| ([AF]\d+) \| (.*) \|$/gm)].map(([, id = '', tests = '']) => ({ id, tests })),
  );
}

/** The text below a heading, up to the next one. */
function sectionOf(page: string, heading: string): string {
  const [, after = ''] = page.split(`\n${heading}\n`);
  return after.split(/\n#+ /)[0] ?? '';
}

function testProblems(id: string, tests: string, textOf: (file: string) => string | undefined): readonly string[] {
  const problems: string[] = [];
  let file = '';
  let titles = 0;
  for (const [, path, title] of tests.matchAll(/`([^`]+\.test\.ts)`|"([^"]+)"/g)) {
    if (path !== undefined) {
      file = path.startsWith('test/') ? path : `${SOURCES}/${path}`;
      if (textOf(file) === undefined) problems.push(`no such file: ${file}`);
      continue;
    }
    titles += 1;
    const text = textOf(file) ?? '';
    if (!["'", '"', '`'].some((quote) => text.includes(quote + title + quote)))
      problems.push(`no test "${title}" in ${file}`);
  }
  return titles === 0 && !WITHOUT_TEST.has(id) ? ['no test', ...problems] : problems;
}

if (process.argv[1] === import.meta.filename) {
  const root = join(import.meta.dirname, '..');
  const read = (file: string): string | undefined => {
    const path = join(root, file);
    return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
  };
  const problems = roomTestProblems(read(SPEC) ?? '', read);
  for (const problem of problems) console.error(problem);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
