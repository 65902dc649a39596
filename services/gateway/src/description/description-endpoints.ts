import type { DescribedRoute } from './described-route.ts';
import { buildCatalog, openApi } from './openapi.ts';
import type { Segment } from '@procurement/contracts/api/route';
import { sporeDescription } from './spore.ts';
import { problem } from '@procurement/contracts/problems/problems';
import { DAY, type Instant } from '@procurement/contracts/reading/instant';
import { sendProblem } from '@procurement/kit/http/server';
import { systemClock } from '@procurement/kit/runtime/clock';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sendPreflight } from '../answer/preflight.ts';
import type { DescriptionDeps } from './deps.ts';
import { RELEASE } from '../release.ts';
import { SEGMENTS, type PublicSegment } from '../generations/segments.ts';
import { selectContracts, DESCRIPTION_PATHS, READ_ONLY } from '../request/routes.table.ts';
import type { Generation01 } from '../generations/codec.ts';
import { makeCodecs } from '../generations/codecs-by-segment.ts';
import { selectSchemas } from '../generations/openapi-schemas.ts';
import { makeSendDocument } from './send-document.ts';
import { EXAMPLES, RECORDED_AT } from './examples.golden.ts';
import { examplesOfDay } from './examples-of-day.ts';
import { segmentExamples } from './segment-examples.ts';
import { gatewayRoutes } from './gateway-routes.ts';

const OTHER_METHODS = ['POST', 'PUT', 'PATCH', 'DELETE'];

const refuseMethod = async (_request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> =>
  sendProblem(reply, problem('request.method', {}, { allow: READ_ONLY }));

/**
 * Endpoints that describe the API. Each document is made at its first request, since all of them took a quarter of the start. Those with
 * examples are made again every day. Answers what makes the text of the OpenAPI document of a segment.
 */
export function registerDescription(app: FastifyInstance, deps: DescriptionDeps): (segment: PublicSegment) => string {
  const openApiTexts = new Map<PublicSegment, () => string>();
  const generations = [...new Set<Segment>(Object.values(SEGMENTS))].sort();
  const allRoutes: readonly DescribedRoute[] = [...gatewayRoutes, ...deps.contracts];
  const sendDocument = makeSendDocument(deps.config);
  const catalog = once(() => buildCatalog(allRoutes));
  const examples = onceADay((today) => examplesOfDay(EXAMPLES, RECORDED_AT, today));
  const codecOf = makeCodecs(deps.responseSettings.base);
  const version = JSON.stringify({ API: RELEASE, segments: generations });
  // Safe cast: the keys of a constant object are those of its type.
  for (const segment of Object.keys(SEGMENTS) as PublicSegment[]) {
    const description = {
      segment,
      generation: SEGMENTS[segment],
      baseUrl: `${deps.responseSettings.base}/api/${segment}`,
      release: RELEASE,
      sandbox: deps.responseSettings.sandbox,
    };
    const buildDocuments = (generation01: Generation01) => {
      const contracts = selectContracts(description.generation, allRoutes, generation01);
      return {
        '/spore': once(() => JSON.stringify(sporeDescription(contracts, description))),
        '/version': () => version,
        '/openapi.json': onceADay(() =>
          JSON.stringify(
            openApi(contracts, description, {
              catalog: catalog(),
              overrides: selectSchemas(description.generation, generation01),
              examples: segmentExamples(examples(), {
                codec: codecOf(segment),
                routes: deps.contracts,
                generation01,
              }),
            }),
          ),
        ),
      };
    };
    const documents = buildDocuments('middle');
    openApiTexts.set(segment, documents['/openapi.json']);
    // Two generations share segment 0.1; a client gets the description of its own.
    const earliest = description.generation === '0.1' ? buildDocuments('earliest') : documents;
    for (const [path, text] of Object.entries(documents)) {
      const earliestText = Object.entries(earliest).find(([name]) => name === path)?.[1] ?? text;
      app.get(`/api/${segment}${path}`, async (request, reply) => {
        const { generation01 } = request.context;
        const name = nameOfDay(`${generation01} ${segment}${path}`);
        return sendDocument(request, reply, name, generation01 === 'earliest' ? earliestText() : text());
      });
    }
    for (const path of DESCRIPTION_PATHS) {
      app.options(`/api/${segment}${path}`, async (_request, reply) => sendPreflight(reply, READ_ONLY));
      app.route({ method: OTHER_METHODS, url: `/api/${segment}${path}`, handler: refuseMethod });
    }
    if (segment === '2.5') {
      const text = documents['/openapi.json'];
      app.get('/openapi.json', async (request, reply) =>
        sendDocument(request, reply, nameOfDay('openapi.json'), text()),
      );
    }
  }
  return (segment) => openApiTexts.get(segment)?.() ?? '';
}

/** Made again at the first use of each day. */
function onceADay<T>(make: (today: Instant) => T): () => T {
  let kept: { readonly day: number; readonly made: T } | undefined;
  return () => {
    const today = systemClock.now();
    const day = dayOf(today);
    if (kept?.day !== day) kept = { day, made: make(today) };
    return kept.made;
  };
}

/** Name of a text that may be another one tomorrow. */
function nameOfDay(name: string): string {
  return `${name} ${dayOf(systemClock.now())}`;
}

function dayOf(instant: Instant): number {
  return Math.floor(instant / DAY);
}

function once<T extends object | string>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}
