import { Agent, get } from 'node:http';
import Fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import { closeServer } from './process.ts';

describe('closeServer', () => {
  it('answers what runs, and then does not wait for connections that clients keep open', async () => {
    const app = Fastify({ keepAliveTimeout: 60_000, forceCloseConnections: 'idle' });
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
    const closed = closeServer(app);
    release();
    expect(await answered).toBe(200);
    await closed;
    agent.destroy();
  });
});
