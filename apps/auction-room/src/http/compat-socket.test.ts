import { once } from 'node:events';
import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { waitFor } from '@procurement/testing/wait-for';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { openSocket, refusedSocket, type SocketClient } from '../../test-support/socket-client.ts';
import { STUB_AUCTION, stubApp, type StubApp } from '../../test-support/stub-app.ts';
import { decide, foldOnto } from '../domain/auction.decide.ts';

const { plan } = STUB_AUCTION;
const PLACES = 3;

let stub: StubApp;
let address: string;
const open: SocketClient[] = [];

beforeEach(async () => {
  stub = stubApp({ streamsPerAddress: PLACES });
  await stub.app.listen({ host: '127.0.0.1', port: 0 });
  // Safe cast: it listens on TCP.
  address = `127.0.0.1:${(stub.app.server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  for (const { socket } of open.splice(0)) socket.terminate();
  await stub.hub.close(0);
  await stub.app.close();
});

const socketPath = (id = plan.id): string => `/api/auctions/${id}/ws`;

async function watch(): Promise<SocketClient> {
  const client = await openSocket(`ws://${address}${socketPath()}`);
  open.push(client);
  await waitFor(() => client.texts.length > 0, { what: 'the document' });
  return client;
}

const documents = ({ texts }: SocketClient): { seq: number; phase: string }[] => texts.map((text) => JSON.parse(text));

/** The same state at a later time of the tender: every watcher is sent a frame. */
function jump(seconds: number): void {
  stub.hub.publish({ auction: STUB_AUCTION, aheadMicros: seconds * 1_000_000 });
}

describe('the socket of an auction', () => {
  it('sends the document of GET /api/auctions/{id}, and again at every change', async () => {
    const client = await watch();
    const shown = (await stub.app.inject(`/api/auctions/${plan.id}`)).json();
    expect(documents(client)).toEqual([shown]);
    const cancelled = decide(STUB_AUCTION, { type: 'Cancel', reason: 'test' }, plan.startAt);
    const auction = foldOnto(STUB_AUCTION, 'accepted' in cancelled ? cancelled.accepted : []);
    stub.hub.publish({ auction, aheadMicros: 0 });
    await waitFor(() => client.texts.length === 2, { what: 'the change' });
    expect(documents(client)[1]).toMatchObject({ _id: plan.id, phase: 'cancelled', current_stage: -100 });
  });

  it('reads the database for the first watcher only', async () => {
    await Promise.all([watch(), watch()]);
    const before = stub.reads.length;
    await watch();
    expect(stub.reads.length).toBe(before);
  });

  it('cuts a reader that takes nothing, and no other (F27)', async () => {
    const [slow, fast] = [await watch(), await watch()];
    slow.socket.pause();
    let seconds = 0;
    await waitFor(
      () => {
        // The other has taken all frames so far.
        if (fast.texts.length <= seconds) return false;
        for (let frame = 0; frame < 50; frame += 1) jump((seconds += 1));
        return stub.hub.count() === 1;
      },
      { what: 'the end of the slow reader', intervalMs: 1 },
    );
    await waitFor(() => fast.texts.length === seconds + 1, { what: 'all frames of the other' });
    expect(fast.socket.readyState).toBe(WebSocket.OPEN);
  });

  it('is refused above the streams of an address, and gives its place back', async () => {
    const clients = await Promise.all(Array.from({ length: PLACES }, watch));
    expect(await refusedSocket(`ws://${address}${socketPath()}`)).toBe(503);
    clients[0]?.socket.close();
    await waitFor(async () => watch().catch(() => false), { what: 'a free place' });
  });

  it('ignores what it gets, up to a limit', async () => {
    const [polite, long, flooding] = [await watch(), await watch(), await watch()];
    polite.socket.send('PONG');
    long.socket.send('x'.repeat(2_000));
    for (let message = 0; message < 200; message += 1) flooding.socket.send('x');
    await waitFor(() => long.isClosed() && flooding.isClosed(), { what: 'the end of both' });
    jump(1);
    await waitFor(() => polite.texts.length === 2, { what: 'a frame' });
    expect([polite, long, flooding].map((client) => client.isClosed())).toEqual([false, true, true]);
  });

  it('is refused as HTTP for what is no auction', async () => {
    for (const id of ['f'.repeat(32), 'none'])
      expect(await refusedSocket(`ws://${address}${socketPath(id)}`)).toBe(404);
    expect((await stub.app.inject(socketPath())).statusCode).toBe(404);
  });
});

describe('an upgrade to something else', () => {
  it.each([
    ['GET', `/api/auctions/${plan.id}`, ''],
    ['GET', socketPath('none'), ''],
    ['POST', '/api/log', '{"any":1}'],
  ])('is served as if it were none: %s %s', async (method, path, body) => {
    const expected = await stub.app.inject({ method: method as 'GET' | 'POST', url: path, payload: body });
    const headers = { connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c', 'content-length': body.length };
    const sent = request(`http://${address}${path}`, { method, headers, agent: false });
    sent.end(body);
    const [answer] = await once(sent, 'response');
    const parts: Buffer[] = [];
    for await (const part of answer) parts.push(part);
    expect([answer.statusCode, String(Buffer.concat(parts))]).toEqual([expected.statusCode, expected.body]);
  });
});
