import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { problem, unavailable } from '@procurement/contracts/problems/problems';
import { anonymousIdentity, verifyTestIdentity } from '@procurement/testing/identity';
import { waitFor } from '@procurement/testing/wait-for';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeMetrics } from '../runtime/metrics.ts';
import { ProblemError } from '../runtime/problem-error.ts';
import { answerAlone, answerWith, mountReads, type ReadRoute } from './answer-reads.ts';
import { IDENTITY_HEADER } from './identity.ts';
import { encodeReads, FrameReader, READS_PATH } from './read-frames.ts';
import { buildServer } from './server.ts';

const LONG = Buffer.alloc(300_000, 'x');
let open: () => void;
const gate = new Promise<void>((resolve) => {
  open = resolve;
});

/** Lines of the log, from level info. */
const lines: Record<string, unknown>[] = [];
const log = pino({ level: 'info' }, { write: (line: string) => lines.push(JSON.parse(line)) });

/** Answers with the path, and in other ways at some. */
const route: ReadRoute = {
  path: '/things/:id',
  answer: async (request) => {
    const { url } = request;
    if (url === '/things/refused') throw new ProblemError(problem('object.not-found', { kind: 'tender' }));
    if (url === '/things/away') throw new ProblemError(unavailable(5));
    if (url === '/things/long-away') throw new ProblemError(unavailable(3_600));
    if (url === '/things/unsendable') return answerWith(request, Buffer.from(url), 2 ** 48);
    if (url === '/things/broken') throw new Error('broken');
    if (url === '/things/slow') await gate;
    return answerWith(request, url === '/things/long' ? LONG : Buffer.from(url), url === '/things/revised' ? 7 : 0);
  },
};

let app: FastifyInstance;
let port: number;
beforeAll(async () => {
  app = buildServer({
    log,
    metrics: makeMetrics('test'),
    verifyIdentity: verifyTestIdentity,
    bodyBytesMax: 100_000,
    readiness: async () => ({ ready: true, checks: {} }),
  });
  mountReads(app, (url) => (url.startsWith('/things/') ? route : undefined));
  app.get('/things/:id', answerAlone(route));
  await app.listen({ host: '127.0.0.1', port: 0 });
  // The address of a listening TCP server.
  ({ port } = app.server.address() as AddressInfo);
});
afterAll(async () => app.close());

const identity = anonymousIdentity()[IDENTITY_HEADER] ?? '';

interface Answer {
  status: number;
  revision: number;
  retryAfter: number;
  text: string;
  pieces: number;
}

/** Sends reads together. Returns answers by path, in the order in which they end. */
async function sendReads(paths: readonly string[], { condition = '', by = identity } = {}) {
  const body = encodeReads(
    paths.map((target) => ({ target, identity: by, requestId: 'r', traceparent: '', ifNoneMatch: condition })),
  );
  const headers = { [IDENTITY_HEADER]: identity, 'content-type': 'application/json' };
  const sent = httpRequest({ host: '127.0.0.1', port, path: READS_PATH, method: 'POST', headers }).end(body);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const ended = new Map<string, Answer>();
  const running = new Map<number, Answer>();
  const frames = new FrameReader(({ index, isLast, status, revision, retryAfter }, bytes, isEnd) => {
    const answer = running.get(index) ?? { status, revision, retryAfter, text: '', pieces: 0 };
    running.set(index, answer);
    answer.text += bytes.toString();
    if (isEnd) answer.pieces += 1;
    if (isEnd && isLast) ended.set(paths[index] ?? '', answer);
  });
  response.on('data', (chunk: Buffer) => frames.read(chunk));
  return { ended, end: once(response, 'end') };
}

describe('reads that come together', () => {
  it('are answered each: with texts, revisions and refusals', async () => {
    const paths = ['/things/1', '/things/revised', '/things/refused', '/things/away', '/things/broken', '/nothing'];
    const { ended, end } = await sendReads(paths);
    await end;
    const of = (path: string) => [ended.get(path)?.status, ended.get(path)?.revision, ended.get(path)?.retryAfter];
    expect(ended.get('/things/1')).toEqual({ status: 200, revision: 0, retryAfter: 0, text: '/things/1', pieces: 1 });
    expect(of('/things/revised')).toEqual([200, 7, 0]);
    expect(of('/things/refused')).toEqual([404, 0, 0]);
    expect(of('/things/away')).toEqual([503, 0, 5]);
    expect(of('/things/broken')).toEqual([500, 0, 0]);
    expect(of('/nothing')).toEqual([404, 0, 0]);
    expect(JSON.parse(ended.get('/things/refused')?.text ?? '').errors[0]).toMatchObject({ code: 'object.not-found' });
  });

  it('answer 304 without a text to who has the revision', async () => {
    const { ended, end } = await sendReads(['/things/revised', '/things/1'], { condition: '"7-2.3"' });
    await end;
    expect(ended.get('/things/revised')).toMatchObject({ status: 304, revision: 7, text: '' });
    expect(ended.get('/things/1')).toMatchObject({ status: 200, text: '/things/1' });
  });

  it('are refused each without an identity of its own', async () => {
    const { ended, end } = await sendReads(['/things/1'], { by: 'forged' });
    await end;
    expect(ended.get('/things/1')?.status).toBe(403);
  });

  it('do not wait for each other: a slow one comes last, and a long one in pieces', async () => {
    const { ended, end } = await sendReads(['/things/slow', '/things/long', '/things/2']);
    await waitFor(() => ended.size === 2, { what: 'answers beside a slow one' });
    expect([...ended.keys()]).toEqual(['/things/2', '/things/long']);
    expect(ended.get('/things/long')).toMatchObject({ text: LONG.toString(), pieces: 5 });
    open();
    await end;
    expect(ended.get('/things/slow')?.text).toBe('/things/slow');
  });

  it('tell of a wait of more than a frame can say as the longest that it can', async () => {
    const { ended, end } = await sendReads(['/things/long-away']);
    await end;
    expect(ended.get('/things/long-away')).toMatchObject({ status: 503, retryAfter: 255 });
  });

  it('are answered also when the paths of all are as long as a path may be', async () => {
    const paths = Array.from({ length: 64 }, (_, n) => `/things/${n}-${'%D1'.repeat(16_000)}`);
    const { ended, end } = await sendReads(paths);
    await end;
    expect(paths.filter((path) => ended.get(path)?.text === path)).toEqual(paths);
  });

  it('are broken off when one cannot be sent, and the log says why', async () => {
    lines.length = 0;
    await expect(sendReads(['/things/1', '/things/unsendable'])).rejects.toThrow('socket hang up');
    expect(lines).toEqual([expect.objectContaining({ msg: 'reads failed', requestId: 'r' })]);
  });

  it('leave no line in the log, as reads that come alone', async () => {
    lines.length = 0;
    await (
      await sendReads(['/things/1'])
    ).end;
    await app.inject({ url: '/things/1', headers: anonymousIdentity() });
    // Without an identity: it is logged last.
    await app.inject({ method: 'POST', url: '/nothing' });
    await waitFor(() => lines.length > 0, { what: 'the line of a refused write' });
    expect(lines).toEqual([expect.objectContaining({ method: 'POST', status: 403 })]);
  });

  it.each([
    ['no reads', '[]'],
    ['no JSON', 'x'],
  ])('are 400 when the body has %s', async (_what, payload) => {
    const headers = { ...anonymousIdentity(), 'content-type': 'application/json' };
    expect((await app.inject({ method: 'POST', url: READS_PATH, headers, payload })).statusCode).toBe(400);
  });

  it('are 400 without a body', async () => {
    expect((await app.inject({ method: 'POST', url: READS_PATH, headers: anonymousIdentity() })).statusCode).toBe(400);
  });
});

describe('a read that comes alone', () => {
  it('gets the same answer', async () => {
    const get = async (url: string, headers: Record<string, string> = {}) =>
      app.inject({ url, headers: { ...anonymousIdentity(), ...headers } });
    const revised = await get('/things/revised');
    expect([revised.statusCode, revised.headers.etag, revised.payload]).toEqual([200, '"7-2.5"', '/things/revised']);
    expect((await get('/things/revised', { 'if-none-match': '"7-2.5"' })).statusCode).toBe(304);
    const away = await get('/things/away');
    expect([away.statusCode, away.headers['retry-after']]).toEqual([503, '5']);
  });
});
