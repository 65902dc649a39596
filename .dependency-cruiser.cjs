// Who may import whom. Each rule has a name that can be said aloud and a comment with its reason;
// tools/boundaries.test.ts breaks every one of them once, to prove that it can fail.

const TEST_FILE = '\\.test\\.ts$';
const SERVICE_SRC = '^services/([^/]+)/src/';

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'everything-resolves',
      comment: 'An import that leads nowhere is judged by no other rule. After a fresh clone: npm run generate.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'no-cycles',
      comment: 'Two files that need each other are one file, or lack a third. Types count: readers follow them too.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'contracts-is-a-leaf',
      comment: 'Everybody depends on contracts, so contracts depends on zod and on nothing else.',
      severity: 'error',
      from: { path: '^packages/contracts/src/', pathNot: TEST_FILE },
      to: { couldNotResolve: false, pathNot: ['^packages/contracts/src/', 'node_modules/zod/'] },
    },
    {
      name: 'kit-knows-no-domain',
      comment:
        'kit is machinery that can be described without saying tender: of contracts it may import envelopes, problems, ' +
        'instants and the like, but no resource, no API of a service, no event type, and no rule of packages/domain.',
      severity: 'error',
      from: { path: '^packages/kit/src/', pathNot: TEST_FILE },
      to: {
        path: [
          '^services/',
          '^packages/(domain|testing|local-stack|client|ocds)/',
          '^packages/contracts/src/resources/',
          '^packages/contracts/src/reading/(?!(instant|body-result)\\.ts$)',
          '^packages/contracts/src/api/(?!(route|actor)\\.ts$)',
          '^packages/contracts/src/events/(?!(envelope|subjects|streams)\\.ts$)',
          '^packages/kit/src/.*\\b(tender|bid|lot|award|auction|complaint|broker|procurement)s?\\b',
        ],
        pathNot: TEST_FILE,
      },
    },
    {
      name: 'domain-package-is-pure',
      comment: 'Rules that several services share are functions of their arguments: contracts, zod, and each other.',
      severity: 'error',
      from: { path: '^packages/domain/src/', pathNot: TEST_FILE },
      to: {
        couldNotResolve: false,
        pathNot: ['^packages/domain/src/', '^packages/contracts/src/', 'node_modules/zod/'],
      },
    },
    {
      name: 'domain-is-pure',
      comment:
        'A decision is a function of state and command: contracts, packages/domain and its own folder. No kit, no Prisma, ' +
        'no Fastify, no NATS, no pino, no node: module.',
      severity: 'error',
      from: { path: '^services/([^/]+)/src/domain/', pathNot: TEST_FILE },
      to: {
        couldNotResolve: false,
        pathNot: ['^services/$1/src/domain/', '^packages/contracts/src/', '^packages/domain/src/'],
      },
    },
    {
      name: 'generations-are-pure',
      comment: 'A codec of an older payload generation turns one value into another; it needs shapes and nothing else.',
      severity: 'error',
      from: { path: '^services/gateway/src/generations/', pathNot: TEST_FILE },
      to: {
        pathNot: [
          '^services/gateway/src/(generations/|json/|routes\\.table\\.ts$)',
          '^packages/contracts/src/',
          '^packages/domain/src/',
        ],
      },
    },
    {
      name: 'json-text-is-a-leaf',
      comment: 'The scanner and rewriter of JSON text know nothing of requests and generations; both use them.',
      severity: 'error',
      from: { path: '^services/gateway/src/json/', pathNot: TEST_FILE },
      to: { pathNot: '^services/gateway/src/json/' },
    },
    {
      name: 'http-is-flat',
      comment: 'One file an action, its tests beside it: services/<service>/src/http/<action>.ts. No folders below.',
      severity: 'error',
      from: { path: `${SERVICE_SRC}http/[^/]+/` },
      to: {},
    },
    {
      name: 'no-service-to-service',
      comment: 'Services meet over HTTP and events only; a shared import would make two deployments one.',
      severity: 'error',
      from: { path: '^services/([^/]+)/' },
      to: { path: '^services/', pathNot: '^services/$1/' },
    },
    {
      name: 'http-never-prisma',
      comment: 'Routes, event handlers and ticks reach the database through a store, never through Prisma.',
      severity: 'error',
      from: { path: `${SERVICE_SRC}(http|events|clock)/`, pathNot: TEST_FILE },
      to: { path: ['^services/[^/]+/src/gen/', 'node_modules/@prisma/'] },
    },
    {
      name: 'http-events-clock-not-each-other',
      comment: 'Three doors to the same decisions; what two of them need belongs in domain/ or store/.',
      severity: 'error',
      from: { path: `${SERVICE_SRC}(http|events|clock)/`, pathNot: TEST_FILE },
      to: { path: '^services/$1/src/(http|events|clock)/', pathNot: '^services/$1/src/$2/' },
    },
    {
      name: 'store-knows-no-door',
      comment: 'A store is used by routes and handlers; it never calls back into them.',
      severity: 'error',
      from: { path: `${SERVICE_SRC}store/`, pathNot: TEST_FILE },
      to: { path: '^services/$1/src/(http|events|clock|app\\.ts|deps\\.ts|main\\.ts)' },
    },
    {
      name: 'test-speaks-http',
      comment:
        'Stories know what a broker knows: shapes and addresses. Of our packages: contracts, testing, local-stack.',
      severity: 'error',
      from: { path: '^test/' },
      to: { path: '^(services|packages|tools)/', pathNot: '^packages/(contracts|testing|local-stack|client)/' },
    },
    {
      name: 'src-never-imports-testing',
      comment: 'Test code in a running service is a test-only branch waiting to happen.',
      severity: 'error',
      from: { path: '^(services|packages)/(?!testing/)[^/]+/src/', pathNot: TEST_FILE },
      to: {
        path: [
          '^packages/testing/',
          '^tools/',
          TEST_FILE,
          '^services/[^/]+/(test-support|bench)/',
          'node_modules/(vitest|fast-check|@vitest)/',
        ],
      },
    },
    {
      name: 'services-never-import-local-stack',
      comment: 'The embedded stack starts services; a service that needs it could run nowhere else.',
      severity: 'error',
      from: { path: '^(services|packages/(contracts|kit))/', pathNot: TEST_FILE },
      to: { path: '^packages/local-stack/' },
    },
    {
      name: 'no-dev-deps-in-src',
      comment:
        'What runs must be declared in "dependencies" of the very package that imports it: images and other ' +
        'installs have nothing else.',
      severity: 'error',
      from: { path: '^(services|packages/(?!testing/)[^/]+)/.*src/', pathNot: TEST_FILE },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'] },
    },
  ],
  options: {
    // TypeScript 7 has no compiler API; swc reads the sources instead, type-only imports included.
    parser: 'swc',
    doNotFollow: { path: ['node_modules', '/src/gen/', '/dist/'] },
    exclude: { path: ['\\.turbo/'] },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['source', 'import', 'node', 'default', 'types'],
      mainFields: ['module', 'main', 'types'],
      extensions: ['.ts', '.js', '.json', '.d.ts'],
    },
    cache: false,
  },
};
