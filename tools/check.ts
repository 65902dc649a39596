import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

interface Check {
  readonly name: string;
  readonly commands: readonly string[];
  readonly fix: string;
}

/** Everything that must hold besides the tests. File names and forbidden clocks are among the rules of lint. */
const CHECKS: readonly Check[] = [
  {
    name: 'types',
    commands: ['turbo run build --output-logs=errors-only', 'tsc -p tsconfig.tests.json'],
    fix: 'The compiler names the line. A missing src/gen is made by: npm run generate',
  },
  {
    name: 'lint',
    commands: ['oxlint --type-aware'],
    fix: 'npm run fix repairs what can be repaired; the rest is named above. Rules: .oxlintrc.json',
  },
  { name: 'format', commands: ['oxfmt --check'], fix: 'npm run fix' },
  {
    name: 'boundaries',
    commands: ['depcruise --config .dependency-cruiser.cjs packages services test tools'],
    fix: 'Each rule says in .dependency-cruiser.cjs what it protects. A missing src/gen is made by: npm run generate',
  },
  {
    name: 'unused',
    commands: ['knip --no-progress --no-config-hints'],
    fix: 'Delete the code, or the dependency from the package.json named above; what tools use is told to knip.json',
  },
  {
    name: 'citations',
    commands: ['tsx tools/check-citations.ts'],
    fix: 'Each line above names a document, section or link that does not exist. The forms: docs/spec/README.md',
  },
  {
    name: 'events',
    commands: ['tsx --conditions=source tools/asyncapi.ts check'],
    fix: 'npm run asyncapi, and look at the difference: it is what other teams read',
  },
  {
    name: 'migrations',
    commands: ['tsx --conditions=source tools/db.ts check'],
    fix: 'npm run db -- new <service> <name>, or list what only SQL can say in prisma/allowed-drift.json',
  },
];

const ROOT = join(import.meta.dirname, '..');
const env = { ...process.env, PATH: `${join(ROOT, 'node_modules/.bin')}:${process.env['PATH'] ?? ''}` };

function runCheck(check: Check): boolean {
  for (const command of check.commands) {
    const [program = '', ...words] = command.split(' ');
    const { status, stdout, stderr, error } = spawnSync(program, words, { cwd: ROOT, env, encoding: 'utf8' });
    if (status === 0) continue;
    process.stdout.write(`${stdout}${stderr}${error?.message ?? ''}\n`);
    return false;
  }
  return true;
}

const requested = process.argv.slice(2);
const unknown = requested.filter((name) => !CHECKS.some((check) => check.name === name));
if (unknown.length > 0) {
  console.error(`There is no check "${unknown.join(', ')}". There are: ${CHECKS.map(({ name }) => name).join(', ')}`);
  process.exit(2);
}
const failed: string[] = [];
for (const check of CHECKS) {
  if (requested.length > 0 && !requested.includes(check.name)) continue;
  const began = performance.now();
  const good = runCheck(check);
  console.log(`${good ? 'ok    ' : 'FAILED'} ${check.name} (${((performance.now() - began) / 1_000).toFixed(1)} s)`);
  if (good) continue;
  failed.push(check.name);
  console.log(`       how to fix it: ${check.fix}\n`);
}
process.exit(failed.length === 0 ? 0 : 1);
