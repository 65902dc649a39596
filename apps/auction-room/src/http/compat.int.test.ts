import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { waitFor } from '@procurement/testing/wait-for';
import type { InjectOptions } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fixtureText } from '../../test-support/fixtures.ts';
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

const loginHash = (bid: string, auctionId = plan.id): string =>
  linkHash(room.settings.ROOM_SECRETS, { auctionId, bid, generation: 1 });

/** A replica that stalled for 3 s answers 503 until it has looked for an outage. */
async function sent(request: InjectOptions) {
  return waitFor(
    async () => {
      const given = await room.app.inject(request);
      return given.statusCode !== 503 && given;
    },
    // Slower than the limit of a session.
    { what: 'an answer', intervalMs: 500 },
  );
}

async function post(url: string, body: unknown, remoteAddress = '192.0.2.7') {
  const headers = { 'content-type': 'application/json' };
  const answer = await sent({ method: 'POST', url, headers, remoteAddress, payload: JSON.stringify(body) });
  return [answer.statusCode, String(answer.headers['content-type']).startsWith('text') ? answer.body : answer.json()];
}

const offer = async (amount: unknown, bid = BIDDER, hash = loginHash(bid)) =>
  post(`/api/auctions/${plan.id}/bids/${bid}?hash=${hash}`, amount === undefined ? {} : { amount });

interface RecordedAnswer {
  readonly status: number;
  readonly type: string;
  readonly body: unknown;
}

/** A request and what another component answered. */
interface RecordedRequest {
  /** A worked auction, and its stage. */
  readonly auction: string;
  readonly stage: number;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: { readonly bidder_id?: string };
  readonly answer: RecordedAnswer;
  /** Where the room answers otherwise. */
  readonly ours?: RecordedAnswer;
}

const SECONDS_AGO: Readonly<Record<number, number>> = { 0: 10, 1: IN_FIRST_TURN };

/** Sends the request as it was recorded, to an auction of this room. */
async function repeated(auctionId: string, { method, path, body }: RecordedRequest): Promise<RecordedAnswer> {
  const bid = /\/bids\/(\w+)/.exec(path)?.[1] ?? body?.bidder_id ?? '';
  const here = (text: string): string =>
    text.replace('{auction}', auctionId).replace('{secret}', loginHash(bid, auctionId));
  const answer = await sent({
    method,
    url: here(path),
    headers: { 'content-type': 'application/json' },
    remoteAddress: '192.0.2.10',
    ...(body === undefined ? {} : { payload: here(JSON.stringify(body)) }),
  });
  const type = String(answer.headers['content-type']).split(';')[0] ?? '';
  return { status: answer.statusCode, type, body: type === 'text/plain' ? answer.body : answer.json() };
}

describe('the addresses of another component', () => {
  it('answer what that component answers, in status, type and body (A31)', async () => {
    const { requests }: { requests: readonly RecordedRequest[] } = JSON.parse(fixtureText('compat-answers.json'));
    const auctions = new Map<string, string>();
    for (const [n, request] of requests.entries()) {
      const { auction, stage, answer, ours } = request;
      const place = `${auction} ${stage}`;
      let id = auctions.get(place);
      if (id === undefined) {
        ({ id } = await room.plan(SECONDS_AGO[stage] ?? 0, auction));
        await room.stored(id, ({ currentStage }) => currentStage === stage);
        auctions.set(place, id);
      }
      expect(await repeated(id, request), `request ${n}: ${request.path}`).toEqual(ours ?? answer);
    }
    // The one place in which the room differs on purpose.
    expect(requests.filter(({ ours }) => ours !== undefined)).toHaveLength(1);
    expect(requests).toHaveLength(30);
  });

  it('list the auctions and show one', async () => {
    const list = (await room.app.inject('/api/auctions')).json<{ _id: string }[]>();
    expect(list.find(({ _id }) => _id === plan.id)).toMatchObject({ tenderID: plan.tender.tenderID });
    expect((await room.app.inject('/api/auctions?page=2')).json()).toEqual([]);
    const document = (await room.app.inject(`/api/auctions/${plan.id}`)).json();
    expect(document).toMatchObject({ _id: plan.id, current_stage: 1, auction_type: 'default' });
    expect((await room.app.inject('/api/auctions/none')).statusCode).toBe(404);
  });

  it('take and withdraw offers with the secret of the link', async () => {
    expect(await offer(440)).toEqual([200, { amount: 440 }]);
    const check = async () =>
      post(`/api/auctions/${plan.id}/check_authorization`, { bidder_id: BIDDER, hash: loginHash(BIDDER) });
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
    const fetchStatus = async (): Promise<unknown> => (await post(url, { amount: 1 }, '192.0.2.8'))[0];
    expect(await fetchStatus()).toBe(401);
    expect(await waitFor(async () => (await fetchStatus()) === 429, { what: 'a refusal' })).toBe(true);
  });

  it('count unknown bidders as wrong secrets', async () => {
    const url = `/api/auctions/${plan.id}/bids/nobody?hash=wrong`;
    const fetchStatus = async (): Promise<unknown> => (await post(url, { amount: 1 }, '192.0.2.9'))[0];
    expect(await fetchStatus()).toBe(400);
    expect(await waitFor(async () => (await fetchStatus()) === 429, { what: 'a refusal' })).toBe(true);
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
