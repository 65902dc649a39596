import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fakeService, sendJson, type FakeService } from '../../test-support/fake-service.ts';
import { basic, runningGateway, type RunningGateway } from '../../test-support/running-gateway.ts';

const id = 'a'.repeat(32);
// More than the buffers of two sockets hold.
const LONG = Buffer.from(`{"data":{"title":"${'x'.repeat(5_000_000)}"}}`);
// Whoever is answered leaves, so that what stays is slow.
const HOST = 'Host: x\r\nConnection: close\r\n';
const KEY = `Authorization: ${basic('broker1').authorization}\r\n`;
const JSON_BODY = 'Content-Type: application/json\r\nContent-Length: 100000\r\n\r\n{"data":';
const FORM = 'Content-Type: multipart/form-data; boundary=b\r\nContent-Length: 100000\r\n\r\n--b\r\n';

/** What a client sends before it stops sending and reading. */
const KINDS: Readonly<Record<string, string>> = {
  'reader of a tender': `GET /api/2.5/tenders/${id}-long HTTP/1.1\r\n${HOST}\r\n`,
  'reader of a mapped tender': `GET /api/2.3/tenders/${id}-long HTTP/1.1\r\n${HOST}\r\n`,
  'reader of a list': `GET /api/2.5/tenders/${id}-long/questions HTTP/1.1\r\n${HOST}\r\n`,
  'reader of a file': `GET /get/${id} HTTP/1.1\r\n${HOST}\r\n`,
  'sender of JSON': `POST /api/2.5/tenders HTTP/1.1\r\n${HOST}${KEY}${JSON_BODY}`,
  'sender without a key': `POST /api/2.5/tenders HTTP/1.1\r\n${HOST}${JSON_BODY}`,
  'sender of a file': `POST /api/2.5/tenders/${id}/documents HTTP/1.1\r\n${HOST}${KEY}${FORM}`,
  'sender of headers': 'GET /api/2.5/tenders HTTP/1.1\r\nHost: ',
  'silent client': '',
};

let documents: FakeService;
beforeAll(async () => {
  documents = await fakeService();
  documents.respond = ({ url }, response) =>
    url.startsWith('/get/') ? response.end(LONG) : sendJson(response, 200, '{"data":[]}');
});
afterAll(async () => documents.close());

/** A gateway with few connections to its services. All clients of a test have one address, so that limits of addresses are off. */
async function smallGateway(settings: Readonly<Record<string, string>>): Promise<RunningGateway> {
  const gateway = await runningGateway({
    DOCUMENTS_URL: documents.url,
    UPSTREAM_CONNECTIONS_MAX: '8',
    FILE_CONNECTIONS_MAX: '8',
    REQUESTS_PER_ADDRESS_MAX: '0',
    CONNECTIONS_PER_ADDRESS_MAX: '0',
    ...settings,
  });
  gateway.tenders.respond = ({ url }, response) => {
    if (!url.includes('-long')) sendJson(response, 200, '{"data":{}}');
    else response.writeHead(200, { 'content-type': 'application/json', 'content-length': LONG.length }).end(LONG);
  };
  return gateway;
}

function slowClients(gateway: RunningGateway, ofEachKind: number): readonly Socket[] {
  const { port } = new URL(gateway.url);
  return Object.values(KINDS).flatMap((text) =>
    Array.from({ length: ofEachKind }, (_, n) => {
      const socket = connect(Number(port), '127.0.0.1');
      socket.on('error', () => undefined).pause();
      // Equal reads would share one of the service.
      socket.write(text.replace('-long', `-long${n}`));
      return socket;
    }),
  );
}

describe('issue 14 S2: clients that neither send nor read', () => {
  it('delay nobody else, 207 at a time', async () => {
    // Longer than the test: others do not depend on the end of slow clients.
    const gateway = await smallGateway({ CLIENT_IDLE_MS: '120000' });
    const slow = slowClients(gateway, 23);
    // Readers of three kinds and senders without a key.
    await expect.poll(() => gateway.tenders.received.length, { interval: 100 }).toBeGreaterThanOrEqual(4 * 23);
    const json = { ...basic('broker1'), 'content-type': 'application/json' };
    const form = new FormData();
    form.set('file', new Blob(['x']), 'x.txt');
    for (let round = 0; round < 3; round += 1) {
      const answers = await Promise.all([
        fetch(`${gateway.url}/api/2.5/tenders/${id}`),
        fetch(`${gateway.url}/api/2.3/tenders`),
        fetch(`${gateway.url}/api/2.5/tenders`, { method: 'POST', body: '{"data":{}}', headers: json }),
        fetch(`${gateway.url}/api/2.5/tenders/${id}/documents`),
      ]);
      await Promise.all(answers.map(async (answer) => answer.arrayBuffer()));
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    }
    for (const socket of slow) socket.destroy();
    await expect.poll(() => gateway.deps.answerBytes.bytes + gateway.deps.bodyBytes.bytes).toBe(0);
    await gateway.close();
  });

  it('are disconnected, and everything that they held is free again', async () => {
    const gateway = await smallGateway({ CLIENT_IDLE_MS: '500' });
    let accepted = 0;
    gateway.app.server.on('connection', () => (accepted += 1));
    const slow = slowClients(gateway, 2);
    const connections = async (): Promise<number> =>
      new Promise((resolve) => {
        gateway.app.server.getConnections((_error, count) => resolve(count));
      });
    await expect.poll(() => accepted).toBe(slow.length);
    await expect.poll(connections, { interval: 100 }).toBe(0);
    await expect.poll(() => gateway.deps.answerBytes.bytes + gateway.deps.bodyBytes.bytes).toBe(0);
    for (const socket of slow) socket.destroy();
    await gateway.close();
  });

  it('are not disconnected while they wait for a service', async () => {
    const gateway = await smallGateway({ CLIENT_IDLE_MS: '1500' });
    const gates: (() => void)[] = [];
    gateway.tenders.respond = (_received, response) => gates.push(() => sendJson(response, 200, '{"data":{}}'));
    const answer = fetch(`${gateway.url}/api/2.5/tenders/${id}`);
    await expect.poll(() => gates.length).toBe(1);
    // As long as a client may be silent: one that comes later is disconnected.
    const silent = connect(Number(new URL(gateway.url).port), '127.0.0.1');
    await once(silent.on('error', () => undefined).resume(), 'close');
    gates[0]?.();
    expect((await answer).status).toBe(200);
    await gateway.close();
  });
});
