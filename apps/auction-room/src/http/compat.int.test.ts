import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { waitFor } from '@procurement/testing/wait-for';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSocket, type SocketClient } from '../../test-support/socket-client.ts';
import { startTestRoom, type TestRoom } from '../../test-support/test-room.ts';
import type { AuctionPlan } from '../domain/auction.ts';
import { linkHash } from '../session/links.ts';
import type { Replica } from '../start-replica.ts';

const IN_FIRST_TURN = 310;
const [OTHER, BIDDER] = ['a8', 'a9'].map((name) => name.repeat(16)) as [string, string];

let room: TestRoom;
let plan: AuctionPlan;

beforeAll(async () => {
  room = await startTestRoom();
  plan = await room.plan(IN_FIRST_TURN);
  await room.stored(plan.id, ({ currentStage }) => currentStage === 1);
});
afterAll(async () => room.stop());

const hashOf = (bid: string): string =>
  linkHash(room.settings.ROOM_SECRETS, { auctionId: plan.id, bid, generation: 1 });

async function post(url: string, body: unknown, remoteAddress = '192.0.2.7') {
  const headers = { 'content-type': 'application/json' };
  // A replica that stalled for 3 s answers 503 until it has looked for an outage.
  const answer = await waitFor(
    async () => {
      const given = await room.app.inject({
        method: 'POST',
        url,
        headers,
        remoteAddress,
        payload: JSON.stringify(body),
      });
      return given.statusCode !== 503 && given;
    },
    // Slower than the limit of a session.
    { what: 'an answer', intervalMs: 500 },
  );
  return [answer.statusCode, String(answer.headers['content-type']).startsWith('text') ? answer.body : answer.json()];
}

const offer = async (amount: unknown, bid = BIDDER, hash = hashOf(bid)) =>
  post(`/api/auctions/${plan.id}/bids/${bid}?hash=${hash}`, amount === undefined ? {} : { amount });

describe('the addresses of another component', () => {
  it('list the auctions and show one', async () => {
    const list = (await room.app.inject('/api/auctions')).json<{ _id: string }[]>();
    expect(list.find(({ _id }) => _id === plan.id)).toMatchObject({ tenderID: plan.facts.tenderID });
    expect((await room.app.inject('/api/auctions?page=2')).json()).toEqual([]);
    const document = (await room.app.inject(`/api/auctions/${plan.id}`)).json();
    expect(document).toMatchObject({ _id: plan.id, current_stage: 1, auction_type: 'default' });
    expect((await room.app.inject('/api/auctions/none')).statusCode).toBe(404);
  });

  it('take and withdraw offers with the secret of the link', async () => {
    expect(await offer(440)).toEqual([200, { amount: 440 }]);
    const check = async () =>
      post(`/api/auctions/${plan.id}/check_authorization`, { bidder_id: BIDDER, hash: hashOf(BIDDER) });
    expect(await check()).toEqual([200, { amount: 440 }]);
    expect(await offer(-1)).toEqual([200, { amount: null }]);
    expect(await check()).toEqual([200, { amount: null }]);
  });

  it('refuse with the texts of the other component', async () => {
    expect(await offer(470)).toEqual([400, { error: 'Too high value' }]);
    expect(await offer(0)).toEqual([400, { error: 'Too low value' }]);
    expect(await offer(undefined)).toEqual([400, { error: 'Bid amount is required' }]);
    expect(await offer(400, OTHER)).toEqual([400, { error: 'Not valid bidder' }]);
    expect(await offer(400, 'nobody')).toEqual([400, { error: 'Invalid bidder_id nobody' }]);
    expect(await offer(400, BIDDER, 'wrong')).toEqual([401, { error: 'Invalid hash' }]);
    const check = `/api/auctions/${plan.id}/check_authorization`;
    expect(await post(check, { bidder_id: BIDDER, hash: 'wrong' })).toEqual([401, 'hash is invalid']);
    expect(await post(check, {})).toEqual([401, 'bidder_id or hash not provided']);
  });

  it('limit wrong secrets of an address', async () => {
    const url = `/api/auctions/${plan.id}/bids/${BIDDER}?hash=wrong`;
    const statusOf = async (): Promise<unknown> => (await post(url, { amount: 1 }, '192.0.2.8'))[0];
    expect(await statusOf()).toBe(401);
    expect(await waitFor(async () => (await statusOf()) === 429, { what: 'a refusal' })).toBe(true);
  });

  it('count unknown bidders as wrong secrets', async () => {
    const url = `/api/auctions/${plan.id}/bids/nobody?hash=wrong`;
    const statusOf = async (): Promise<unknown> => (await post(url, { amount: 1 }, '192.0.2.9'))[0];
    expect(await statusOf()).toBe(400);
    expect(await waitFor(async () => (await statusOf()) === 429, { what: 'a refusal' })).toBe(true);
  });

  it('answer the calls of its pages', async () => {
    expect((await room.app.inject('/api')).json()).toEqual({ text: 'pong' });
    expect(await post('/api/log', { any: 1 })).toEqual([200, { result: 'ok' }]);
    expect((await room.app.inject('/get_current_server_time')).body).toMatch(/^\d{4}-\d\d-\d\dT/);
  });

  it('tell a socket what another replica decided, and let it come back when its own ends', async () => {
    const other = await room.plan(IN_FIRST_TURN);
    await room.stored(other.id, ({ currentStage }) => currentStage === 1);
    const socketUrl = async ({ app }: Replica): Promise<string> => {
      await app.listen({ host: '127.0.0.1', port: 0 });
      // Safe cast: it listens on TCP.
      return `ws://127.0.0.1:${(app.server.address() as AddressInfo).port}/api/auctions/${other.id}/ws`;
    };
    const second = await room.join();
    const socket = await openSocket(await socketUrl(second));
    await waitFor(() => socket.texts.length === 1, { what: 'the document' });
    await room.room.run(other.id, { type: 'Cancel', reason: 'test' }, 'follower');
    const isCancelled = ({ texts }: SocketClient): boolean => JSON.parse(texts.at(-1) ?? '{}').phase === 'cancelled';
    await waitFor(() => isCancelled(socket), { what: 'the news of the other' });
    const closed = once(socket.socket, 'close');
    await second.stop();
    expect((await closed)[0]).toBe(1_001);
    const again = await openSocket(await socketUrl(room));
    await waitFor(() => isCancelled(again), { what: 'the present document' });
    again.socket.terminate();
  });

  it('are absent with COMPAT_API=off', async () => {
    const without = await room.join({ COMPAT_API: 'off' });
    expect((await without.app.inject('/api')).statusCode).toBe(404);
    await without.stop();
  });
});
