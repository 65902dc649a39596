import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Segment } from '@procurement/contracts/api/route';
import { selectRoutes } from '@procurement/contracts/api/routes';
import { gatewayRoutes } from '../services/gateway/src/description/gateway-routes.ts';
import type { DescribedSegment } from '../services/gateway/src/description/described-route.ts';
import { buildCatalog, openApi } from '../services/gateway/src/description/openapi.ts';
import { selectSchemas } from '../services/gateway/src/generations/openapi-schemas.ts';
import { selectContracts } from '../services/gateway/src/request/routes.table.ts';
import { writeDeclarations } from './client/declarations.ts';
import { withSettableStatuses } from './client/settable-statuses.ts';

// `npm run client-types` writes the types of the client from the OpenAPI document of segment 2.5; with `check` it only compares
// (docs/decisions/0095-client-package.md).
const TYPES_PATH = join(import.meta.dirname, '../packages/client/src/resources.golden.ts');
/** Parts of envelopes and errors: the client has its own types of them. */
const LEFT_OUT: ReadonlySet<string> = new Set(['Problem', 'RequestAccess', 'RequestOptions']);
/** Those that a method of the client takes. */
const QUERIES: ReadonlySet<string> = new Set([
  'GetStatisticsQuery',
  'ListExportsQuery',
  'ListRevisionsQuery',
  'LookupTendersQuery',
  'OpenStreamQuery',
  'SearchBuyersQuery',
  'SearchTendersQuery',
]);
const SEGMENT = '2.5' satisfies Segment;

const allRoutes = [...gatewayRoutes, ...selectRoutes({ sandbox: true })];
const about: DescribedSegment = {
  segment: SEGMENT,
  generation: SEGMENT,
  baseUrl: 'https://api.example.org',
  release: '0',
  sandbox: false,
};
const document = openApi(selectContracts(SEGMENT, allRoutes, 'middle'), about, {
  catalog: buildCatalog(allRoutes),
  overrides: selectSchemas(SEGMENT, 'middle'),
  examples: {},
});
// The components of every document have schemas.
const components = document.components['schemas'] as Readonly<Record<string, unknown>>;
const schemas = Object.fromEntries(
  Object.entries(components)
    .filter(([name]) => !LEFT_OUT.has(name))
    .map(([name, schema]) => [name, withSettableStatuses(name, schema)]),
);
/** Parameters of reads, for the methods that take many of them: `SearchTendersQuery`. */
const queries = Object.values(document.paths)
  .flatMap((methods) => Object.values(methods))
  .flatMap((operation) => buildQuerySchema(operation as unknown as DescribedOperation));

interface DescribedOperation {
  readonly operationId: string;
  readonly parameters: readonly {
    readonly in?: string;
    readonly name: string;
    readonly required?: boolean;
    readonly description?: string;
    readonly schema: object;
  }[];
}

function buildQuerySchema({ operationId, parameters }: DescribedOperation): readonly (readonly [string, unknown])[] {
  // Parameters of all operations are references.
  const own = parameters.filter((parameter) => parameter.in === 'query');
  if (own.length === 0) return [];
  const properties = Object.fromEntries(own.map(({ name, description, schema }) => [name, { ...schema, description }]));
  const required = own.filter((parameter) => parameter.required === true).map(({ name }) => name);
  const name = `${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}Query`;
  return QUERIES.has(name) ? [[name, { type: 'object', properties, required }]] : [];
}
const text = `// Made of the OpenAPI document of segment ${SEGMENT} by: npm run client-types\n\n${writeDeclarations({ ...schemas, ...Object.fromEntries(queries) })}`;

if (process.argv[2] === 'check') {
  const isCurrent = readFileSync(TYPES_PATH, 'utf8') === text;
  if (!isCurrent) console.error('The types of the client differ from OpenAPI. Write them again: npm run client-types');
  process.exitCode = isCurrent ? 0 : 1;
} else writeFileSync(TYPES_PATH, text);
