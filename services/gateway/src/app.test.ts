import { once } from 'node:events';
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { sha256Hex } from '@procurement/kit/runtime/ids';
import { describe, expect, it } from 'vitest';
import { sendJson } from '../test-support/fake-service.ts';
import { basic, PUBLIC_BASE_URL, runningGateway, requestsTo } from '../test-support/running-gateway.ts';
import { setupGateway } from '../test-support/setup-gateway.ts';

const id = 'a'.repeat(32);
const JSON_TYPE = 'application/json; charset=UTF-8';
const problemBody = (location: string, name: string, description: string) => ({
  status: 'error',
  errors: [{ location, name, description }],
});

const gateway = setupGateway();
const request = requestsTo(gateway);
const write = async (path: string, body: string, headers: Record<string, string> = {}, method = 'POST') =>
  request(path, { method, body, headers: { 'content-type': 'application/json', ...headers } });

/** Sends a request with any word as its method, and returns the head and the body of the answer. */
async function ofMethod(method: string, path: string): Promise<readonly string[]> {
  const socket = connect(Number(new URL(gateway().url).port), '127.0.0.1');
  socket.write(`${method} ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
  let text = '';
  socket.setEncoding('utf8').on('data', (part: string) => (text += part));
  await once(socket, 'close');
  return text.split('\r\n\r\n');
}

describe('routing', () => {
  it('forwards a path to its owner, under the canonical name', async () => {
    await request(`/api/2.5/tenders/${id}?opt_fields=a%2Cb&x=1`);
    await request(`/api/2.3/tenders/${id}/bids`);
    expect(gateway().tenders.received.map(({ url }) => url)).toEqual([`/tenders/${id}?opt_fields=a%2Cb&x=1`]);
    expect(gateway().bids.received.map(({ url }) => url)).toEqual([`/tenders/${id}/bids`]);
  });

  it('forwards path parameters unchanged', async () => {
    await request('/api/2.5/tenders/%D1%97%20x:y');
    await request(`/api/2.5/tenders/${'x'.repeat(4_000)}`, { method: 'HEAD' });
    expect(gateway().tenders.received.map(({ url }) => url)).toEqual([
      '/tenders/%D1%97%20x:y',
      `/tenders/${'x'.repeat(4_000)}`,
    ]);
  });

  it.each([
    ['/api/9.9/tenders', 'request.not-found'],
    ['/api/ocds/nothing', 'request.not-found'],
    ['/api/2.4/nothing', 'request.not-found'],
    ['/api/2.3/nothing', undefined],
    ['/api/0.2/nothing', undefined],
    ['/nothing', undefined],
  ])('answers %s with the code %s', async (path, code) => {
    // The body is JSON of any shape.
    const { errors } = (await (await request(path)).json()) as any;
    expect([errors[0].code, errors[0].link]).toEqual([code, code && `/docs/errors#${code}`]);
  });

  it.each([
    ['an unknown version', '/api/9.9/tenders'],
    ['a version with a further digit', '/api/2.50/tenders'],
    ['a missing version', '/api/tenders'],
    ['an unknown route', '/api/2.5/nothing'],
    ['a trailing slash', '/api/2.5/tenders/'],
    ['a trailing slash after an id', `/api/2.5/tenders/${id}/`],
    ['a double slash', `/api/2.5//tenders`],
    ['another case', '/api/2.5/Tenders'],
    ['bidders instead of bids', `/api/2.5/tenders/${id}/bidders`],
    ['a path with ..', `/api/2.5/tenders/%2e%2e/metrics`],
    ['an escaped slash', `/api/2.5/tenders/..%2fmetrics`],
    ['an escaped prefix', `/%61pi/2.5/tenders/${id}`],
    ['an escaped letter of a route', `/api/2.5/%74enders`],
  ])('answers %s with 404 not_found and forwards nothing', async (_what, path) => {
    const response = await request(path);
    expect(response.status).toBe(404);
    expect(response.headers.get('content-type')).toBe(JSON_TYPE);
    expect(await response.json()).toMatchObject(problemBody('url', 'not_found', 'Not Found'));
    expect(gateway().tenders.received).toEqual([]);
  });

  it('answers an undecodable address with 400', async () => {
    const response = await request('/api/2.5/tenders/%E0%A4%A');
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject(problemBody('url', 'bad_request', 'Bad Request'));
  });

  it('forwards a method that the segment lacks, with the allowed ones', async () => {
    await request('/api/2.5/tenders', { method: 'DELETE' });
    await write(`/api/2.3/tenders/${id}`, '{}');
    expect(gateway().tenders.received.map(({ method, identity }) => [method, identity?.allow])).toEqual([
      ['DELETE', 'GET, HEAD, POST'],
      ['POST', 'GET, HEAD, PUT, PATCH'],
    ]);
  });

  it.each(['TRACE', 'QUERY', 'PROPFIND', 'FOO', 'get', 'GETS'])('answers %s with 405 and Allow', async (method) => {
    const asked = ['/api/2.5/tenders?limit=1', '/api/2.5/version', '/api/ocds/records.json', `/api/2.3/tenders/${id}`];
    const answers = await Promise.all(asked.map(async (path) => ofMethod(method, path)));
    expect(answers.map(([head = '']) => [head.split('\r\n')[0], /^allow: (.*)$/im.exec(head)?.[1]])).toEqual([
      ['HTTP/1.1 405 Method Not Allowed', 'GET, HEAD, POST'],
      ['HTTP/1.1 405 Method Not Allowed', 'GET, HEAD'],
      ['HTTP/1.1 405 Method Not Allowed', 'GET, HEAD'],
      ['HTTP/1.1 405 Method Not Allowed', 'GET, HEAD, PUT, PATCH'],
    ]);
    const error = { location: 'url', name: 'method_not_allowed', description: 'Method Not Allowed' };
    const explained = { ...error, code: 'request.method', link: '/docs/errors#request.method' };
    expect(answers.map(([, body = '']) => JSON.parse(body).errors)).toEqual([
      [explained],
      [explained],
      [explained],
      [error],
    ]);
    expect(gateway().tenders.received).toEqual([]);
  });

  it('answers a word that is no method with 404 where there is nothing, and 400 where the line is broken', async () => {
    const statuses = ['/api/2.5/nothing', '/api/2.5/tenders ', 'x'].map(
      async (path) => (await ofMethod('FOO', path))[0],
    );
    const lines = (await Promise.all(statuses)).map((head) => head?.split('\r\n')[0]);
    expect(lines).toEqual(['HTTP/1.1 404 Not Found', 'HTTP/1.1 400 Bad Request', 'HTTP/1.1 400 Bad Request']);
  });

  it('answers OPTIONS itself (http.md 5.5)', async () => {
    const response = await request(`/api/2.3/tenders/${id}`, { method: 'OPTIONS' });
    expect(response.status).toBe(204);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      allow: 'GET, HEAD, PUT, PATCH, OPTIONS',
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET, HEAD, OPTIONS',
      'access-control-allow-headers': 'Content-Type, X-Client-Request-ID',
      'access-control-max-age': '86400',
    });
    expect(gateway().tenders.received).toEqual([]);
  });

  it.each([['2.5'], ['2.3']])('answers HEAD as GET without a body on segment %s', async (segment) => {
    const text = `{"data":{"value":{"amount":5.0},"bids":[{"status":"active"}]}}`;
    gateway().tenders.respond = ({ method }, response) =>
      sendJson(response, 200, method === 'HEAD' ? '' : text, { 'content-length': String(text.length) });
    const [head, get] = [
      await request(`/api/${segment}/tenders/${id}`, { method: 'HEAD' }),
      await request(`/api/${segment}/tenders/${id}`),
    ];
    const length = (await get.text()).length;
    expect([head.status, await head.text(), head.headers.get('content-length')]).toEqual([200, '', String(length)]);
    expect(head.headers.get('content-type')).toBe(JSON_TYPE);
  });
});

describe('identity', () => {
  it('signs the broker, and passes only the hash of the owner token', async () => {
    const token = 'T'.repeat(32);
    await write(
      `/api/2.3/tenders/${id}?acc_token=${token}&x=1`,
      '{"data":{}}',
      { authorization: 'Bearer broker1' },
      'PATCH',
    );
    const [received] = gateway().tenders.received;
    expect(received?.identity).toMatchObject({
      broker: 'broker1',
      group: 'brokers',
      levels: '1234',
      segment: '2.3',
      tokenHash: sha256Hex(token),
    });
    expect(received?.url).toBe(`/tenders/${id}?x=1`);
    expect(JSON.stringify(received)).not.toContain(token);
  });

  it.each([
    ['no credentials', {}, 'missing'],
    ['an unknown key', basic('unknown'), 'unknown'],
    ['another scheme', { authorization: 'Digest x' }, 'unknown'],
    ['an empty user', { authorization: 'Basic Og==' }, 'missing'],
  ])('forwards a write with %s and the reason why it is anonymous', async (_what, headers, credentials) => {
    await write('/api/2.5/tenders', '{"data":{}}', headers);
    expect(gateway().tenders.received[0]?.identity).toMatchObject({ group: 'anonymous', credentials });
    expect(gateway().tenders.received[0]?.identity?.broker).toBeUndefined();
  });

  it.each([
    ['no credentials', {}],
    ['an unknown key', basic('unknown')],
    ['an empty user', { authorization: 'Basic Og==' }],
  ])('forwards a read with %s as anonymous', async (_what, headers) => {
    const response = await request(`/api/2.5/tenders/${id}`, { headers });
    expect(response.status).toBe(200);
    expect(gateway().tenders.received[0]?.identity).toMatchObject({ group: 'anonymous', levels: '' });
  });

  it('treats a revoked key as unknown at once', async () => {
    const other = await runningGateway();
    // The database no longer has it.
    await other.keys.reread(sha256Hex('broker2'));
    await fetch(`${other.url}/api/2.5/tenders`, {
      method: 'POST',
      headers: { ...basic('broker2'), 'content-type': 'application/json' },
      body: '{}',
    });
    expect(other.tenders.received[0]?.identity).toMatchObject({ group: 'anonymous', credentials: 'unknown' });
    await other.close();
  });

  it('drops forged and hop-by-hop headers', async () => {
    const forged = {
      'x-identity': 'forged',
      'x-forwarded-for': '10.0.0.1',
      'x-forwarded-host': 'evil.example',
      'x-request-id': 'forged',
      forwarded: 'for=10.0.0.1',
      cookie: 'SERVER_ID=x; Path=/',
      'x-access-token': '',
      ...basic('broker1'),
    };
    await request(`/api/2.5/tenders/${id}/bids`, { headers: forged });
    const [received] = gateway().bids.received;
    expect(received?.identity?.broker).toBe('broker1');
    expect(received?.identity?.tokenHash).toBeUndefined();
    expect(received?.headers['x-request-id']).toMatch(/^req-/);
    for (const name of [
      'x-forwarded-for',
      'x-forwarded-host',
      'forwarded',
      'cookie',
      'authorization',
      'x-access-token',
    ]) {
      expect(received?.headers[name], name).toBeUndefined();
    }
  });

  it('http.md 8.8: treats an empty acc_token as absent, and prefers a wrong one in the query to the header', async () => {
    for (const query of ['acc_token=', 'acc_token=wrong']) {
      await write(
        `/api/2.5/tenders/${id}?${query}`,
        '{"data":{}}',
        { ...basic('broker1'), 'x-access-token': 'right' },
        'PATCH',
      );
    }
    expect(gateway().tenders.received.map(({ identity }) => identity?.tokenHash)).toEqual([
      sha256Hex('right'),
      sha256Hex('wrong'),
    ]);
  });

  it('uses access.token of the body and removes it', async () => {
    await write(
      `/api/2.5/tenders/${id}`,
      '{"access":{"token":"T"},"data":{"value":{"amount":500.00}}}',
      basic('broker1'),
      'PATCH',
    );
    const [received] = gateway().tenders.received;
    expect(received?.identity?.tokenHash).toBe(sha256Hex('T'));
    expect(received?.body).toBe('{"access":0            ,"data":{"value":{"amount":500.00}}}');
  });
});

describe('request bodies', () => {
  it.each([
    ['malformed JSON', '{"data": {'],
    ['text that is not JSON', 'not json'],
    ['a lone surrogate', '{"data":{"title":"\\ud800"}}'],
    ['numbers in every notation', '{"data":{"a":500.00,"b":1E400,"c":12345678901234567890}}'],
    ['unbounded nesting', `{"data":${'['.repeat(50_000)}`],
  ])('forwards %s unchanged', async (_what, body) => {
    await write('/api/2.5/tenders', body, basic('broker1'));
    await write(`/api/2.3/tenders`, body, basic('broker1'));
    expect(gateway().tenders.received.map((received) => received.body)).toEqual([body, body]);
  });

  it('decodes a bid of segment 2.3, and encodes the response', async () => {
    gateway().bids.respond = (_received, response) =>
      sendJson(
        response,
        201,
        '{"access":{"token":"T"},"data":{"status":"active","tenderers":[{"name":"A","identifier":{"id":"1"}}],"value":{"amount":5.0}}}',
        {
          location: `${PUBLIC_BASE_URL}/api/2.5/tenders/${id}/bids/${id}`,
        },
      );
    const response = await write(
      `/api/2.3/tenders/${id}/bids`,
      '{"data":{"status":"registration","tenderers":[{"id":{"name":"A","uid":"1"}}],"value":{"amount":5}}}',
      basic('broker1'),
    );
    expect(JSON.parse(gateway().bids.received[0]?.body ?? '')).toEqual({
      data: {
        status: 'active',
        tenderers: [{ name: 'A', identifier: { id: '1', scheme: 'UA-EDR' } }],
        value: { amount: 5 },
      },
    });
    expect(await response.text()).toBe(
      '{"access":{"token":"T"},"data":{"status":"registration","tenderers":[{"id":{"name":"A","uid":"1"}}],"value":{"amount":5.0}}}',
    );
    expect(response.headers.get('location')).toBe(`${PUBLIC_BASE_URL}/api/2.3/tenders/${id}/bids/${id}`);
  });

  it('forwards the refusal of a codec, for the service to answer at its step', async () => {
    await write(`/api/2.3/tenders/${id}/bids`, '{"data":{"status":"open"}}', basic('broker1'));
    const [received] = gateway().bids.received;
    expect(received?.headers['content-type']).toBe('application/vnd.procurement.refusal+json');
    expect(JSON.parse(received?.body ?? '')).toMatchObject({ status: 422, errors: [{ name: 'status' }] });
  });

  it('forwards the media type of refusals and malformed types as application/octet-stream', async () => {
    for (const type of [
      'application/vnd.procurement.refusal+json',
      'nonsense',
      ';',
      'application/x-www-form-urlencoded',
    ]) {
      await write(`/api/2.3/tenders/${id}/bids`, '{}', { ...basic('broker1'), 'content-type': type });
    }
    // The service refuses the type, so it gets no body.
    expect(gateway().bids.received.map(({ headers, body }) => [headers['content-type'], body])).toEqual([
      ['application/octet-stream', ''],
      ['application/octet-stream', ''],
      ['application/octet-stream', ''],
      ['application/x-www-form-urlencoded', ''],
    ]);
  });

  it('http.md 8.6: forwards another content type, so that the service answers 404, 415 and 401 in this order', async () => {
    await write('/api/2.5/tenders', 'text', { 'content-type': 'text/plain' });
    expect(gateway().tenders.received[0]).toMatchObject({ body: '', identity: { credentials: 'missing' } });
    expect(gateway().tenders.received[0]?.headers['content-type']).toBe('text/plain');
  });

  it('http.md 8.14: forwards DELETE with a JSON content type and no body', async () => {
    const response = await request(`/api/2.5/tenders/${id}/bids/${id}`, {
      method: 'DELETE',
      headers: { ...basic('broker1'), 'content-type': 'application/json' },
    });
    expect(response.status).toBe(200);
    expect(gateway().bids.received[0]).toMatchObject({ method: 'DELETE', body: '' });
  });

  it('forwards GET with a JSON content type and no body', async () => {
    expect((await request(`/api/2.5/tenders/${id}`, { headers: { 'content-type': 'application/json' } })).status).toBe(
      200,
    );
  });

  it('refuses a body above 4 MiB, with or without Content-Length, and keeps the connection', async () => {
    const body = 'x'.repeat(4 * 1024 * 1024 + 1);
    const withLength = await write('/api/2.5/tenders', body, basic('broker1'));
    expect(withLength.status).toBe(413);
    expect(await withLength.json()).toMatchObject(problemBody('body', 'data', 'Request Entity Too Large'));
    // A stream is sent in chunks, without a length. fetch then requires `duplex`, which its types lack.
    const streamed = {
      method: 'POST',
      body: new Blob([body]).stream(),
      duplex: 'half',
      headers: { 'content-type': 'application/json', ...basic('broker1') },
    };
    expect((await request('/api/2.5/tenders', streamed as RequestInit)).status).toBe(413);
    expect((await write('/api/2.5/tenders', body)).status).toBe(413);
    expect(gateway().tenders.received).toEqual([]);
  });

  it('refuses a compressed body', async () => {
    const response = await write('/api/2.5/tenders', 'x', { ...basic('broker1'), 'content-encoding': 'gzip' });
    expect(response.status).toBe(415);
  });
});

describe('issue 14 S4: a write that is refused whatever its body says', () => {
  // The service answers as soon as it has the request; the body of the client never ends.
  const unfinished = async (path: string, method: string, headers: Record<string, string>) => {
    const body = httpRequest(`${gateway().url}${path}`, { method, headers });
    body.write('{"data":');
    const [response] = (await once(body, 'response')) as [IncomingMessage];
    body.destroy();
    return response.statusCode;
  };
  const json = { 'content-type': 'application/json' };

  it.each([
    ['without a key', 'PATCH', json],
    ['with an unknown key', 'PATCH', { ...json, ...basic('unknown') }],
    ['without a key, on a file', 'POST', { 'content-type': 'multipart/form-data; boundary=b' }],
    ['with a method that the path lacks', 'POST', { ...json, ...basic('broker1') }],
    ['of a type that the route does not take', 'PATCH', { 'content-type': 'text/plain', ...basic('broker1') }],
  ])('%s is answered before its body has arrived', async (_what, method, headers) => {
    gateway().tenders.respond = (_received, response) => sendJson(response, 404, '{}');
    for (const segment of ['2.5', '0.1']) {
      expect(await unfinished(`/api/${segment}/tenders/${id}`, method, headers)).toBe(404);
    }
    const [first] = gateway().tenders.received;
    expect([first?.method, first?.body, first?.headers['content-type']]).toEqual([method, '', headers['content-type']]);
  });

  it('keeps the connection when the body was of a bounded length', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const post = async () => {
      const sent = httpRequest(`${gateway().url}/api/2.5/tenders`, { method: 'POST', headers: json, agent });
      sent.end('x'.repeat(2 * 1024 * 1024));
      const [response] = (await once(sent, 'response')) as [IncomingMessage];
      response.resume();
      await once(response, 'end');
      return sent.reusedSocket;
    };
    expect([await post(), await post()]).toEqual([false, true]);
    agent.destroy();
  });

  it('ends the connection of a client that announced no length', async () => {
    const sent = httpRequest(`${gateway().url}/api/2.5/tenders`, { method: 'POST', headers: json });
    sent.on('error', () => undefined).write('{');
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    expect(response.headers.connection).toBe('close');
  });
});

describe('malformed HTTP', () => {
  it.each([
    ['broken syntax', 'GET\r\n\r\n'],
    ['a request without Host', 'GET /api/2.5/tenders HTTP/1.1\r\nConnection: close\r\n\r\n'],
    ['two hosts', 'GET /api/2.5/tenders HTTP/1.1\r\nHost: x\r\nhost: y\r\nConnection: close\r\n\r\n'],
    ['two lengths', 'POST /api/2.5/tenders HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n'],
    [
      'a length beside chunks',
      'POST /api/2.5/tenders HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['endless headers', `GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`],
  ])('answers %s with 400 in the error format of the API', async (_what, bytes) => {
    const socket = connect(Number(new URL(gateway().url).port), '127.0.0.1');
    let text = '';
    socket.setEncoding('utf8').on('data', (chunk) => (text += chunk));
    socket.write(bytes);
    await once(socket, 'close');
    expect(text).toMatch(/^HTTP\/1.1 400 /);
    expect(text).toContain('{"status":"error","errors":[{"location":"url","name":"bad_request"');
  });

  it('ignores an expectation that it cannot meet, after all checks', async () => {
    const sent = httpRequest(`${gateway().url}/api/2.5/nothing`, { headers: { expect: 'miracles' } }).end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    expect(response.statusCode).toBe(404);
    response.destroy();
  });

  it('passes HTTP/1.0 without Host', async () => {
    const socket = connect(Number(new URL(gateway().url).port), '127.0.0.1');
    let text = '';
    socket.setEncoding('utf8').on('data', (chunk) => (text += chunk));
    socket.write('GET /api/2.5/tenders HTTP/1.0\r\n\r\n');
    await once(socket, 'close');
    expect(text).toMatch(/^HTTP\/1.1 200 /);
  });
});

describe('issue 14 S5: the bytes of JSON bodies', () => {
  const post = (to: string, headers: Record<string, string> = basic('broker1')) => {
    const sent = httpRequest(`${to}/api/2.5/tenders`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
    });
    // The gateway ends connections of clients that it refuses.
    sent.on('error', () => undefined);
    return sent;
  };

  it('are bounded for one address and for all, and given back with the response', async () => {
    const other = await runningGateway({
      BODY_BYTES_MAX: '300000',
      BODY_BYTES_PER_ADDRESS_MAX: '200000',
      TRUSTED_PROXIES: '127.0.0.1',
    });
    const from = (address: string) => post(other.url, { ...basic('broker1'), 'x-forwarded-for': address });
    const kept = from('192.0.2.1');
    kept.write('x'.repeat(150_000));
    await expect.poll(() => other.deps.bodyBytes.bytes).toBe(150_000);
    const answer = async (address: string, bytes: number) => {
      const sent = from(address);
      sent.end('x'.repeat(bytes));
      const [response] = (await once(sent, 'response')) as [IncomingMessage];
      response.resume();
      return [response.statusCode, response.headers['retry-after']];
    };
    expect(await answer('192.0.2.1', 60_000)).toEqual([503, '1']);
    expect(await answer('192.0.2.2', 100_000)).toEqual([200, undefined]);
    expect(await answer('192.0.2.2', 160_000)).toEqual([503, '1']);
    kept.end();
    await once(kept, 'response');
    await expect.poll(() => other.deps.bodyBytes.bytes).toBe(0);
    await other.close();
  });

  it('are not kept for a caller without a known key', async () => {
    gateway().tenders.respond = () => undefined;
    const sent = post(gateway().url, {});
    sent.write('x'.repeat(1_000_000));
    await expect.poll(() => gateway().tenders.received.length).toBe(1);
    expect(gateway().deps.bodyBytes.bytes).toBe(0);
    sent.destroy();
  });
});

describe('issue 14 S12: Expect: 100-continue', () => {
  const post = (path: string, headers: Record<string, string>) => {
    const sent = httpRequest(`${gateway().url}${path}`, {
      method: 'POST',
      headers: { expect: '100-continue', 'content-type': 'application/json', 'content-length': '11', ...headers },
    });
    sent.on('error', () => undefined).flushHeaders();
    return sent;
  };

  it.each([
    ['an unknown route', '/api/2.5/nothing', basic('broker1'), 404],
    ['a caller without a key', '/api/2.5/tenders', {}, 401],
    ['a compressed body', '/api/2.5/tenders', { ...basic('broker1'), 'content-encoding': 'gzip' }, 415],
    ['a body that is too long', '/api/2.5/tenders', { ...basic('broker1'), 'content-length': '5000000' }, 413],
  ])('of %s is answered without 100', async (_what, path, headers, status) => {
    gateway().tenders.respond = (_received, response) => sendJson(response, 401, '{}');
    const sent = post(path, headers);
    let isContinued = false;
    sent.on('continue', () => (isContinued = true));
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    expect([response.statusCode, isContinued]).toEqual([status, false]);
    sent.destroy();
  });

  it('is answered 100 when the body is to be read', async () => {
    const sent = post('/api/2.5/tenders', basic('broker1'));
    await once(sent, 'continue');
    expect(gateway().tenders.received).toEqual([]);
    sent.end('{"data":{}}');
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    expect([response.statusCode, gateway().tenders.received[0]?.body]).toEqual([200, '{"data":{}}']);
  });
});
