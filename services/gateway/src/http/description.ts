import { openApi, type SegmentShapes } from '@procurement/contracts/openapi';
import type { Segment } from '@procurement/contracts/api/route';
import { spore } from '@procurement/contracts/api/spore';
import { JSON_TYPE } from '@procurement/kit/server';
import type { FastifyInstance } from 'fastify';
import { sendPreflight } from '../answers/preflight.ts';
import type { Deps } from '../deps.ts';
import { RELEASE } from '../release.ts';
import { SEGMENTS, type PublicSegment } from '../routes.table.ts';
import { shapes23 } from '../generations/v2.3.shapes.ts';
import { ownRoutes } from './own-routes.ts';

/** What a generation shows otherwise than 2.5. */
const SHAPES: Readonly<Partial<Record<Segment, SegmentShapes>>> = { '2.3': shapes23 };

/** Endpoints that describe the API, made once from the table of routes, so that they cannot drift from it. */
export function registerDescription(app: FastifyInstance, deps: Deps): void {
  const generations = [...new Set<Segment>(Object.values(SEGMENTS))].sort();
  const version = JSON.stringify({ API: RELEASE, segments: generations });
  // The keys of a constant object are its type's keys.
  for (const segment of Object.keys(SEGMENTS) as PublicSegment[]) {
    const about = {
      segment,
      generation: SEGMENTS[segment],
      baseUrl: `${deps.answers.base}/api/${segment}`,
      release: RELEASE,
    };
    const contracts = [...ownRoutes, ...deps.contracts];
    const texts = {
      '/spore': JSON.stringify(spore(contracts, about)),
      '/version': version,
      '/openapi.json': JSON.stringify(openApi(contracts, about, SHAPES[about.generation])),
    };
    for (const [path, text] of Object.entries(texts)) {
      app.get(`/api/${segment}${path}`, async (_request, reply) => reply.header('content-type', JSON_TYPE).send(text));
    }
    for (const path of [...Object.keys(texts), '/health']) {
      app.options(`/api/${segment}${path}`, async (_request, reply) => sendPreflight(reply, 'GET, HEAD'));
    }
    if (segment === '2.5') {
      const text = texts['/openapi.json'];
      app.get('/openapi.json', async (_request, reply) => reply.header('content-type', JSON_TYPE).send(text));
    }
  }
}
