import { AUTHOR } from '@procurement/testing/bodies';
import { fileUpload } from '../../support/file-upload.ts';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { EARLIEST, GENERATIONS, MIDDLE, SEGMENT_2_3, type Generation } from '../../support/generations.ts';
import { PARTY } from '../../support/request-bodies.ts';
import { bidBody, publishTender, generationClient } from '../../support/generation-client.ts';

const gatewayUrl = inject('gatewayUrl');

/** The methods of a path in a generation; `none`: 404. */
interface Endpoint {
  readonly path: string;
  readonly current: string;
  readonly middle: string;
  readonly earliest: string;
}

const endpointRow = (path: string, current: string, middle: string, earliest: string): Endpoint => ({
  path,
  current,
  middle,
  earliest,
});

/** The endpoints of interface.md and which generation has them (generations.md 6). Segments 2.5, 2.3 and 0 have the current ones. */
const ENDPOINTS: readonly Endpoint[] = [
  endpointRow('/spore', 'GET', 'GET', 'GET'),
  endpointRow('/tenders', 'GET POST', 'GET POST', 'GET POST'),
  endpointRow('/tenders/{tender}', 'GET PUT PATCH', 'GET PUT PATCH', 'GET PUT PATCH'),
  endpointRow('/tenders/{tender}/auction', 'GET POST PATCH', 'GET PATCH', 'GET PATCH'),
  endpointRow('/tenders/{tender}/documents', 'GET POST', 'GET POST', 'GET POST'),
  endpointRow('/tenders/{tender}/documents/{document}', 'GET PUT PATCH', 'GET PUT', 'GET PUT'),
  endpointRow('/tenders/{tender}/bids', 'GET POST', 'none', 'none'),
  endpointRow('/tenders/{tender}/bids/{bid}', 'GET PATCH DELETE', 'none', 'none'),
  endpointRow('/tenders/{tender}/bids/{bid}/documents', 'GET POST', 'none', 'none'),
  endpointRow('/tenders/{tender}/bids/{bid}/documents/{bidDocument}', 'GET PUT PATCH', 'none', 'none'),
  endpointRow('/tenders/{tender}/bidders', 'none', 'GET POST', 'POST'),
  endpointRow('/tenders/{tender}/bidders/{bid}', 'none', 'GET PATCH DELETE', 'GET'),
  endpointRow('/tenders/{tender}/bidders/{bid}/documents', 'none', 'GET POST', 'POST'),
  endpointRow('/tenders/{tender}/bidders/{bid}/documents/{bidDocument}', 'none', 'GET PUT', 'GET'),
  endpointRow('/tenders/{tender}/awards', 'GET POST', 'GET POST', 'POST'),
  endpointRow('/tenders/{tender}/awards/{award}', 'GET PATCH', 'GET', 'GET'),
  endpointRow('/tenders/{tender}/questions', 'GET POST', 'none', 'none'),
  endpointRow('/tenders/{tender}/questions/{question}', 'GET PATCH', 'none', 'none'),
  endpointRow('/tenders/{tender}/complaints', 'GET POST', 'none', 'none'),
  endpointRow('/tenders/{tender}/complaints/{complaint}', 'GET PATCH', 'none', 'none'),
];

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
const BODILESS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'DELETE']);

/** Lists methods in the order of the `Allow` header; HEAD goes with GET. */
function listMethods({ current, middle, earliest }: Endpoint, { name }: Generation): readonly string[] | undefined {
  const early: Readonly<Record<string, string>> = { [MIDDLE.name]: middle, [EARLIEST.name]: earliest };
  const listed = early[name] ?? current;
  return listed === 'none' ? undefined : listed.replace('GET', 'GET HEAD').split(' ');
}

/** The paths that segment 2.5 refuses on a new tender. */
const CLOSED_ON_2_5 = /\/(auction|bids|bids\/.*)$/;

function expectedStatus(endpoint: Endpoint, generation: Generation, method: string): number {
  const methods = listMethods(endpoint, generation);
  if (methods === undefined) return 404;
  if (!methods.includes(method)) return 405;
  if (method !== 'GET' && method !== 'HEAD') return 401;
  return generation.segment === '2.5' && CLOSED_ON_2_5.test(endpoint.path) ? 403 : 200;
}

const REFUSALS: Readonly<Record<number, readonly object[]>> = {
  401: [{ location: 'header', name: 'Authorization', description: 'Broker API key required' }],
  404: [{ location: 'url', name: 'not_found', description: 'Not Found' }],
  405: [{ location: 'url', name: 'method_not_allowed', description: 'Method Not Allowed' }],
};

/** A tender with one resource of each kind, created on 2.3. Answers their ids by the names in the paths above. */
async function createOneOfEach(): Promise<ReadonlyMap<string, string>> {
  const { path, id, tokenQuery, owner } = await publishTender(gatewayUrl, SEGMENT_2_3);
  const seller = generationClient(gatewayUrl, SEGMENT_2_3, 'broker2');
  const ids = new Map([['tender', id]]);
  const bid = (await seller.post(`${path}/bids`, bidBody(SEGMENT_2_3, 400))).body;
  ids.set('bid', bid.data.id);
  const file = fileUpload('тендер.pdf', 'application/pdf', '%PDF');
  const bidDocuments = `${path}/bids/${bid.data.id}/documents?acc_token=${bid.access.token}`;
  ids.set('bidDocument', (await seller.request('POST', bidDocuments, file)).body.data.id);
  ids.set('document', (await owner.request('POST', `${path}/documents${tokenQuery}`, file)).body.data.id);
  const award = { awardStatus: 'active', suppliers: [PARTY], awardValue: { amount: 400 } };
  ids.set('award', (await owner.post(`${path}/awards${tokenQuery}`, award)).body.data.awardID);
  const content = { author: AUTHOR, title: 'Питання', description: 'Яке?' };
  ids.set('question', (await seller.post(`${path}/questions`, content)).body.data.id);
  ids.set('complaint', (await seller.post(`${path}/complaints`, content)).body.data.id);
  return ids;
}

let ids: ReadonlyMap<string, string> = new Map();
beforeAll(async () => {
  ids = await createOneOfEach();
});

// Requests have no key: 401 to a write that exists, 404 or 405 to one that does not (rulings R1).
describe.each(GENERATIONS)('the endpoints of interface.md, generation $name', (generation) => {
  const anyone = generationClient(gatewayUrl, generation);

  it.each(ENDPOINTS)('$path', async (endpoint) => {
    const path = endpoint.path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => ids.get(name) ?? name);
    const methods = listMethods(endpoint, generation);
    const responses = METHODS.map(async (method) => {
      const options = BODILESS.has(method) ? {} : { data: {} };
      return { method, answer: await anyone.request(method, path, options) };
    });
    for (const { method, answer } of await Promise.all(responses)) {
      const status = expectedStatus(endpoint, generation, method);
      expect([method, answer.status]).toEqual([method, status]);
      if (REFUSALS[status] !== undefined && method !== 'HEAD')
        expect(answer.body.errors).toMatchObject(REFUSALS[status]);
      if (status === 405) expect(answer.headers.get('allow')).toBe(methods?.join(', '));
    }
  });
});
