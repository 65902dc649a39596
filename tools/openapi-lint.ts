import { createConfig, lintFromString } from '@redocly/openapi-core';
import { selectRoutes } from '@procurement/contracts/api/routes';
import type { Segment } from '@procurement/contracts/api/route';
import { gatewayRoutes } from '../services/gateway/src/description/gateway-routes.ts';
import { buildCatalog, openApi } from '../services/gateway/src/description/openapi.ts';
import { EXAMPLES } from '../services/gateway/src/description/examples.golden.ts';
import { segmentExamples } from '../services/gateway/src/description/segment-examples.ts';
import { makeCodecs } from '../services/gateway/src/generations/codecs-by-segment.ts';
import { selectSchemas } from '../services/gateway/src/generations/openapi-schemas.ts';
import { SEGMENTS } from '../services/gateway/src/generations/segments.ts';
import { selectContracts } from '../services/gateway/src/request/routes.table.ts';

// `npm run check -- openapi`: the documents of all segments by the rules of Redocly. Any finding fails.
// The library, not its command line, which brings a server of pages.

/** Rules beyond the set `recommended`, of which none is left out. */
const RULES = {
  'info-contact': 'error',
  'tag-description': 'error',
  'operation-description': 'error',
  'operation-operationId': 'error',
  'parameter-description': 'error',
  'no-duplicated-tag-names': 'error',
} as const;

const BASE = 'https://api.procurement.test';
const routes = selectRoutes({ sandbox: true });
const allRoutes = [...gatewayRoutes, ...routes];
const catalog = buildCatalog(allRoutes);
const codecOf = makeCodecs(BASE);

function buildDocument(segment: Segment): string {
  const about = { segment, generation: segment, baseUrl: `${BASE}/api/${segment}`, release: '1.0.0', sandbox: true };
  const document = openApi(selectContracts(segment, allRoutes), about, {
    catalog,
    overrides: selectSchemas(segment, 'middle'),
    examples: segmentExamples(EXAMPLES, { codec: codecOf(segment), routes, generation01: 'middle' }),
  });
  return JSON.stringify(document);
}

const config = await createConfig({ extends: ['recommended'], rules: RULES });
let found = 0;
for (const segment of new Set<Segment>(Object.values(SEGMENTS))) {
  const problems = await lintFromString({ source: buildDocument(segment), absoluteRef: `${segment}.json`, config });
  found += problems.length;
  for (const { ruleId, message, location } of problems) {
    console.error(`${segment} ${ruleId}: ${message} (${location[0]?.pointer ?? ''})`);
  }
}
process.exitCode = found === 0 ? 0 : 1;
