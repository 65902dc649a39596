import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Segment } from '@procurement/contracts/api/route';
import { routesOf } from '@procurement/contracts/api/routes';
import { gatewayRoutes } from '../services/gateway/src/description/gateway-routes.ts';
import type { DescribedSegment } from '../services/gateway/src/description/described-route.ts';
import { catalogOf, openApi } from '../services/gateway/src/description/openapi.ts';
import { schemasOf } from '../services/gateway/src/generations/openapi-schemas.ts';
import { contractsOf } from '../services/gateway/src/routes.table.ts';
import { declarationsOf } from './client/declarations.ts';

// `npm run client-types` writes the types of the client from the OpenAPI document of segment 2.5; with `check` it only compares
// (docs/decisions/0095-client-package.md).
const TYPES_PATH = join(import.meta.dirname, '../packages/client/src/resources.golden.ts');
/** Parts of envelopes and errors: the client has its own types of them. */
const LEFT_OUT: ReadonlySet<string> = new Set(['Problem', 'RequestAccess', 'RequestOptions']);
const SEGMENT = '2.5' satisfies Segment;

const allRoutes = [...gatewayRoutes, ...routesOf({ sandbox: true })];
const about: DescribedSegment = {
  segment: SEGMENT,
  generation: SEGMENT,
  baseUrl: 'https://api.example.org',
  release: '0',
  sandbox: false,
};
const document = openApi(contractsOf(SEGMENT, allRoutes, 'middle'), about, {
  catalog: catalogOf(allRoutes),
  overrides: schemasOf(SEGMENT, 'middle'),
  examples: {},
});
// The components of every document have schemas.
const components = document.components['schemas'] as Readonly<Record<string, unknown>>;
const schemas = Object.fromEntries(Object.entries(components).filter(([name]) => !LEFT_OUT.has(name)));
const text = `// Made of the OpenAPI document of segment ${SEGMENT} by: npm run client-types\n\n${declarationsOf(schemas)}`;

if (process.argv[2] === 'check') {
  const isCurrent = readFileSync(TYPES_PATH, 'utf8') === text;
  if (!isCurrent) console.error('The types of the client differ from OpenAPI. Write them again: npm run client-types');
  process.exitCode = isCurrent ? 0 : 1;
} else writeFileSync(TYPES_PATH, text);
