import { Agent, get } from 'node:http';
import Fastify from 'fastify';
import { afterEach, describe, expect, it } from 'vitest';
import { endOldConnections } from './connection-age.ts';

describe('endOldConnections', () => {
  const app = Fastify({ forceCloseConnections: true });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  let now = 0;
  afterEach(async () => {
    agent.destroy();
    await app.close();
  });

  it('answers requests of an old connection, the next one as the last, and tells clients to end idle ones early', async () => {
    endOldConnections(app.server, { maxMs: 2_000, nowMs: () => now });
    app.get('/', async () => 'done');
    const url = await app.listen({ host: '127.0.0.1', port: 0 });
    let opened = 0;
    app.server.on('connection', () => {
      opened += 1;
    });
    const ask = async (): Promise<readonly (string | undefined)[]> =>
      new Promise((resolve, reject) => {
        get(url, { agent }, (response) => {
          response.resume();
          const { connection, 'keep-alive': keepAlive } = response.headers;
          response.on('end', () => resolve([connection, typeof keepAlive === 'string' ? keepAlive : undefined]));
        }).on('error', reject);
      });
    expect(await ask()).toEqual(['keep-alive', 'timeout=2']);
    now = 1_999;
    expect(await ask()).toEqual(['keep-alive', 'timeout=2']);
    expect(opened).toBe(1);
    now = 2_000;
    expect(await ask()).toEqual(['close', undefined]);
    expect(await ask()).toEqual(['keep-alive', 'timeout=2']);
    expect(opened).toBe(2);
  });
});
