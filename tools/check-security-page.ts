import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Topics of which the page has at least one threat, and how its row is found. */
const TOPICS: Readonly<Record<string, RegExp>> = {
  'rate limits per broker': /broker.*rate|rate.*broker/,
  'rate limits per address': /address.*rate|rate.*address/,
  'slow bodies': /slowly/,
  'slow headers': /headers .*never end/,
  'body bombs': /compressed body/,
  'prototype pollution': /__proto__/,
  smuggling: /another request/,
  SSRF: /network of the installation/,
  'log injection': /line of the log/,
  timing: /constant time/,
  'guessed ids': /guesses/,
  CORS: /other origin/,
  JSONP: /JSONP/,
  'SQL through parameters': /SQL/,
  'confused paths': /escaped path/,
  'addresses of documents': /address of a file/,
  'idempotency keys': /Idempotency-Key/,
  'the sandbox in production': /sandbox/,
  NATS: /connects to NATS/,
  'internal ports': /port of a service|service's port/,
  'logs, backups and event streams': /backup/,
  'dependencies of the build': /package/,
  unexpected: /random/,
};

/** The row numbers of the penetration test of issue 14. */
const PENETRATION_ROWS = 14;

interface Row {
  readonly threat: string;
  readonly tests: string;
}

/** Threats of the page that name no test, or one that does not exist, and topics without a threat. */
export function securityPageProblems(page: string, exists: (file: string) => boolean): readonly string[] {
  const rows = rowsOf(page);
  const found = new Set([...page.matchAll(/\bS(\d+)\b/g)].map(([, row]) => Number(row)));
  const missing = Array.from({ length: PENETRATION_ROWS }, (_, n) => n + 1).filter((row) => !found.has(row));
  return [
    ...rows.flatMap((row) => testProblems(row, exists)),
    ...Object.entries(TOPICS)
      .filter(([, pattern]) => !rows.some(({ threat }) => pattern.test(threat)))
      .map(([topic]) => `no threat about ${topic}`),
    ...missing.map((row) => `no row S${row} of the penetration test`),
  ];
}

/** Rows of the tables of threats: attacker, threat, defence, test. */
function rowsOf(page: string): readonly Row[] {
  return page
    .split('\n')
    .map((line) => line.split(' | '))
    .filter(([first = '', ...others]) => first.startsWith('| ') && others.length === 3 && first !== '| Attacker')
    .map(([, threat = '', defence = '', tests = '']) => ({ threat: `${threat} | ${defence}`, tests }));
}

function testProblems({ threat, tests }: Row, exists: (file: string) => boolean): readonly string[] {
  const files = [...tests.matchAll(/`([^`]+)`/g)].map(([, file = '']) => file);
  if (files.length === 0) return [`no test: ${threat}`];
  return files.filter((file) => !file.endsWith('.test.ts') || !exists(file)).map((file) => `no such test: ${file}`);
}

if (process.argv[1] === import.meta.filename) {
  const root = join(import.meta.dirname, '..');
  const page = readFileSync(join(root, 'docs/security.md'), 'utf8');
  const problems = securityPageProblems(page, (file) => existsSync(join(root, file)));
  for (const problem of problems) console.error(problem);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
