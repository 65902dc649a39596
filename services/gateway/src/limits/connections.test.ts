import { EventEmitter, once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { connect, Socket } from 'node:net';
import { describe, expect, it, vi } from 'vitest';
import { fakeService, sendJson } from '../../test-support/fake-service.ts';
import { runningGateway, type RunningGateway } from '../../test-support/running-gateway.ts';
import { boundDraining } from './connections.ts';

const id = 'a'.repeat(32);

/** Opens a connection. Its text is what the gateway sends. */
async function open(gateway: RunningGateway): Promise<{ readonly socket: Socket; text: string }> {
  const client = { socket: connect(Number(new URL(gateway.url).port), '127.0.0.1'), text: '' };
  client.socket.on('error', () => undefined);
  client.socket.setEncoding('utf8').on('data', (chunk: string) => (client.text += chunk));
  await once(client.socket, 'connect');
  return client;
}

describe('connections', () => {
  it('beyond those of one address are answered 503 and closed', async () => {
    const gateway = await runningGateway({ CONNECTIONS_PER_ADDRESS_MAX: '2' });
    const [first, , third] = [await open(gateway), await open(gateway), await open(gateway)];
    await once(third.socket, 'close');
    expect(third.text).toMatch(/^HTTP\/1.1 503 Service Unavailable\r\n/);
    expect(third.text).toContain('retry-after: 5');
    first.socket.destroy();
    await expect.poll(async () => (await fetch(`${gateway.url}/health`)).status).toBe(200);
    await gateway.close();
  });

  it('of all addresses are bounded', async () => {
    const gateway = await runningGateway({ CONNECTIONS_MAX: '1', TRUSTED_PROXIES: '127.0.0.1' });
    await open(gateway);
    const second = await open(gateway);
    await once(second.socket, 'close');
    expect(second.text).toContain(' 503 ');
    await gateway.close();
  });

  it('of a trusted proxy do not count for its address', async () => {
    const gateway = await runningGateway({ CONNECTIONS_PER_ADDRESS_MAX: '1', TRUSTED_PROXIES: '127.0.0.1' });
    await open(gateway);
    expect((await fetch(`${gateway.url}/health`)).status).toBe(200);
    await gateway.close();
  });
});

describe('pipelined requests', () => {
  const GET = 'GET /api/2.5/tenders HTTP/1.1\r\nHost: x\r\n\r\n';

  it('of one connection are answered up to 32', async () => {
    const gateway = await runningGateway();
    const client = await open(gateway);
    client.socket.write(GET.repeat(32));
    await expect.poll(() => client.text.match(/HTTP\/1.1 200/g)?.length).toBe(32);
    client.socket.write(GET);
    await expect.poll(() => client.text.match(/HTTP\/1.1 200/g)?.length).toBe(33);
    client.socket.destroy();
    await gateway.close();
  });

  it('beyond that end the connection, and reach no service', async () => {
    const gateway = await runningGateway();
    gateway.tenders.respond = () => undefined;
    const client = await open(gateway);
    client.socket.write(GET.repeat(5_000));
    await expect.poll(() => client.socket.destroyed).toBe(true);
    expect(gateway.tenders.received.length).toBeLessThanOrEqual(32);
    expect((await fetch(`${gateway.url}/health`)).status).toBe(200);
    await gateway.close();
  });
});

describe('pipelined requests whose client disconnects', () => {
  it('give back the places of their address, and the bytes of their answers', async () => {
    const gateway = await runningGateway({ REQUESTS_PER_ADDRESS_MAX: '4' });
    const long = `{"data":{"title":"${'x'.repeat(200_000)}"}}`;
    // The first one is never answered, and the others wait behind it.
    gateway.tenders.respond = ({ url }, response) => {
      if (!url.startsWith('/tenders?')) sendJson(response, 200, long);
    };
    const client = await open(gateway);
    const get = (path: string): string => `GET /api/2.5/tenders${path} HTTP/1.1\r\nHost: x\r\n\r\n`;
    client.socket.write(get('?first=1') + get(`/${id}`).repeat(3));
    await expect.poll(() => gateway.deps.answerBytes.bytes).toBeGreaterThan(3 * 100_000);
    expect((await fetch(`${gateway.url}/api/2.5/tenders/${id}`)).status).toBe(429);
    client.socket.destroy();
    await expect.poll(() => gateway.deps.answerBytes.bytes).toBe(0);
    for (let n = 0; n < 4; n += 1) expect((await fetch(`${gateway.url}/api/2.5/tenders/${id}`)).status).toBe(200);
    await gateway.close();
  });
});

describe('simultaneous requests of one address', () => {
  it('are bounded by the address behind trusted proxies', async () => {
    const gateway = await runningGateway({ REQUESTS_PER_ADDRESS_MAX: '1', TRUSTED_PROXIES: '127.0.0.1' });
    const read = async (address: string) =>
      fetch(`${gateway.url}/api/2.5/tenders`, { headers: { 'x-forwarded-for': address } });
    const answer = gateway.tenders.respond;
    const waiting: (() => void)[] = [];
    gateway.tenders.respond = (...exchange) => waiting.push(() => answer(...exchange));
    const first = read('192.0.2.1');
    await expect.poll(() => waiting.length).toBe(1);
    const second = await read('192.0.2.1');
    expect([second.status, second.headers.get('retry-after')]).toEqual([429, '1']);
    gateway.tenders.respond = answer;
    expect((await read('192.0.2.2')).status).toBe(200);
    waiting[0]?.();
    expect((await first).status).toBe(200);
    await expect.poll(async () => (await read('192.0.2.1')).status).toBe(200);
    await gateway.close();
  });

  it('are bounded for files apart', async () => {
    const documents = await fakeService();
    documents.respond = () => undefined;
    const gateway = await runningGateway({ FILES_PER_ADDRESS_MAX: '1', DOCUMENTS_URL: documents.url });
    const first = fetch(`${gateway.url}/get/${id}`).catch(() => undefined);
    await expect.poll(() => documents.received.length).toBe(1);
    const second = await fetch(`${gateway.url}/get/${id}`);
    expect([second.status, second.headers.get('retry-after')]).toEqual([429, '10']);
    expect((await fetch(`${gateway.url}/api/2.5/tenders`)).status).toBe(200);
    await documents.close();
    await first;
    await gateway.close();
  });
});

describe('boundDraining', () => {
  it('leaves nothing on a connection that goes on', () => {
    const socket = new Socket();
    for (let n = 0; n < 3; n += 1) {
      const request = new EventEmitter();
      boundDraining(Object.assign(request, { complete: false, socket }) as unknown as IncomingMessage);
      request.emit('end');
    }
    expect(socket.listenerCount('close')).toBe(0);
  });

  it('accepts a request whose connection has ended, which Node has detached', () => {
    expect(() => boundDraining({ complete: false, socket: null, once: vi.fn<() => IncomingMessage>() })).not.toThrow();
  });
});
