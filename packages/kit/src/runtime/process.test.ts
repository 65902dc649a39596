import { Agent, get } from 'node:http';
import Fastify, { type FastifyInstance } from 'fastify';
import { describe, expect, it } from 'vitest';
import { closeServer } from './process.ts';

const MINUTE_MS = 60_000;

function makeServer(): FastifyInstance {
  return Fastify({ keepAliveTimeout: MINUTE_MS, forceCloseConnections: 'idle' });
}

describe('closeServer', () => {
  it('answers running requests, and does not wait for idle keep-alive connections', async () => {
    const app = makeServer();
    let arrived: () => void = () => undefined;
    let release: () => void = () => undefined;
    const arrival = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    app.get('/', async () => {
      arrived();
      await released;
      return 'done';
    });
    const url = await app.listen({ host: '127.0.0.1', port: 0 });
    const agent = new Agent({ keepAlive: true });
    const answered = new Promise<number | undefined>((resolve, reject) => {
      get(url, { agent }, (response) => {
        response.resume();
        response.on('end', () => resolve(response.statusCode));
      }).on('error', reject);
    });
    await arrival;
    const closed = closeServer(app, { lingerMs: 0, graceMs: MINUTE_MS });
    release();
    expect(await answered).toBe(200);
    await closed;
    agent.destroy();
  });

  it('answers requests for a while, each as the last one of its connection', async () => {
    const app = makeServer();
    app.get('/', async () => 'done');
    const url = await app.listen({ host: '127.0.0.1', port: 0 });
    const agent = new Agent({ keepAlive: true });
    const fetchConnection = async (): Promise<string | undefined> =>
      new Promise((resolve, reject) => {
        get(url, { agent }, (response) => {
          response.resume();
          response.on('end', () => resolve(response.headers.connection));
        }).on('error', reject);
      });
    expect(await fetchConnection()).toBe('keep-alive');
    const closed = closeServer(app, { lingerMs: 500, graceMs: MINUTE_MS });
    expect(await fetchConnection()).toBe('close');
    expect(await fetchConnection()).toBe('close');
    await closed;
    await expect(fetchConnection()).rejects.toThrow('ECONNREFUSED');
    agent.destroy();
  });

  it('disconnects a client that does not read its response to the end', async () => {
    const app = makeServer();
    app.get('/', async () => Buffer.alloc(64 * 1024 * 1024));
    const url = await app.listen({ host: '127.0.0.1', port: 0 });
    // The response is never read and fills the socket buffers of both ends.
    const unread = get(url, () => undefined).on('error', () => undefined);
    await new Promise((resolve) => app.server.once('request', resolve));
    await closeServer(app, { lingerMs: 0, graceMs: 50 });
    expect(app.server.listening).toBe(false);
    unread.destroy();
  });
});
