// Import rules, each with its reason. tools/boundaries.test.ts breaks every rule once.

const TEST_FILE = '\\.test\\.ts$';
const SERVICE_SRC = '^services/([^/]+)/src/';
const MESSAGING = '^packages/kit/src/messaging/';
/** The rooms of messaging, each with those above or beside it. */
const ROOMS = {
  '': '(request|publish|consume|repair)/',
  'request/': '(publish|consume|repair)/',
  'publish/': '(consume|repair)/',
  'consume/': '(publish|repair)/',
};

/** Rooms of the gateway, from the ground up. A request passes them from the top down. */
const GATEWAY_FLOORS = [
  ['json'],
  ['generations', 'auth'],
  ['request'],
  ['limits', 'answer', 'idempotency'],
  ['proxy', 'description', 'pipeline'],
];

/** Rooms of kit: primitives, tables, messages, requests, and at the top what runs a service. */
const KIT_FLOORS = [['runtime'], ['database'], ['messaging'], ['http'], ['feed', 'files', 'service']];

/**
 * Rooms of the register, from the ground up: requests and stored revisions, which all read; features; what feeds, exports and
 * redacts them.
 */
const REGISTER_FLOORS = [
  ['requests'],
  ['revisions'],
  ['history', 'search', 'stream', 'webhooks', 'ocds', 'statistics'],
  ['follow'],
  ['exports'],
  ['redaction'],
];

/** Rooms of the ledger, from the ground up: decisions; tables and the store of the log; who writes, and what is read. */
const LEDGER_FLOORS = [['domain'], ['store', 'files'], ['writer', 'http']];

/**
 * One rule for each room: it imports rooms of lower floors only. `house`: the folder of the rooms. Files beside the rooms (main, deps)
 * are above all of them; `ground` names those that are below.
 */
function floorRules(name, house, floors, ground = []) {
  return floors.flatMap((rooms, floor) =>
    rooms.map((room) => ({
      name: `${name}/${room}`,
      comment:
        'A room imports rooms of lower floors only, so that its code is read from the top down and arrows never run back.',
      severity: 'error',
      from: { path: `^${house}/${room}/`, pathNot: TEST_FILE },
      to: {
        path: `^${house}/`,
        pathNot: [room, ...floors.slice(0, floor).flat()]
          .map((lower) => `^${house}/${lower}/`)
          .concat(ground.map((file) => `^${house}/${file}\\.ts$`)),
      },
    })),
  );
}

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'everything-resolves',
      comment: 'No other rule can judge an import that does not resolve. After a fresh clone: npm run generate.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'no-cycles',
      comment: 'Files that import each other belong together, or share a third file. Type imports count.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'contracts-is-a-leaf',
      comment: 'All packages depend on contracts, so contracts depends on zod only.',
      severity: 'error',
      from: { path: '^packages/contracts/src/', pathNot: TEST_FILE },
      to: { couldNotResolve: false, pathNot: ['^packages/contracts/src/', 'node_modules/zod/'] },
    },
    {
      name: 'kit-without-domain',
      comment:
        'kit is machinery without domain words: of contracts it may import envelopes, pages of a log, problems, instants and the like, but ' +
        'no resource, no API of a service, no event type, and no rule of packages/domain.',
      severity: 'error',
      from: { path: '^packages/kit/src/', pathNot: TEST_FILE },
      to: {
        path: [
          '^services/',
          '^packages/(domain|testing|local-stack|client|ocds|proof|verify)/',
          '^packages/contracts/src/resources/',
          '^packages/contracts/src/reading/(?!(instant|body-result|json-object)\\.ts$)',
          '^packages/contracts/src/api/(?!(route|actor)\\.ts$)',
          '^packages/contracts/src/events/(?!(envelope|freezes|ownership|publications|subjects|streams)\\.ts$)',
          '^packages/kit/src/.*\\b(tender|bid|lot|award|auction|complaint|broker|procurement)s?\\b',
        ],
        pathNot: TEST_FILE,
      },
    },
    ...Object.entries(ROOMS).map(([room, others]) => ({
      name: `messaging-${room === '' ? 'ground' : room.slice(0, -1)}-imports-no-room-above`,
      comment:
        'The bus carries request/, which carries publish/ and consume/; repair/ stands on consume/. Each room is read without those above it.',
      severity: 'error',
      from: { path: `${MESSAGING}${room}[^/]+$`, pathNot: TEST_FILE },
      to: { path: `${MESSAGING}${others}` },
    })),
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
      name: 'ocds-is-pure',
      comment:
        'The mapping is a function of the public tender and the settings. node:crypto: ids and hashes of content.',
      severity: 'error',
      from: { path: '^packages/ocds/src/', pathNot: TEST_FILE },
      to: {
        couldNotResolve: false,
        pathNot: ['^packages/ocds/src/', '^packages/(contracts|domain)/src/', '^(node:)?crypto$'],
      },
    },
    {
      name: 'proof-is-pure',
      comment:
        'What makes and checks proofs is read by people who trust nobody: functions of their arguments, on node:crypto alone.',
      severity: 'error',
      from: { path: '^packages/proof/src/', pathNot: TEST_FILE },
      to: { couldNotResolve: false, pathNot: ['^packages/proof/src/', '^(node:)?crypto$'] },
    },
    {
      name: 'verifier-trusts-nobody',
      comment: 'The verifier has no code of what it checks: packages/proof, which is pure, commander and Node.',
      severity: 'error',
      from: { path: '^packages/verify/src/', pathNot: TEST_FILE },
      to: { path: '^(services|apps|tools|packages/(?!proof/|verify/))' },
    },
    {
      name: 'client-stands-alone',
      comment:
        'The published client has no dependency, and its main entry runs in browsers: only node.ts uses Node. Tests may import what they need.',
      severity: 'error',
      from: { path: '^packages/client/src/', pathNot: [TEST_FILE, '^packages/client/src/node\\.ts$'] },
      to: { couldNotResolve: false, pathNot: '^packages/client/src/' },
    },
    {
      name: 'domain-is-pure',
      comment:
        'A decision is a function of state and command: contracts, packages/domain, packages/ocds and packages/proof (pure themselves), types of the client and ' +
        'other decisions of its service, whose rooms may have a domain/ each. No kit, no Prisma, no Fastify, no NATS, no pino, no node: module.',
      severity: 'error',
      from: { path: '^((?:services|apps)/[^/]+)/src/[^/]*/?domain/', pathNot: TEST_FILE },
      to: {
        couldNotResolve: false,
        pathNot: [
          '^$1/src/[^/]*/?domain/',
          '^packages/(contracts|domain|ocds|proof)/src/',
          '^packages/client/src/client\\.ts$',
        ],
      },
    },
    {
      name: 'contracting-stands-apart',
      comment:
        'What follows a signature and the feed of contracts know of awards the types and the roles only, so that they can move to a ' +
        'service of their own (contracting.md 1).',
      severity: 'error',
      from: { path: '^services/awards/src/domain/(implementation|contract-feed)\\.', pathNot: TEST_FILE },
      to: {
        path: '^services/awards/src/',
        pathNot:
          '^services/awards/src/domain/(implementation\\.|contract-feed\\.|awarding\\.ts|awarding\\.permissions\\.ts)',
      },
    },
    {
      name: 'generations-are-pure',
      comment: 'A codec of a payload generation maps values to values; it needs shapes only.',
      severity: 'error',
      from: { path: '^services/gateway/src/generations/', pathNot: TEST_FILE },
      to: {
        pathNot: ['^services/gateway/src/(generations|json)/', '^packages/contracts/src/', '^packages/domain/src/'],
      },
    },
    ...floorRules('kit-floors', 'packages/kit/src', KIT_FLOORS, ['migrations']),
    ...floorRules('gateway-floors', 'services/gateway/src', GATEWAY_FLOORS, ['config', 'release', 'gen/client']),
    ...floorRules('register-floors', 'services/register/src', REGISTER_FLOORS),
    ...floorRules('ledger-floors', 'services/ledger/src', LEDGER_FLOORS, ['config']),
    {
      name: 'http-is-flat',
      comment: 'One file for each action, its tests beside it: services/<service>/src/http/<action>.ts. No folders.',
      severity: 'error',
      from: { path: `${SERVICE_SRC}http/[^/]+/` },
      to: {},
    },
    {
      name: 'no-service-to-service',
      comment: 'Services use HTTP and events only; a shared import would couple their deployments.',
      severity: 'error',
      from: { path: '^services/([^/]+)/' },
      to: { path: '^services/', pathNot: '^services/$1/' },
    },
    {
      name: 'apps-use-the-public-api',
      comment:
        'A program of apps/ can be exchanged for one that somebody else wrote, and serve another installation: it has the ' +
        'public API, and no events.',
      severity: 'error',
      from: { path: '^(apps/[^/]+)/' },
      to: { path: ['^apps/', '^services/', '^packages/contracts/src/events/'], pathNot: '^$1/' },
    },
    {
      name: 'nothing-imports-an-app',
      comment: 'An app is a program, not a library: the installation must work without it.',
      severity: 'error',
      from: { pathNot: '^apps/' },
      to: { path: '^apps/' },
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
      comment: 'Three entry points to the same decisions; code that two of them need belongs to domain/ or store/.',
      severity: 'error',
      from: { path: `${SERVICE_SRC}(http|events|clock)/`, pathNot: TEST_FILE },
      to: { path: '^services/$1/src/(http|events|clock)/', pathNot: '^services/$1/src/$2/' },
    },
    {
      name: 'store-imports-no-entry-point',
      comment: 'Routes and handlers use a store; it never calls them.',
      severity: 'error',
      from: { path: `${SERVICE_SRC}store/`, pathNot: TEST_FILE },
      to: { path: '^services/$1/src/(http|events|clock|app\\.ts|deps\\.ts|main\\.ts)' },
    },
    {
      name: 'tests-use-http-only',
      comment:
        'Stories use what a broker has: shapes and addresses. Allowed: contracts, testing, local-stack, client, proof and verify (which readers have), the validator of OCDS, the reader of their recordings, and that of the queries of Prometheus.',
      severity: 'error',
      from: { path: '^test/' },
      to: {
        path: '^(services|packages|tools)/',
        pathNot:
          '^(packages/((contracts|testing|local-stack|client|proof|verify)|ocds/test-support)/|tools/(openapi/recordings|deploy/metrics))',
      },
    },
    {
      name: 'src-never-imports-testing',
      comment: 'A running service must not contain test code.',
      severity: 'error',
      from: { path: '^(services|apps|packages)/(?!testing/)[^/]+/src/', pathNot: TEST_FILE },
      to: {
        path: [
          '^packages/testing/',
          '^tools/',
          TEST_FILE,
          '^(services|apps)/[^/]+/(test-support|bench)/',
          'node_modules/(vitest|fast-check|@vitest)/',
        ],
      },
    },
    {
      name: 'services-never-import-local-stack',
      comment: 'The local stack starts services; a service that needs it could not run elsewhere.',
      severity: 'error',
      from: { path: '^(services|apps|packages/(contracts|kit))/', pathNot: TEST_FILE },
      to: { path: '^packages/local-stack/' },
    },
    {
      name: 'no-dev-deps-in-src',
      comment:
        'Imports of running code must be in "dependencies" of the importing package: images and other installs have ' +
        'nothing else.',
      severity: 'error',
      from: { path: '^(services|apps|packages/(?!testing/)[^/]+)/.*src/', pathNot: TEST_FILE },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'] },
    },
  ],
  options: {
    // TypeScript 7 has no compiler API; swc reads the sources instead, type-only imports included.
    parser: 'swc',
    doNotFollow: { path: ['node_modules', '/src/gen/', '/dist/'] },
    // The parser reads no TSX: tools/tsx-imports.test.ts judges those files.
    exclude: { path: ['\\.turbo/', '\\.tsx$'] },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['source', 'import', 'node', 'default', 'types'],
      mainFields: ['module', 'main', 'types'],
      extensions: ['.ts', '.js', '.json', '.d.ts'],
    },
    cache: false,
  },
};
