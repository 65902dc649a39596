import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

interface Check {
  readonly name: string;
  readonly commands: readonly string[];
  readonly fix: string;
  /** Fails before a release only (`--release`); otherwise it is a warning. */
  readonly isOfRelease?: true;
}

/** Everything that must hold besides the tests. Lint includes the names of files and the ban of the machine's clock. */
const CHECKS: readonly Check[] = [
  {
    name: 'types',
    commands: [
      'turbo run build --output-logs=errors-only',
      'tsc -p tsconfig.tests.json',
      'tsc -p packages/page-style/script',
      'tsc -p apps/portal/tsconfig.tests.json',
    ],
    fix: 'The compiler names the line. If src/gen is missing: npm run generate',
  },
  {
    name: 'lint',
    commands: ['oxlint --type-aware'],
    fix: 'npm run fix corrects some findings; correct the others by hand. Rules: .oxlintrc.json',
  },
  { name: 'format', commands: ['oxfmt --check'], fix: 'npx oxfmt' },
  {
    name: 'boundaries',
    commands: ['depcruise --config .dependency-cruiser.cjs packages services apps test tools'],
    fix: 'Each rule has its reason in .dependency-cruiser.cjs. If src/gen is missing: npm run generate',
  },
  {
    name: 'unused',
    commands: ['knip --no-progress --no-config-hints'],
    fix: 'Delete the code, or the dependency from the package.json named above. Entries of tools: knip.json',
  },
  {
    name: 'layout',
    commands: ['tsx tools/check-layout.ts'],
    fix: 'Move the file to the folder that the message names, or change the table in tools/check-layout.ts with a reason',
  },
  {
    name: 'duplicates',
    commands: ['jscpd'],
    fix: 'Share the code: packages/domain for rules, packages/kit for machinery, test-support or packages/testing for tests. What counts: .jscpd.json',
  },
  {
    name: 'commits',
    commands: ['tsx tools/check-commits.ts'],
    fix: 'Reword the commits named above before they are on main: "area: verb object" (CONTRIBUTING.md, "Commits and decisions")',
  },
  {
    name: 'citations',
    commands: ['tsx tools/check-citations.ts'],
    fix: 'Each line above names a document, section, link or test that does not exist. The forms: docs/spec/README.md',
  },
  {
    name: 'dependencies',
    commands: ['tsx tools/check-dependencies.ts'],
    fix: 'Take the package from the registry; decide about its install script in allowScripts of package.json (platform.md 6.1)',
  },
  {
    name: 'events',
    commands: ['tsx --conditions=source tools/asyncapi.ts check'],
    fix: 'npm run asyncapi, then read the diff: other teams depend on this document',
  },
  {
    name: 'bus',
    commands: ['tsx --conditions=source tools/nats-users.ts check'],
    fix: 'npm run nats-users, then read the diff: it changes what a service may do at NATS',
  },
  {
    name: 'settings',
    commands: ['tsx --conditions=source tools/settings-page.ts check'],
    fix: 'npm run settings, and give each setting a description',
  },
  {
    name: 'errors',
    commands: ['tsx --conditions=source tools/errors-page.ts check'],
    fix: 'npm run errors, then read the diff: codes are the contract with clients, and none may change or be used again',
  },
  {
    name: 'client',
    commands: ['tsx --conditions=source tools/client-types.ts check'],
    fix: 'npm run client-types, then read the diff: it changes the types of the published client',
  },
  {
    name: 'examples',
    commands: ['tsx --conditions=source tools/openapi-examples.ts check'],
    fix: 'npm run examples, and look at the difference: it is what developers of clients read in /docs',
  },
  {
    name: 'deploy',
    commands: ['vitest run --project unit tools/deploy'],
    fix: 'The test says which of compose, manifests, alerts, dashboards or backup scripts is wrong; deploy/README.md describes them',
  },
  {
    name: 'rules',
    commands: ['tsx --conditions=source tools/operation-rules.ts check'],
    fix: 'npm run rules, then read the diff: it is what developers of clients read in /docs about permissions and statuses',
  },
  {
    name: 'guides',
    commands: ['tsx --conditions=source tools/guides.ts check'],
    fix: 'npm run guides, then read the diff: the tables of docs/guides follow limits, permissions and segments',
  },
  {
    name: 'openapi',
    commands: ['tsx --conditions=source tools/openapi-lint.ts'],
    fix: 'Each line names a segment, a rule of Redocly and a place in the document. Rules: tools/openapi-lint.ts',
  },
  {
    name: 'migrations',
    commands: ['tsx --conditions=source tools/db.ts check'],
    fix: 'npm run db -- init: it writes the migration of a service from prisma/schema.prisma, prisma/functions and prisma/schema.sql; after its release write the next one by hand',
  },
  {
    name: 'pictures',
    commands: ['tsx --conditions=source tools/screenshots.ts check'],
    fix: 'npm run screenshots, and look at each picture of docs/images: the README shows them',
    isOfRelease: true,
  },
];

const ROOT = join(import.meta.dirname, '..');
const env = { ...process.env, PATH: `${join(ROOT, 'node_modules/.bin')}:${process.env['PATH'] ?? ''}` };

const run = promisify(execFile);

/** Runs the commands of a check until one fails, and answers what that one says. */
async function runCheck({ commands }: Check): Promise<string | undefined> {
  for (const command of commands) {
    const [program = '', ...words] = command.split(' ');
    try {
      await run(program, words, { cwd: ROOT, env });
    } catch (error) {
      // Safe cast: a failure of a command has its output; of one that did not start, there is none.
      const { stdout, stderr, message } = error as Error & { stdout: string; stderr: string };
      return stdout + stderr || message;
    }
  }
  return undefined;
}

const RELEASE = '--release';
const isRelease = process.argv.includes(RELEASE);
const requested = process.argv.slice(2).filter((word) => word !== RELEASE);
const unknown = requested.filter((name) => !CHECKS.some((check) => check.name === name));
if (unknown.length > 0) {
  console.error(`There is no check "${unknown.join(', ')}". There are: ${CHECKS.map(({ name }) => name).join(', ')}`);
  process.exit(2);
}
const failed: string[] = [];
const left = CHECKS.filter(({ name }) => requested.length === 0 || requested.includes(name));

async function runNext(): Promise<void> {
  const check = left.shift();
  if (check === undefined) return;
  const began = performance.now();
  const failure = await runCheck(check);
  const isWarning = check.isOfRelease === true && !isRelease;
  const outcome = failure === undefined ? 'ok    ' : isWarning ? 'warns ' : 'FAILED';
  if (failure !== undefined) console.log(failure);
  console.log(`${outcome} ${check.name} (${((performance.now() - began) / 1_000).toFixed(1)} s)`);
  if (failure === undefined) return;
  if (!isWarning) failed.push(check.name);
  console.log(`       how to fix it: ${check.fix}\n`);
}

async function runLeft(): Promise<void> {
  while (left.length > 0) await runNext();
}

// The first check builds what the others read. Most of these use one processor.
await runNext();
await Promise.all([runLeft(), runLeft()]);
process.exit(failed.length === 0 ? 0 : 1);
