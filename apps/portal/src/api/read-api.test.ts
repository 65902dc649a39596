import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { monotonicMs, systemClock } from '@procurement/kit/runtime/clock';
import { Agent } from 'undici';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ApiAwayError, makeReadApi, type ReadApi, type Visitor } from './read-api.ts';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

let server: Server;
let handle: Handler;
let asked: IncomingMessage[];
let nowMs: number;
let read: ReadApi;

const visitor = (): Visitor => ({ address: '192.0.2.1', requestId: 'request-1', deadlineMs: nowMs + 3000 });
const ok: Handler = (_request, response) => void response.setHeader('etag', '"1"').end('{"data":1}');

beforeEach(async () => {
  asked = [];
  handle = ok;
  nowMs = monotonicMs();
  server = createServer((request, response) => {
    asked.push(request);
    handle(request, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A server that listens on a port has an address of this form.
  const { port } = server.address() as AddressInfo;
  const dispatcher = new Agent();
  read = makeReadApi({
    dispatcher,
    apiUrl: `http://127.0.0.1:${port}`,
    cacheBytes: 1_000_000,
    clock: systemClock,
    monotonicMs: () => nowMs,
    onCall: () => undefined,
  });
  return async () => dispatcher.destroy();
});

afterEach(() => {
  server.closeAllConnections();
  server.close();
});

describe('an answer', () => {
  it('is used again for a second, and then asked for by its entity tag, for the visitor', async () => {
    await read('/a', visitor());
    await read('/a', visitor());
    expect(asked).toHaveLength(1);
    nowMs += 1001;
    handle = (_request, response) => void response.writeHead(304).end();
    expect((await read('/a', visitor())).body).toEqual({ data: 1 });
    expect(asked[1]?.headers).toMatchObject({
      'if-none-match': '"1"',
      'x-forwarded-for': '192.0.2.1',
      'x-request-id': 'request-1',
    });
  });

  it('is shared by those who ask at the same time', async () => {
    await Promise.all([read('/a', visitor()), read('/a', visitor()), read('/a', visitor())]);
    expect(asked).toHaveLength(1);
  });

  it('that refuses one visitor for its rate is asked anew for the other who waits for it', async () => {
    handle = (request, response) =>
      void response.writeHead(request.headers['x-forwarded-for'] === '192.0.2.1' ? 429 : 200).end('{"data":1}');
    const [hasty, other] = await Promise.all([
      read('/a', visitor()),
      read('/a', { ...visitor(), address: '192.0.2.2' }),
    ]);
    expect([hasty.status, other.status]).toEqual([429, 200]);
  });

  it('is kept as long as its bytes have room, of which Ukrainian letters have two', async () => {
    handle = (_request, response) =>
      void response.setHeader('etag', '"1"').end(JSON.stringify({ data: 'ї'.repeat(600_000) }));
    await read('/a', visitor());
    await read('/a', visitor());
    expect(asked).toHaveLength(2);
  });

  it('that is a refusal is an answer, and is not kept', async () => {
    handle = (_request, response) => void response.writeHead(404).end('{"errors":[]}');
    expect((await read('/a', visitor())).status).toBe(404);
    expect((await read('/a', visitor())).status).toBe(404);
    expect(asked).toHaveLength(2);
  });
});

const BROKEN: readonly (readonly [string, Handler])[] = [
  ['an error of the API', (_request, response) => void response.writeHead(500).end('{}')],
  ['what is no JSON', (_request, response) => void response.end('<html>')],
  [
    'half a body',
    (request, response) =>
      void response.writeHead(200, { 'content-length': '100' }).write('{', () => request.socket.destroy()),
  ],
  ['more than 8 MB', (_request, response) => void response.end(`"${'x'.repeat(8_000_001)}"`)],
];

describe('the API is away', () => {
  it.each(BROKEN)('after %s', async (_name, broken) => {
    handle = broken;
    await expect(read('/a', visitor())).rejects.toThrow(ApiAwayError);
  });

  it('after the time of the page, however long the answer takes', async () => {
    handle = () => undefined;
    await expect(read('/a', { ...visitor(), deadlineMs: nowMs + 50 })).rejects.toThrow(ApiAwayError);
  });

  it('and a kept answer stands for it for ten minutes, with its instant', async () => {
    await read('/a', visitor());
    handle = (_request, response) => void response.writeHead(503).end();
    nowMs += 599_000;
    expect(await read('/a', visitor())).toMatchObject({ body: { data: 1 }, keptSinceMs: expect.any(Number) });
    nowMs += 2000;
    await expect(read('/a', visitor())).rejects.toThrow(ApiAwayError);
  });
});
