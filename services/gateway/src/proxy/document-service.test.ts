import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { fakeService, sendJson, type FakeService } from '../../test-support/fake-service.ts';
import { basic, runningGateway, type RunningGateway } from '../../test-support/running-gateway.ts';

const id = 'a'.repeat(32);

let documents: FakeService;
let gateway: RunningGateway;
beforeAll(async () => {
  documents = await fakeService();
  gateway = await runningGateway({ DOCUMENTS_URL: documents.url });
});
afterAll(async () => {
  await gateway.close();
  await documents.close();
});
afterEach(() => {
  documents.received.length = 0;
  documents.respond = (_received, response) => sendJson(response, 200, '{"data":{}}');
});

const request = async (path: string, init: RequestInit = {}) =>
  fetch(`${gateway.url}${path}`, { redirect: 'manual', ...init });
const basicPair = (user: string, password: string) => ({
  authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
});

describe('document service endpoints (http.md 2.8)', () => {
  it.each([
    ['the key as the user', basic('broker1')],
    ['the name of the broker and the key as its password', basicPair('broker1', 'broker1')],
  ])('identifies the sender of a file by %s', async (_what, authorization) => {
    await request('/upload', { method: 'POST', body: new FormData(), headers: authorization });
    expect(documents.received.map(({ url, identity }) => [url, identity?.broker])).toEqual([['/upload', 'broker1']]);
  });

  it.each([
    ['nothing', {}, 'missing'],
    ['an unknown key', basic('unknown'), 'unknown'],
    ["another broker's key under a name", basicPair('broker1', 'broker2'), 'broker1'],
    ['a name without that key', basicPair('unknown', 'broker2'), 'unknown'],
  ])('is called with %s', async (what, authorization, expected) => {
    await request('/register', { method: 'POST', body: 'hash=md5:1', headers: authorization });
    const [received] = documents.received;
    // In the sandbox a name equals its key, so the name counts as a key here.
    if (what.startsWith('another')) expect(received?.identity?.broker).toBe(expected);
    else expect(received?.identity).toMatchObject({ group: 'anonymous', credentials: expected });
  });

  it('streams bodies unchanged, with type and length', async () => {
    const headers = { ...basic('broker1'), 'content-type': 'application/x-www-form-urlencoded' };
    await request(`/upload/${id}?KeyID=1&Signature=a%252Bb`, { method: 'POST', body: 'hash=md5%3A1', headers });
    expect(documents.received).toMatchObject([
      { url: `/upload/${id}?KeyID=1&Signature=a%252Bb`, body: 'hash=md5%3A1' },
    ]);
    expect(documents.received[0]?.headers['content-type']).toBe('application/x-www-form-urlencoded');
    expect(documents.received[0]?.headers['content-length']).toBe('12');
  });

  it('returns signed addresses unchanged', async () => {
    const location = `https://files.example.org/upload/${id}?KeyID=1&Signature=a%2Bb`;
    documents.respond = (_received, response) => sendJson(response, 201, '{}', { location });
    const response = await request('/register', { method: 'POST', body: 'hash=md5:1', headers: basic('broker1') });
    expect([response.status, response.headers.get('location')]).toEqual([201, location]);
  });

  it('serves a file without credentials, with ranges, uncompressed, and logs no signature', async () => {
    const text = JSON.stringify({ file: 'x'.repeat(5_000) });
    documents.respond = (_received, response) =>
      sendJson(response, 206, text, {
        'content-disposition': 'attachment; filename="a.json"',
        'content-range': `bytes 0-${text.length - 1}/9000`,
        'accept-ranges': 'bytes',
        'content-security-policy': 'sandbox',
        'cache-control': 'public, max-age=31536000, immutable',
        etag: '"0cc175b9c0f1b6a831c399e269772661"',
      });
    const headers = { range: 'bytes=0-5010', 'accept-encoding': 'gzip', authorization: 'Basic nonsense' };
    const response = await request(`/get/${id}?KeyID=1&Signature=secret%2Bsignature`, { headers });
    expect([response.status, await response.text()]).toEqual([206, text]);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-range': `bytes 0-${text.length - 1}/9000`,
      'content-length': String(text.length),
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': 'sandbox',
      etag: '"0cc175b9c0f1b6a831c399e269772661"',
      'x-content-type-options': 'nosniff',
    });
    expect(response.headers.get('content-encoding')).toBeNull();
    expect(documents.received[0]).toMatchObject({
      url: `/get/${id}?KeyID=1&Signature=secret%2Bsignature`,
      headers: { range: 'bytes=0-5010' },
      identity: { group: 'anonymous' },
    });
    expect(JSON.stringify(gateway.accessLog)).not.toContain('secret');
  });

  it.each([
    ['GET', '/upload'],
    ['PUT', '/register'],
    ['POST', `/get/${id}`],
    ['GET', '/get'],
    ['GET', `/get/${id}/more`],
  ])('answers %s %s with 404', async (method, path) => {
    const response = await request(path, { method, headers: basic('broker1') });
    expect(response.status).toBe(404);
    expect(documents.received).toEqual([]);
  });

  it('answers 503 while the service is down', async () => {
    const gatewayOnly = await runningGateway();
    const response = await fetch(`${gatewayOnly.url}/get/${id}`);
    expect(response.status).toBe(503);
    await gatewayOnly.close();
  });
});
