import { describe, expect, it } from 'vitest';
import { sendJson } from '../../test-support/fake-service.ts';
import { fixture } from '../../test-support/generations.ts';
import { basic, requestsTo } from '../../test-support/running-gateway.ts';
import { setupGateway } from '../../test-support/setup-gateway.ts';

const stored = fixture('tender.canonical.json');
const { id } = stored;

const gateway = setupGateway();
const request = requestsTo(gateway);
const write = async (method: string, path: string, data: object, headers: Record<string, string> = {}) =>
  request(path, {
    method,
    body: JSON.stringify({ data, access: { token: 'T' } }),
    headers: { 'content-type': 'application/json', ...basic('broker1'), ...headers },
  });

// The tests assert the members of this JSON.
const readJson = async (response: Response): Promise<any> => response.json();
// A method of a SPORE description is untyped JSON.
const methodAndPath = (sporeMethod: any): string => `${sporeMethod.method} ${sporeMethod.path}`;

describe('a request on an older segment', () => {
  it.each([
    ['0', '', 'tender.0.json', null],
    ['0.1', '', 'tender.0.1-middle.json', 'middle'],
    ['0.1', '?generation=earliest', 'tender.0.1-earliest.json', 'earliest'],
    ['0.1', '', 'tender.0.1-middle.json', 'middle'],
  ])('encodes the tender of a GET on %s%s', async (segment, query, file, generation) => {
    gateway().tenders.respond = (_received, response) =>
      sendJson(response, 200, JSON.stringify({ data: stored }), { etag: '"3-2.5"' });
    const reply = await request(`/api/${segment}/tenders/${id}${query}`);
    expect((await readJson(reply)).data).toEqual(fixture(file));
    expect(reply.headers.get('x-generation')).toBe(generation);
    expect(reply.headers.get('vary')).toBe(generation === null ? 'Accept-Encoding' : 'Accept, Accept-Encoding');
  });

  it('refuses an unknown generation, or two that differ, with 400 and X-Generation: middle', async () => {
    const reply = await request(`/api/0.1/tenders/${id}?generation=newest`);
    expect([reply.status, reply.headers.get('x-generation')]).toEqual([400, 'middle']);
    const other = await request(`/api/0.1/tenders/${id}?generation=middle`, {
      headers: { accept: 'application/json; generation=earliest' },
    });
    expect(await other.json()).toMatchObject({
      errors: [{ location: 'querystring', name: 'generation' }],
    });
  });

  it('sends a POST of bidders on 0.1 to /bids of the service, and rewrites its Location to bidders', async () => {
    gateway().bids.respond = (_received, response) =>
      sendJson(response, 201, '{"access":{"token":"x"},"data":{"id":"b","status":"active"}}', {
        location: `https://api.example.org/api/2.5/tenders/${id}/bids/b`,
      });
    const reply = await write('POST', `/api/0.1/tenders/${id}/bidders`, fixture('create.bid.0.1.json').data);
    expect(gateway().bids.received.map(({ url }) => url)).toEqual([`/tenders/${id}/bids`]);
    expect(JSON.parse(gateway().bids.received[0]?.body ?? '')).toEqual({
      data: fixture('create.bid.0.1.expected.json'),
    });
    expect(reply.headers.get('location')).toBe(`https://api.example.org/api/0.1/tenders/${id}/bidders/b`);
    expect(await readJson(reply)).toEqual({
      access: { token: 'x' },
      data: { id: 'b', status: 'registration' },
    });
  });

  it.each([
    [`/api/0.1/tenders/${id}/bids`, 404],
    [`/api/0.1/tenders/${id}/questions`, 404],
    ['/api/0.12/tenders', 404],
  ])('answers %s with %d without calling a service', async (path, status) => {
    expect((await request(path)).status).toBe(status);
    expect([...gateway().tenders.received, ...gateway().bids.received]).toEqual([]);
  });

  it('forwards a method that earliest lacks with the list of allowed methods', async () => {
    await request(`/api/0.1/tenders/${id}/bidders?generation=earliest`);
    expect(gateway().bids.received[0]?.identity?.allow).toBe('POST');
  });

  it('computes a PATCH on 0.1 from the stored object, and repeats it when the version has changed', async () => {
    let version = 3;
    gateway().tenders.respond = ({ method, headers }, response) => {
      if (method === 'GET') sendJson(response, 200, JSON.stringify({ data: stored }), { etag: `"${version}-2.5"` });
      else if (headers['if-match'] === `"4-2.5"`) sendJson(response, 200, JSON.stringify({ data: stored }));
      else {
        version = 4;
        sendJson(response, 412, '{"status":"error","errors":[]}');
      }
    };
    const reply = await write('PATCH', `/api/0.1/tenders/${id}`, fixture('patch.tender.0.1-earliest.json').data);
    expect(reply.status).toBe(200);
    expect(reply.headers.get('x-generation')).toBe('earliest');
    expect((await readJson(reply)).data).toEqual(fixture('tender.0.1-earliest.json'));
    expect(gateway().tenders.received.map(({ method }) => method)).toEqual(['GET', 'PATCH', 'GET', 'PATCH']);
    expect(gateway().tenders.received[3]?.identity?.tokenHash).toBeDefined();
    expect(JSON.parse(gateway().tenders.received[3]?.body ?? '').data).toMatchObject({
      minimalStep: { currency: 'EUR' },
    });
  });

  it('answers a POST on 0.1 in the generation of its body: earliest names in, earliest names out', async () => {
    gateway().tenders.respond = (_received, response) => sendJson(response, 201, JSON.stringify({ data: stored }));
    const reply = await write('POST', '/api/0.1/tenders', fixture('create.tender.0.1-earliest.json').data);
    expect([reply.status, reply.headers.get('x-generation')]).toEqual([201, 'earliest']);
    expect((await readJson(reply)).data).toEqual(fixture('tender.0.1-earliest.json'));
  });

  it('answers 409 after losing the race three times', async () => {
    gateway().tenders.respond = ({ method }, response) =>
      method === 'GET'
        ? sendJson(response, 200, JSON.stringify({ data: stored }), { etag: '"3-2.5"' })
        : sendJson(response, 412, '{"status":"error","errors":[]}');
    expect((await write('PUT', `/api/0/tenders/${id}`, fixture('put.tender.0.json').data)).status).toBe(409);
    expect(gateway().tenders.received.length).toBe(6);
  });

  it('forwards a PATCH of a tender that it cannot read, and answers the refusal of the service', async () => {
    gateway().tenders.respond = (_received, response) =>
      sendJson(
        response,
        404,
        '{"status":"error","errors":[{"location":"url","name":"tender_id","description":"Not Found"}]}',
      );
    const reply = await write('PATCH', `/api/0.1/tenders/${id}`, { totalValue: { amount: 1 } });
    expect([reply.status, (await readJson(reply)).errors[0].name]).toEqual([404, 'tender_id']);
  });

  it('sends a refusal of the codec to the service, and answers refusals under wire names', async () => {
    gateway().tenders.respond = ({ method }, response) =>
      method === 'GET'
        ? sendJson(response, 200, JSON.stringify({ data: stored }), { etag: '"3-2.5"' })
        : sendJson(
            response,
            422,
            '{"status":"error","errors":[{"location":"body","name":"value","description":{"amount":["x"]}}]}',
          );
    const reply = await write('PATCH', `/api/0.1/tenders/${id}`, { budgetLine: 1 });
    expect(gateway().tenders.received[1]?.headers['content-type']).toContain('refusal');
    expect((await readJson(reply)).errors[0].name).toBe('totalValue');
  });

  it('requests opt_fields by canonical names', async () => {
    await request('/api/0.1/tenders?opt_fields=totalValue,mode&limit=2');
    expect(gateway().tenders.received[0]?.url).toBe('/tenders?limit=2&opt_fields=value');
  });

  it('serves SPORE of 0.1 for the negotiated generation', async () => {
    const paths = async (query: string) =>
      Object.values((await readJson(await request(`/api/0.1/spore${query}`))).methods).map(methodAndPath);
    expect(await paths('')).toContain('GET /tenders/:tender_id/bidders');
    expect(await paths('?generation=earliest')).not.toContain('GET /tenders/:tender_id/bidders');
  });
});

describe('Ignored-Members', () => {
  it.each([
    ['2.5', 'tenders/t', { title: 'x', value: {} }, '/title, /value/amount', '/title, /value/amount'],
    ['2.4', 'tenders/t', { title: 'x' }, '/title', '/title'],
    ['2.3', 'tenders/t', { title: 'x' }, '/title', '/title'],
    ['2.3', 'tenders/t/bids/b', { value: { amount: 1 }, date: 'x' }, '/date', '/date'],
    [
      '0.1',
      'tenders/t',
      { title: 'x', totalValue: { amount: 1 } },
      '/value/amount, /minimalStep',
      '/totalValue/amount',
    ],
    ['0.1', 'tenders/t', { itemsToBeProcured: [] }, '/items', '/itemsToBeProcured'],
    [
      '0.1',
      'tenders/t',
      { procuringEntity: { id: { name: 'x', uid: '1' } } },
      '/procuringEntity/name, /procuringEntity/identifier/id',
      '/procuringEntity/id/name, /procuringEntity/id/uid',
    ],
  ])('has the names of segment %s for %s', async (segment, path, data, fromService, expected) => {
    for (const service of [gateway().tenders, gateway().bids]) {
      service.respond = ({ method }, response) =>
        sendJson(response, 200, JSON.stringify({ data: stored }), {
          etag: '"3-2.5"',
          ...(method === 'GET' ? {} : { 'ignored-members': fromService }),
        });
    }
    const reply = await write('PATCH', `/api/${segment}/${path.replace('/t', `/${id}`)}`, data);
    expect([reply.status, reply.headers.get('ignored-members')]).toEqual([200, expected]);
  });

  it('sends Prefer to the service', async () => {
    gateway().tenders.respond = (_received, response) => sendJson(response, 200, JSON.stringify({ data: stored }));
    await write('PATCH', `/api/2.5/tenders/${id}`, {}, { prefer: 'handling=strict' });
    expect(gateway().tenders.received.at(-1)?.headers).toMatchObject({ prefer: 'handling=strict' });
  });
});
