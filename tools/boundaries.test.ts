import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeInTree } from './test-support/write-in-tree.ts';

const ROOT = join(import.meta.dirname, '..');
// One run for all cases; swc and the resolver take seconds to load on two cores.
const CRUISE_TIMEOUT_MS = 60_000;

const MESSAGING = 'packages/kit/src/messaging';

interface Violation {
  readonly from: string;
  readonly to: string;
  readonly rule: { readonly name: string };
}

/** One violation in each line: rule, file, and the source of that file. Type-only imports count. */
const VIOLATING_FILES: readonly (readonly [rule: string, file: string, source: string])[] = [
  ['everything-resolves', 'services/bids/src/http/lost.ts', `import '../nowhere.ts';`],
  ['no-cycles', 'services/bids/src/store/a.ts', `import { b } from './b.ts'; export const a = b;`],
  ['contracts-is-a-leaf', 'packages/contracts/src/server.ts', `import 'fastify';`],
  [
    'contracts-is-a-leaf',
    'packages/contracts/src/clock.ts',
    `import type { Clock } from '@procurement/kit/runtime/clock';`,
  ],
  ['kit-without-domain', 'packages/kit/src/price.ts', `import '@procurement/contracts/resources/bid';`],
  ['kit-without-domain', 'packages/kit/src/caller.ts', `import '@procurement/contracts/api/bids.api';`],
  ['kit-without-domain', 'packages/kit/src/facts.ts', `import '@procurement/contracts/events/bid.events';`],
  ['kit-without-domain', 'packages/kit/src/uses-word.ts', `import './tender-reader.ts';`],
  ['messaging-ground-imports-no-room-above', `${MESSAGING}/bus.ts`, `import './request/request.ts';`],
  ['messaging-request-imports-no-room-above', `${MESSAGING}/request/again.ts`, `import '../publish/outbox.ts';`],
  ['messaging-publish-imports-no-room-above', `${MESSAGING}/publish/relay.ts`, `import '../consume/inbox.ts';`],
  ['messaging-consume-imports-no-room-above', `${MESSAGING}/consume/apply.ts`, `import '../repair/start.ts';`],
  ['domain-is-pure', 'services/bids/src/domain/files.ts', `import 'node:fs';`],
  ['domain-is-pure', 'services/bids/src/domain/web.ts', `import type { FastifyRequest } from 'fastify';`],
  ['domain-is-pure', 'services/bids/src/domain/clock.ts', `import '@procurement/kit/runtime/clock';`],
  ['domain-is-pure', 'services/bids/src/domain/row.ts', `import type { Row } from '../gen/client.ts';`],
  ['domain-is-pure', 'services/bids/src/search/domain/row.ts', `import '../search.store.ts';`],
  ['contracting-stands-apart', 'services/awards/src/domain/implementation.paper.ts', `import './award.change.ts';`],
  [
    'contracting-stands-apart',
    'services/awards/src/domain/contract-feed.row.ts',
    `import type { A } from './award.change.ts';`,
  ],
  ['generations-are-pure', 'services/gateway/src/generations/v2.3/codec.ts', `import 'node:http';`],
  ['kit-floors/runtime', 'packages/kit/src/runtime/above.ts', `import '../database/pool.ts';`],
  ['kit-floors/database', 'packages/kit/src/database/above.ts', `import '../messaging/publish/outbox.ts';`],
  ['kit-floors/messaging', 'packages/kit/src/messaging/request/above.ts', `import '../../http/mount.ts';`],
  ['kit-floors/http', 'packages/kit/src/http/above.ts', `import '../service/run-service.ts';`],
  ['kit-floors/feed', 'packages/kit/src/feed/above.ts', `import '../service/run-service.ts';`],
  ['kit-floors/files', 'packages/kit/src/files/above.ts', `import '../service/run-service.ts';`],
  ['kit-floors/service', 'packages/kit/src/service/above.ts', `import '../files/storage.ts';`],
  ['gateway-floors/json', 'services/gateway/src/json/scanner.ts', `import '../generations/codec.ts';`],
  ['gateway-floors/generations', 'services/gateway/src/generations/paths.ts', `import '../request/target.ts';`],
  ['gateway-floors/auth', 'services/gateway/src/auth/caller.ts', `import '../generations/codec.ts';`],
  ['gateway-floors/request', 'services/gateway/src/request/above.ts', `import '../limits/rate.ts';`],
  ['gateway-floors/limits', 'services/gateway/src/limits/above.ts', `import '../deps.ts';`],
  ['gateway-floors/answer', 'services/gateway/src/answer/above.ts', `import '../limits/rate.ts';`],
  ['gateway-floors/idempotency', 'services/gateway/src/idempotency/above.ts', `import '../proxy/read.ts';`],
  ['gateway-floors/proxy', 'services/gateway/src/proxy/above.ts', `import type { Deps } from '../deps.ts';`],
  ['gateway-floors/description', 'services/gateway/src/description/above.ts', `import '../proxy/read.ts';`],
  ['gateway-floors/pipeline', 'services/gateway/src/pipeline/above.ts', `import '../proxy/read.ts';`],
  ['register-floors/requests', 'services/register/src/requests/above.ts', `import '../revisions/texts.ts';`],
  ['register-floors/revisions', 'services/register/src/revisions/above.ts', `import '../config.ts';`],
  ['register-floors/history', 'services/register/src/history/above.ts', `import type { Deps } from '../deps.ts';`],
  ['register-floors/search', 'services/register/src/search/beside.ts', `import '../history/domain/patches.ts';`],
  ['register-floors/stream', 'services/register/src/stream/beside.ts', `import '../webhooks/sender.ts';`],
  ['register-floors/webhooks', 'services/register/src/webhooks/beside.ts', `import '../search/terms.ts';`],
  ['register-floors/ocds', 'services/register/src/ocds/above.ts', `import '../exports/files.ts';`],
  ['register-floors/statistics', 'services/register/src/statistics/above.ts', `import '../follow/pages.ts';`],
  ['register-floors/follow', 'services/register/src/follow/above.ts', `import '../exports/files.ts';`],
  ['register-floors/exports', 'services/register/src/exports/above.ts', `import '../redaction/files.ts';`],
  ['register-floors/redaction', 'services/register/src/redaction/above.ts', `import '../deps.ts';`],
  ['ledger-floors/domain', 'services/ledger/src/domain/above.ts', `import '../store/leaves.ts';`],
  ['ledger-floors/store', 'services/ledger/src/store/beside.ts', `import '../files/tiles.ts';`],
  ['ledger-floors/files', 'services/ledger/src/files/beside.ts', `import '../store/leaves.ts';`],
  ['ledger-floors/writer', 'services/ledger/src/writer/beside.ts', `import '../http/reading.ts';`],
  ['ledger-floors/http', 'services/ledger/src/http/above.ts', `import '../deps.ts';`],
  ['domain-package-is-pure', 'packages/domain/src/ids.ts', `import 'node:crypto';`],
  ['domain-package-is-pure', 'packages/domain/src/now.ts', `import '@procurement/kit/runtime/clock';`],
  ['kit-without-domain', 'packages/kit/src/rules.ts', `import '@procurement/domain/decision';`],
  ['ocds-is-pure', 'packages/ocds/src/files.ts', `import 'node:fs';`],
  ['ocds-is-pure', 'packages/ocds/src/now.ts', `import '@procurement/kit/runtime/clock';`],
  ['verifier-trusts-nobody', 'packages/verify/src/clock.ts', `import '@procurement/kit/runtime/clock';`],
  ['verifier-trusts-nobody', 'packages/verify/src/bids.ts', `import '../../../services/bids/src/app.ts';`],
  ['proof-is-pure', 'packages/proof/src/files.ts', `import 'node:fs';`],
  ['proof-is-pure', 'packages/proof/src/clock.ts', `import '@procurement/kit/runtime/clock';`],
  ['domain-is-pure', 'apps/room/src/domain/links.ts', `import 'node:crypto';`],
  ['apps-use-the-public-api', 'apps/room/src/reader.ts', `import '../../../services/bids/src/app.ts';`],
  ['apps-use-the-public-api', 'apps/room/src/told.ts', `import '@procurement/contracts/events/bid.events';`],
  ['nothing-imports-an-app', 'services/bids/src/holder.ts', `import '../../../apps/room/src/reader.ts';`],
  ['src-never-imports-testing', 'apps/room/src/faked.ts', `import '../test-support/fake.ts';`],
  ['client-stands-alone', 'packages/client/src/path.ts', `import 'node:path';`],
  ['client-stands-alone', 'packages/client/src/shape.ts', `import '@procurement/contracts/resources/bid';`],
  ['http-is-flat', 'services/bids/src/http/read-bid/route.ts', `import 'fastify';`],
  ['src-never-imports-testing', 'services/bids/src/tooled.ts', `import '../../../tools/check.ts';`],
  ['tests-use-http-only', 'test/e2e/tools.test.ts', `import '../../tools/check.ts';`],
  ['no-service-to-service', 'services/bids/src/store/cousin.ts', `import '../../../awards/src/app.ts';`],
  ['no-service-to-service', 'services/bids/src/app.ts', `import '@procurement/awards/src/app.ts';`],
  ['http-never-prisma', 'services/bids/src/http/get-bid.ts', `import '../gen/client.ts';`],
  ['http-never-prisma', 'services/bids/src/events/on-tender-changed.ts', `import '@prisma/client';`],
  ['http-events-clock-not-each-other', 'services/bids/src/http/page.ts', `import '../events/quiet.ts';`],
  ['http-events-clock-not-each-other', 'services/bids/src/clock/tick.ts', `import type { V } from '../http/view.ts';`],
  ['store-imports-no-entry-point', 'services/bids/src/store/bids.store.ts', `import '../http/view.ts';`],
  ['tests-use-http-only', 'test/e2e/peek.test.ts', `import '../../services/bids/src/http/view.ts';`],
  ['tests-use-http-only', 'test/e2e/kit.test.ts', `import '@procurement/kit/runtime/clock';`],
  ['src-never-imports-testing', 'services/bids/src/deps.ts', `import '@procurement/testing/clock';`],
  ['src-never-imports-testing', 'services/bids/src/faked.ts', `import '../test-support/fake.ts';`],
  ['src-never-imports-testing', 'packages/kit/src/checked.ts', `import 'vitest';`],
  ['services-never-import-local-stack', 'services/bids/src/main.ts', `import '@procurement/local-stack/stack';`],
  ['no-dev-deps-in-src', 'services/bids/src/dev.ts', `import 'pino';`],
  ['no-dev-deps-in-src', 'services/bids/src/undeclared.ts', `import 'undici';`],
];

/** Files that the violations import, and files that keep every rule. */
const COMPLIANT_FILES: Readonly<Record<string, string>> = {
  'packages/contracts/src/resources/bid.ts': `import 'zod'; export const bid = 1;`,
  'packages/contracts/src/api/bids.api.ts': `export const api = 1;`,
  'packages/contracts/src/api/route.ts': `export const route = 1;`,
  'packages/contracts/src/events/bid.events.ts': `export const event = 1;`,
  'packages/contracts/src/events/envelope.ts': `export const envelope = 1;`,
  'packages/kit/src/runtime/clock.ts': `import 'node:crypto'; import '@procurement/contracts/events/envelope';`,
  'packages/kit/src/database/pool.ts': `import '../runtime/clock.ts';`,
  'packages/kit/src/files/storage.ts': `import '../http/mount.ts';`,
  'packages/kit/src/service/run-service.ts': `import '../http/mount.ts'; import '../messaging/publish/outbox.ts';`,
  'packages/domain/src/decision.ts': `import '@procurement/contracts/api/route'; import 'zod';`,
  'packages/ocds/src/hash.ts': `import 'node:crypto'; import '@procurement/domain/decision';`,
  'packages/verify/src/source.ts': `import 'node:fs'; import '@procurement/proof/hash';`,
  'packages/proof/src/hash.ts': `import 'node:crypto';`,
  'packages/client/src/node.ts': `import 'node:fs';`,
  'packages/kit/src/messaging/request/request.ts': `export const request = 1;`,
  'packages/kit/src/messaging/publish/outbox.ts': `import '../request/request.ts'; import '../../database/pool.ts';`,
  'packages/kit/src/messaging/consume/inbox.ts': `import '../request/request.ts';`,
  'packages/kit/src/messaging/repair/start.ts': `import '../consume/inbox.ts';`,
  'packages/kit/src/http/mount.ts': `import '@procurement/contracts/api/route';`,
  'services/gateway/src/json/json-rewriter.ts': `export const rewriter = 1;`,
  'services/gateway/src/config.ts': `export const config = 1;`,
  'services/gateway/src/deps.ts': `import './proxy/read.ts'; export type Deps = 1;`,
  'services/gateway/src/request/target.ts': `import '../generations/codec.ts'; import '../config.ts';`,
  'services/gateway/src/limits/rate.ts': `import '../request/target.ts';`,
  'services/gateway/src/proxy/read.ts': `import '../limits/rate.ts';`,
  'services/gateway/src/generations/codec.ts': `import '../json/json-rewriter.ts'; import '@procurement/domain/decision';`,
  'services/register/src/config.ts': `export const config = 1;`,
  'services/register/src/deps.ts': `import './redaction/files.ts'; import './config.ts'; export type Deps = 1;`,
  'services/register/src/revisions/texts.ts': `import 'fastify';`,
  'services/register/src/history/domain/patches.ts': `export const patches = 1;`,
  'services/register/src/webhooks/sender.ts': `import '../revisions/texts.ts';`,
  'services/register/src/search/terms.ts': `import '../revisions/texts.ts';`,
  'services/register/src/follow/pages.ts': `import '../search/terms.ts';`,
  'services/register/src/exports/files.ts': `import '../follow/pages.ts'; import '../history/domain/patches.ts';`,
  'services/register/src/redaction/files.ts': `import '../exports/files.ts';`,
  'services/awards/src/domain/awarding.ts': `export type Awarding = 1;`,
  'services/awards/src/domain/award.change.ts': `import './awarding.ts';`,
  'services/awards/src/domain/implementation.ts': `import type { Awarding } from './awarding.ts';`,
  'services/awards/src/domain/implementation.view.ts': `import './implementation.ts';`,
  'services/ledger/src/config.ts': `export const config = 1;`,
  'services/ledger/src/deps.ts': `import './writer/round.ts'; import './config.ts'; export type Deps = 1;`,
  'services/ledger/src/store/leaves.ts': `import 'fastify';`,
  'services/ledger/src/files/tiles.ts': `import 'fastify';`,
  'services/ledger/src/writer/round.ts': `import '../store/leaves.ts'; import '../files/tiles.ts'; import '../config.ts';`,
  'services/ledger/src/http/reading.ts': `import '../store/leaves.ts'; import '../files/tiles.ts';`,
  'tools/check.ts': `import 'node:fs';`,
  'packages/kit/src/tender-reader.ts': `export const word = 1;`,
  'packages/kit/src/runtime/clock.test.ts': `import 'vitest'; import './clock.ts';`,
  'packages/testing/src/clock.ts': `import 'vitest';`,
  'packages/local-stack/src/stack.ts': `import 'node:child_process';`,
  'apps/room/test-support/fake.ts': `import 'vitest';`,
  'services/awards/src/app.ts': `export const app = 1;`,
  'services/bids/test-support/fake.ts': `import '@procurement/testing/clock'; import 'vitest';`,
  'services/bids/src/gen/client.ts': `import '@prisma/client';`,
  'services/bids/src/domain/bid.decide.ts': `import '@procurement/domain/decision'; import '@procurement/contracts/resources/bid';`,
  'services/bids/src/domain/bid.decide.test.ts': `import 'vitest'; import 'node:fs'; import './bid.decide.ts';`,
  'services/bids/src/search/search.store.ts': `import 'fastify';`,
  'services/bids/src/search/domain/terms.ts': `import '../../domain/bid.decide.ts';`,
  'services/bids/src/store/b.ts': `import { a } from './a.ts'; export const b = a;`,
  'services/bids/src/http/view.ts': `import '../domain/bid.decide.ts'; import 'fastify'; export type V = 1;`,
  'services/bids/src/events/quiet.ts': `import '@procurement/kit/runtime/clock';`,
  'test/e2e/story.test.ts': `import '@procurement/contracts/resources/bid'; import '@procurement/testing/clock';`,
};

const LIBRARIES = ['zod', 'fastify', 'pino', 'undici', 'vitest', '@prisma/client'];
const WORKSPACES = [
  'packages/contracts',
  'packages/domain',
  'packages/kit',
  'packages/testing',
  'packages/local-stack',
  'packages/proof',
  'services/bids',
  'services/awards',
  'services/gateway',
  'services/register',
  'services/ledger',
  'apps/room',
];

describe('import boundaries', () => {
  let tree: string;
  let violations: readonly Violation[];

  beforeAll(async () => {
    tree = await mkdtemp(join(tmpdir(), 'boundaries-'));
    await cp(join(ROOT, '.dependency-cruiser.cjs'), join(tree, '.dependency-cruiser.cjs'));
    for (const name of LIBRARIES) {
      await put(`node_modules/${name}/package.json`, JSON.stringify({ name, version: '1.0.0', main: './main.js' }));
      await put(`node_modules/${name}/main.js`, 'module.exports = {};');
    }
    for (const folder of WORKSPACES) await putPackage(folder);
    for (const [file, source] of Object.entries(COMPLIANT_FILES)) await put(file, source);
    for (const [, file, source] of VIOLATING_FILES) await put(file, source);
    violations = await cruise();
  }, CRUISE_TIMEOUT_MS);

  afterAll(async () => rm(tree, { recursive: true, force: true }));

  const put = async (file: string, text: string): Promise<void> => writeInTree(tree, file, text);

  /** A workspace package as npm installs it: a folder, and a link to it in node_modules. */
  async function putPackage(folder: string): Promise<void> {
    const name = `@procurement/${folder.split('/')[1]}`;
    const exports = folder.startsWith('packages/') ? { exports: { './*': { source: './src/*.ts' } } } : {};
    const dependencies = { zod: '1', fastify: '1', '@prisma/client': '1' };
    await put(
      `${folder}/package.json`,
      JSON.stringify({ name, ...exports, dependencies, devDependencies: { pino: '1', vitest: '1' } }),
    );
    await mkdir(join(tree, 'node_modules/@procurement'), { recursive: true });
    await symlink(join(tree, folder), join(tree, 'node_modules', name));
  }

  async function cruise(): Promise<readonly Violation[]> {
    const bin = join(ROOT, 'node_modules/.bin/depcruise');
    const options = [
      '--config',
      '.dependency-cruiser.cjs',
      '--output-type',
      'json',
      'packages',
      'services',
      'apps',
      'test',
      'tools',
    ];
    return new Promise((resolve, reject) => {
      // A nonzero exit code is expected; only output that is not JSON is a failure.
      execFile(bin, options, { cwd: tree, maxBuffer: 2 ** 26 }, (_error, stdout, stderr) => {
        try {
          // dependency-cruiser's JSON report has this shape.
          resolve((JSON.parse(stdout) as { summary: { violations: Violation[] } }).summary.violations);
        } catch (cause) {
          reject(new Error(`depcruise gave no JSON: ${stderr}`, { cause }));
        }
      });
    });
  }

  it.each(VIOLATING_FILES)('%s is broken by %s', (rule, file) => {
    expect(violations.filter((found) => found.from === file).map((found) => found.rule.name)).toContain(rule);
  });

  it('reports no file that keeps the rules', () => {
    const violating = new Set(VIOLATING_FILES.map(([, file]) => file));
    // The other file of the cycle is reported too.
    violating.add('services/bids/src/store/b.ts');
    expect(violations.filter((found) => !violating.has(found.from))).toEqual([]);
  });

  it('has a violation for every rule of the configuration', () => {
    // The file exports plain data; only the names of its rules matter here.
    const config = createRequire(import.meta.url)('../.dependency-cruiser.cjs') as {
      forbidden: { name: string }[];
    };
    const named = config.forbidden.map((rule) => rule.name);
    expect([...new Set(VIOLATING_FILES.map(([rule]) => rule))].toSorted()).toEqual(named.toSorted());
  });
});
