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
  documents.respond = (_seen, response) => sendJson(response, 200, '{"data":{}}');
});

const request = async (path: string, init: RequestInit = {}) =>
  fetch(`${gateway.url}${path}`, { redirect: 'manual', ...init });
const basicPair = (user: string, password: string) => ({
  authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
});

describe('the document service at the gateway (http.md 2.8)', () => {
  it.each([
    ['the key as the user', basic('broker1')],
    ['the name of the broker and the key as its password', basicPair('broker1', 'broker1')],
  ])('knows who brings a file by %s', async (_what, authorization) => {
    await request('/upload', { method: 'POST', body: new FormData(), headers: authorization });
    expect(documents.received.map(({ url, identity }) => [url, identity?.broker])).toEqual([['/upload', 'broker1']]);
  });

  it.each([
    ['nothing', {}, 'missing'],
    ['a key of nobody', basic('stranger'), 'unknown'],
    ["another broker's key under a name", basicPair('broker1', 'broker2'), 'broker1'],
    ['a name that is not of the key', basicPair('nobody', 'broker2'), 'unknown'],
  ])('is nobody with %s', async (what, authorization, known) => {
    await request('/register', { method: 'POST', body: 'hash=md5:1', headers: authorization });
    const [seen] = documents.received;
    // A name that is itself a key is that key: the sandbox's keys are their names.
    if (what.startsWith('another')) expect(seen?.identity?.broker).toBe(known);
    else expect(seen?.identity).toMatchObject({ group: 'anonymous', credentials: known });
  });

  it('streams bodies on as they came, with their type', async () => {
    const headers = { ...basic('broker1'), 'content-type': 'application/x-www-form-urlencoded' };
    await request(`/upload/${id}?KeyID=1&Signature=a%252Bb`, { method: 'POST', body: 'hash=md5%3A1', headers });
    expect(documents.received).toMatchObject([
      { url: `/upload/${id}?KeyID=1&Signature=a%252Bb`, body: 'hash=md5%3A1' },
    ]);
    expect(documents.received[0]?.headers['content-type']).toBe('application/x-www-form-urlencoded');
    expect(documents.received[0]?.headers['content-length']).toBe('12');
  });

  it('hands addresses back as they were signed', async () => {
    const location = `https://files.example.org/upload/${id}?KeyID=1&Signature=a%2Bb`;
    documents.respond = (_seen, response) => sendJson(response, 201, '{}', { location });
    const answer = await request('/register', { method: 'POST', body: 'hash=md5:1', headers: basic('broker1') });
    expect([answer.status, answer.headers.get('location')]).toEqual([201, location]);
  });

  it('gives a file to anybody who has its address, with ranges, uncompressed, and without the key in the log', async () => {
    const text = JSON.stringify({ file: 'x'.repeat(5_000) });
    documents.respond = (_seen, response) =>
      sendJson(response, 206, text, {
        'content-disposition': 'attachment; filename="a.json"',
        'content-range': `bytes 0-${text.length - 1}/9000`,
        'accept-ranges': 'bytes',
        'content-security-policy': 'sandbox',
        'cache-control': 'public, max-age=31536000, immutable',
        etag: '"0cc175b9c0f1b6a831c399e269772661"',
      });
    const headers = { range: 'bytes=0-5010', 'accept-encoding': 'gzip', authorization: 'Basic nonsense' };
    const answer = await request(`/get/${id}?KeyID=1&Signature=secret%2Bsignature`, { headers });
    expect([answer.status, await answer.text()]).toEqual([206, text]);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-range': `bytes 0-${text.length - 1}/9000`,
      'content-length': String(text.length),
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': 'sandbox',
      etag: '"0cc175b9c0f1b6a831c399e269772661"',
      'x-content-type-options': 'nosniff',
    });
    expect(answer.headers.get('content-encoding')).toBeNull();
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
  ])('has no %s %s', async (method, path) => {
    const answer = await request(path, { method, headers: basic('broker1') });
    expect(answer.status).toBe(404);
    expect(documents.received).toEqual([]);
  });

  it('says that the service is away', async () => {
    const alone = await runningGateway();
    const answer = await fetch(`${alone.url}/get/${id}`);
    expect(answer.status).toBe(503);
    await alone.close();
  });
});
