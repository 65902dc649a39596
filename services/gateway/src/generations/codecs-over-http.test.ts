import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { sendJson } from '../../test-support/fake-service.ts';
import { fixture } from '../../test-support/generations.ts';
import { basic, runningGateway, type RunningGateway } from '../../test-support/running-gateway.ts';

const stored = fixture('tender.canonical.json');
const { id } = stored;

let gateway: RunningGateway;
beforeAll(async () => {
  gateway = await runningGateway();
});
afterAll(async () => gateway.close());
afterEach(() => {
  for (const service of [gateway.tenders, gateway.bids]) {
    service.received.length = 0;
    service.respond = (_seen, response) => sendJson(response, 200, '{"data":{}}');
  }
});
const request = async (path: string, init: RequestInit = {}) =>
  fetch(`${gateway.url}${path}`, { redirect: 'manual', ...init });
const write = async (method: string, path: string, data: object, headers: Record<string, string> = {}) =>
  request(path, {
    method,
    body: JSON.stringify({ data, access: { token: 'T' } }),
    headers: { 'content-type': 'application/json', ...basic('broker1'), ...headers },
  });

// JSON whose members each test states.
const readJson = async (answer: Response): Promise<any> => answer.json();
// A method of a SPORE description.
const methodAndPath = (one: any): string => `${one.method} ${one.path}`;

describe('older segments through the gateway', () => {
  it.each([
    ['0', '', 'tender.0.json', null],
    ['0.1', '', 'tender.0.1-middle.json', 'middle'],
    ['0.1', '?generation=earliest', 'tender.0.1-earliest.json', 'earliest'],
    ['0.1', '', 'tender.0.1-middle.json', 'middle'],
  ])('GET of a tender on %s%s', async (segment, query, file, generation) => {
    gateway.tenders.respond = (_seen, response) =>
      sendJson(response, 200, JSON.stringify({ data: stored }), { etag: '"3-2.5"' });
    const answer = await request(`/api/${segment}/tenders/${id}${query}`);
    expect((await readJson(answer)).data).toEqual(fixture(file));
    expect(answer.headers.get('x-generation')).toBe(generation);
    expect(answer.headers.get('vary')).toBe(generation === null ? 'Accept-Encoding' : 'Accept, Accept-Encoding');
  });

  it('an unknown or contradictory wish of a generation is a 400, also told as middle', async () => {
    const answer = await request(`/api/0.1/tenders/${id}?generation=newest`);
    expect([answer.status, answer.headers.get('x-generation')]).toEqual([400, 'middle']);
    const other = await request(`/api/0.1/tenders/${id}?generation=middle`, {
      headers: { accept: 'application/json; generation=earliest' },
    });
    expect(await other.json()).toMatchObject({
      errors: [{ location: 'querystring', name: 'generation' }],
    });
  });

  it('bidders are bids to the service, and its address becomes one of bidders', async () => {
    gateway.bids.respond = (_seen, response) =>
      sendJson(response, 201, '{"access":{"token":"x"},"data":{"id":"b","status":"active"}}', {
        location: `https://api.example.org/api/2.5/tenders/${id}/bids/b`,
      });
    const answer = await write('POST', `/api/0.1/tenders/${id}/bidders`, fixture('create.bid.0.1.json').data);
    expect(gateway.bids.received.map(({ url }) => url)).toEqual([`/tenders/${id}/bids`]);
    expect(JSON.parse(gateway.bids.received[0]?.body ?? '')).toEqual({
      data: fixture('create.bid.0.1.expected.json'),
    });
    expect(answer.headers.get('location')).toBe(`https://api.example.org/api/0.1/tenders/${id}/bidders/b`);
    expect(await readJson(answer)).toEqual({
      access: { token: 'x' },
      data: { id: 'b', status: 'registration' },
    });
  });

  it.each([
    [`/api/0.1/tenders/${id}/bids`, 404],
    [`/api/0.1/tenders/${id}/questions`, 404],
    [`/api/0.1/tenders/${id}/bidders/b?generation=earliest`, 404],
    ['/api/0.12/tenders', 404],
  ])('%s is a %d before any service is asked', async (path, status) => {
    expect((await request(path)).status).toBe(status);
    expect([...gateway.tenders.received, ...gateway.bids.received]).toEqual([]);
  });

  it('a method that earliest lacks goes on with what it allows', async () => {
    await request(`/api/0.1/tenders/${id}/bidders?generation=earliest`);
    expect(gateway.bids.received[0]?.identity?.allow).toBe('POST');
  });

  it('a PATCH on 0.1 is made on what is stored, and on that version only', async () => {
    let version = 3;
    gateway.tenders.respond = ({ method, headers }, response) => {
      if (method === 'GET') sendJson(response, 200, JSON.stringify({ data: stored }), { etag: `"${version}-2.5"` });
      else if (headers['if-match'] === `"4-2.5"`) sendJson(response, 200, JSON.stringify({ data: stored }));
      else {
        version = 4;
        sendJson(response, 412, '{"status":"error","errors":[]}');
      }
    };
    const answer = await write('PATCH', `/api/0.1/tenders/${id}`, fixture('patch.tender.0.1-earliest.json').data);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('x-generation')).toBe('earliest');
    expect((await readJson(answer)).data).toEqual(fixture('tender.0.1-earliest.json'));
    expect(gateway.tenders.received.map(({ method }) => method)).toEqual(['GET', 'PATCH', 'GET', 'PATCH']);
    expect(gateway.tenders.received[3]?.identity?.tokenHash).toBeDefined();
    expect(JSON.parse(gateway.tenders.received[3]?.body ?? '').data).toMatchObject({
      minimalStep: { currency: 'EUR' },
    });
  });

  it('answers a POST on 0.1 in the generation of its body: earliest names in, earliest names out', async () => {
    gateway.tenders.respond = (_received, response) => sendJson(response, 201, JSON.stringify({ data: stored }));
    const answer = await write('POST', '/api/0.1/tenders', fixture('create.tender.0.1-earliest.json').data);
    expect([answer.status, answer.headers.get('x-generation')]).toEqual([201, 'earliest']);
    expect((await readJson(answer)).data).toEqual(fixture('tender.0.1-earliest.json'));
  });

  it('a lost race after three tries is a 409', async () => {
    gateway.tenders.respond = ({ method }, response) =>
      method === 'GET'
        ? sendJson(response, 200, JSON.stringify({ data: stored }), { etag: '"3-2.5"' })
        : sendJson(response, 412, '{"status":"error","errors":[]}');
    expect((await write('PUT', `/api/0/tenders/${id}`, fixture('put.tender.0.json').data)).status).toBe(409);
    expect(gateway.tenders.received.length).toBe(6);
  });

  it('a tender that cannot be seen is left for the service to refuse', async () => {
    gateway.tenders.respond = (_seen, response) =>
      sendJson(
        response,
        404,
        '{"status":"error","errors":[{"location":"url","name":"tender_id","description":"Not Found"}]}',
      );
    const answer = await write('PATCH', `/api/0.1/tenders/${id}`, { totalValue: { amount: 1 } });
    expect([answer.status, (await readJson(answer)).errors[0].name]).toEqual([404, 'tender_id']);
  });

  it('a refusal of the codec travels, and one of the service speaks the names of the request', async () => {
    gateway.tenders.respond = ({ method }, response) =>
      method === 'GET'
        ? sendJson(response, 200, JSON.stringify({ data: stored }), { etag: '"3-2.5"' })
        : sendJson(
            response,
            422,
            '{"status":"error","errors":[{"location":"body","name":"value","description":{"amount":["x"]}}]}',
          );
    const answer = await write('PATCH', `/api/0.1/tenders/${id}`, { budgetLine: 1 });
    expect(gateway.tenders.received[1]?.headers['content-type']).toContain('refusal');
    expect((await readJson(answer)).errors[0].name).toBe('totalValue');
  });

  it('opt_fields are asked for by canonical names', async () => {
    await request('/api/0.1/tenders?opt_fields=totalValue,mode&limit=2');
    expect(gateway.tenders.received[0]?.url).toBe('/tenders?limit=2&opt_fields=value');
  });

  it('SPORE of 0.1 is that of the chosen generation', async () => {
    const paths = async (query: string) =>
      Object.values((await readJson(await request(`/api/0.1/spore${query}`))).methods).map(methodAndPath);
    expect(await paths('')).toContain('GET /tenders/:tender_id/bidders');
    expect(await paths('?generation=earliest')).not.toContain('GET /tenders/:tender_id/bidders');
  });
});
