import { createServer as createTcpServer, type AddressInfo, type Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseNetwork, type AddressPolicy } from './webhook-address.ts';
import { webhookReceiver, type WebhookReceiver } from '@procurement/testing/webhook-receiver';
import { makeWebhookTransport, type ResolveName } from './webhook-transport.ts';

const PUBLIC: AddressPolicy = { isPrivateAllowed: false, denied: [], portsDenied: [] };
const SANDBOX: AddressPolicy = { ...PUBLIC, isPrivateAllowed: true };

let listener: Server;
let port: number;
let connections = 0;
let receiver: WebhookReceiver;

beforeAll(async () => {
  receiver = await webhookReceiver();
  listener = createTcpServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => listener.listen(0, '::', resolve));
  ({ port } = listener.address() as AddressInfo);
});
afterAll(async () => {
  await receiver.stop();
  listener.close();
});

const addresses =
  (...list: readonly string[]): ResolveName =>
  async () =>
    list.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));

async function post(url: string, policy: AddressPolicy, resolve?: ResolveName, timeoutMs = 60_000) {
  const transport = makeWebhookTransport(policy, resolve);
  try {
    return await transport.post({ url, headers: {}, body: '{"type":"x","data":{}}', timeoutMs });
  } finally {
    await transport.close();
  }
}

describe('makeWebhookTransport', () => {
  it.each([
    ['127.0.0.1'],
    ['::1'],
    ['::ffff:127.0.0.1'],
    ['::ffff:10.0.0.1'],
    ['169.254.169.254'],
    ['100.64.0.1'],
    ['fd00::1'],
    ['64:ff9b::a00:1'],
    ['0.0.0.0'],
    ['93.184.215.14', '127.0.0.1'],
    [],
  ])('connects to no name that has %s among its addresses (A24)', async (...list) => {
    const answer = await post(
      `https://broker.example:${port}/`,
      PUBLIC,
      addresses(...list.filter((one) => one !== undefined)),
    );
    expect([answer.ok, answer.error, connections]).toEqual([false, 'address-refused', 0]);
  });

  it('connects to the address that was checked, whatever the name has afterwards (A24)', async () => {
    let calls = 0;
    const rebinding: ResolveName = async () => {
      calls += 1;
      return [{ address: calls === 1 ? '127.0.0.1' : '127.0.0.2', family: 4 }];
    };
    const denied: AddressPolicy = { ...SANDBOX, denied: [parseNetwork('127.0.0.2')] };
    const transport = makeWebhookTransport(denied, rebinding);
    const send = async () =>
      transport.post({
        url: `http://broker.example:${receiver.port}/`,
        headers: {},
        body: '{"type":"x","data":{}}',
        timeoutMs: 60_000,
      });
    expect(await send()).toMatchObject({ ok: true, status: 200 });
    expect(calls).toBe(1);
    await transport.close();
    const second = makeWebhookTransport(denied, rebinding);
    expect(
      (
        await second.post({
          url: `http://broker.example:${receiver.port}/`,
          headers: {},
          body: '{}',
          timeoutMs: 60_000,
        })
      ).error,
    ).toBe('address-refused');
    await second.close();
  });

  it('connects to no literal, port or form that is refused (A24)', async () => {
    for (const url of [
      `https://127.0.0.1:${port}/`,
      `https://[::1]:${port}/`,
      `http://localhost:${port}/`,
      'https://a.example:22/',
    ]) {
      expect((await post(url, PUBLIC, addresses('127.0.0.1'))).error).toBe('address-refused');
    }
    expect(connections).toBe(0);
  });

  it('follows no redirect', async () => {
    receiver.reply = () => (response) => response.writeHead(307, { location: `http://127.0.0.1:${port}/` }).end();
    expect(await post(receiver.url, SANDBOX)).toMatchObject({ ok: false, status: 307 });
    expect(connections).toBe(0);
  });

  it('bounds the time, the headers and the body of an answer', async () => {
    receiver.reply = () => () => undefined;
    expect((await post(receiver.url, SANDBOX, undefined, 50)).error).toBe('timeout');
    receiver.reply = () => (response) =>
      response.writeHead(200, { 'x-large': 'x'.repeat(15_000), 'y-large': 'y'.repeat(2_000) }).end();
    expect((await post(receiver.url, SANDBOX)).error).toBe('headers');
    receiver.reply = () => (response) => {
      response.writeHead(200);
      const write = (): void => {
        while (!response.destroyed && response.write('x'.repeat(65_536)));
        if (!response.destroyed) response.once('drain', write);
      };
      write();
    };
    const endless = await post(receiver.url, SANDBOX);
    expect([endless.ok, endless.text.length]).toEqual([true, 65_536]);
  });

  it('reads for how long a receiver asks for no requests, where its status means that', async () => {
    receiver.reply = () => (response) => response.writeHead(503, { 'retry-after': '120' }).end();
    expect((await post(receiver.url, SANDBOX)).retryAfterSeconds).toBe(120);
    receiver.reply = () => (response) => response.writeHead(500, { 'retry-after': '120' }).end();
    expect((await post(receiver.url, SANDBOX)).retryAfterSeconds).toBeUndefined();
  });

  it('names the class of an error, and verifies certificates', async () => {
    const none: ResolveName = async () => {
      throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' });
    };
    expect((await post('http://broker.example:1024/', SANDBOX, none)).error).toBe('dns');
    expect((await post(`https://127.0.0.1:${receiver.port}/`, SANDBOX)).error).toBe('tls');
  });
});
