import { createHash, randomUUID } from 'node:crypto';
import { waitFor } from '@procurement/testing/wait-for';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestRoom, type TestRoom } from '../../test-support/test-room.ts';
import type { AuctionPlan } from '../domain/auction.ts';
import { linkHash } from '../session/links.ts';

const KEY = 'a key of an operator';
const authorization = `Basic ${Buffer.from(`petro:${KEY}`).toString('base64')}`;
const IN_FIRST_TURN = 310;
/** More than an auction of two bidders takes here. */
const DAY_SECONDS = 86_400;
const BIDDER = 'a9'.repeat(16);

let room: TestRoom;

beforeAll(async () => {
  const sha256 = createHash('sha256').update(KEY).digest('hex');
  room = await startTestRoom({ OPERATOR_KEYS: `olena:${'0'.repeat(64)},petro:${sha256}` });
});
afterAll(async () => room.stop());

const get = async (url: string) => room.operations.inject({ url, headers: { authorization } });

async function act(
  { id, tender }: AuctionPlan,
  action: string,
  fields: Readonly<Record<string, string>> = {},
  headers: Readonly<Record<string, string>> = {},
) {
  return room.operations.inject({
    method: 'POST',
    url: `/auctions/${id}/${action}`,
    headers: { authorization, 'content-type': 'application/x-www-form-urlencoded', ...headers },
    payload: new URLSearchParams({ number: tender.tenderID, reason: 'a test', ...fields }).toString(),
  });
}

async function running(): Promise<AuctionPlan> {
  const plan = await room.plan(IN_FIRST_TURN);
  await room.stored(plan.id, ({ currentStage }) => currentStage === 1);
  return plan;
}

async function offer({ id }: AuctionPlan, amount: number, generation?: number) {
  const given = { auctionId: id, bid: BIDDER, offerId: randomUUID(), amount };
  const link = generation === undefined ? {} : { generation };
  // A replica that stalled for 3 s takes no offer until it has looked for an outage.
  return waitFor(async () => room.room.placeOffer({ ...given, ...link, arrivedAt: room.room.clock.now() }), {
    what: 'an answer',
  });
}

describe('the page of operators', () => {
  it('is closed without a key, and to forms of other sites', async () => {
    const plan = await room.plan(-3_600);
    for (const url of ['/', `/auctions/${plan.id}`, `/auctions/${plan.id}/log.jsonl`]) {
      expect((await room.operations.inject(url)).statusCode).toBe(401);
      expect((await get(url)).statusCode).toBe(200);
      const bearer = await room.operations.inject({ url, headers: { authorization: `Bearer ${KEY}` } });
      expect(bearer.statusCode).toBe(200);
    }
    expect((await act(plan, 'void', {}, { authorization: 'Basic b2xlbmE6eA==' })).statusCode).toBe(401);
    expect((await act(plan, 'void', {}, { origin: 'https://evil.example.org' })).statusCode).toBe(403);
    expect((await act(plan, 'void', {}, { 'sec-fetch-site': 'cross-site' })).statusCode).toBe(403);
    expect((await room.room.auctions.load(plan.id))?.phase).toBe('planned');
  });

  it('shows the log, and no price of an open turn (A37)', async () => {
    const plan = await running();
    expect(await offer(plan, 417.31)).toMatchObject({ accepted: 417.31 });
    const page = await get(`/auctions/${plan.id}`);
    expect(page.body).toContain('>OfferPlaced</td>');
    expect(page.body).toMatch(/<dt>State is the fold of the log<\/dt><dd><span class="tag good">.*?yes<\/span>/);
    const log = await get(`/auctions/${plan.id}/log.jsonl`);
    for (const { body } of [page, log]) expect(body).not.toContain('417.31');
    const events = log.body
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(events.map(({ seq }) => seq)).toEqual([1, 2, 3, 4]);
    expect(events.at(-1)).toMatchObject({ actor: 'bidder', event: { type: 'OfferPlaced', bid: BIDDER } });
  });

  it('lists the other auctions when the state of one cannot be read', async () => {
    const [broken, whole] = [await room.plan(-3_600), await room.plan(-3_600)];
    await room.database.pool.query(`UPDATE auction SET state = '{}' WHERE id = $1`, [broken.id]);
    const page = await get('/');
    expect(page.statusCode).toBe(200);
    for (const { id } of [broken, whole]) expect(page.body).toContain(id);
  });
});

describe('the pages of operators', () => {
  it('have the shared look, a landmark, named tables, and nothing that reloads the page (portal.md 7)', async () => {
    const { id } = await room.plan(-3_600);
    const left = room.tenders.publish({ id: 'f'.repeat(32), auctionUrl: 'https://other.example.org/a' });
    await waitFor(async () => (await get('/')).body.includes(left.id), { what: 'the note of the tender' });
    for (const url of ['/', `/auctions/${id}`, '/following']) {
      const { body, headers } = await get(url);
      expect(headers['content-security-policy']).toContain("script-src 'self'; style-src 'self';");
      expect(body.match(/<main id="main">/g)).toHaveLength(1);
      expect(body.match(/<h1>/g)).toHaveLength(1);
      expect(body.match(/<caption>[^<]+<\/caption>/g) ?? []).toHaveLength(body.match(/<table/g)?.length ?? 0);
      expect(body).not.toMatch(/<th[^>]*><\/th>|http-equiv|<table border/);
      const assets = [...body.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map(([, address = '']) => address);
      expect(assets).toHaveLength(3);
      for (const address of assets) {
        const asset = await room.operations.inject(address);
        expect([asset.statusCode, asset.headers['cache-control']]).toEqual([
          200,
          'public, max-age=31536000, immutable',
        ]);
      }
    }
    const [today, one] = [(await get('/')).body, (await get(`/auctions/${id}`)).body];
    expect(today).toMatch(/data-pauses="today" data-other="[\w ]+">\w+<\/button><div id="today" data-refresh="5">/);
    expect(one.match(/class="button danger"/g)).toHaveLength(2);
    // One event: a line, and the rest of it on demand.
    expect(one.match(/<details>/g)).toHaveLength(1);
    expect(one).toMatch(/<tr><td [^>]+>1<\/td><td [^>]+><time [^>]+>[^<]+<\/time><\/td><td [^>]+>AuctionPlanned<\/td>/);
  });
});

describe('actions of operators', () => {
  it('need a reason and the number of the tender', async () => {
    const plan = await room.plan(-3_600);
    expect((await act(plan, 'void', { reason: ' ' })).body).toBe('Give a reason');
    expect((await act(plan, 'void', { number: 'UA-1' })).body).toBe('The number is not that of the tender');
    expect((await act(plan, 'destroy')).statusCode).toBe(404);
    expect((await room.room.auctions.log(plan.id)).map(({ type }) => type)).toEqual(['AuctionPlanned']);
  });

  it('void an auction, with their name in its log, and not once its report has begun (A38)', async () => {
    const plan = await running();
    expect((await act(plan, 'void')).statusCode).toBe(303);
    const log = await room.room.auctions.log(plan.id);
    expect(log.slice(-2)).toMatchObject([
      { type: 'OperatorActed', action: 'Void', operator: 'petro', reason: 'a test' },
      { type: 'AuctionMissed', reason: 'operator' },
    ]);
    const over = await room.plan(DAY_SECONDS);
    await room.stored(over.id, ({ phase }) => phase === 'finished');
    await room.room.run(over.id, { type: 'BeginReport' }, 'timer');
    expect((await act(over, 'void')).statusCode).toBe(409);
  });

  it('renew a link: the old one, its session and its offers count no more (F32, A34)', async () => {
    const plan = await running();
    const login = async (generation: number) => {
      const hash = linkHash(room.settings.ROOM_SECRETS, { auctionId: plan.id, bid: BIDDER, generation });
      return room.app.inject({
        method: 'POST',
        url: `/tenders/${plan.id}/login`,
        payload: new URLSearchParams({ bidder_id: BIDDER, hash }).toString(),
      });
    };
    const cookie = String((await login(1)).headers['set-cookie']).split(';')[0] ?? '';
    const mine = async () => room.app.inject({ url: `/tenders/${plan.id}/mine`, headers: { cookie } });
    expect((await mine()).statusCode).toBe(200);
    expect((await act(plan, 'renew-link', { bid: BIDDER })).statusCode).toBe(303);
    expect((await mine()).statusCode).toBe(401);
    expect([(await login(1)).statusCode, (await login(2)).statusCode]).toEqual([401, 303]);
    // An offer whose session was checked before the link was renewed.
    expect(await offer(plan, 400, 1)).toMatchObject({ refused: { code: 'session.required' } });
    expect(await offer(plan, 401, 2)).toMatchObject({ accepted: 401 });
  });

  it('send failed requests at once, if there are any', async () => {
    const plan = await room.plan(-3_600);
    await room.database.pool.query('UPDATE task SET attempts = 3, due_at = 9e15 WHERE auction_id = $1', [plan.id]);
    expect((await act(plan, 'try-again')).statusCode).toBe(303);
    expect((await room.room.auctions.log(plan.id)).at(-1)).toMatchObject({ type: 'OperatorActed', action: 'TryAgain' });
    await room.database.pool.query('DELETE FROM task WHERE auction_id = $1', [plan.id]);
    expect((await act(plan, 'try-again')).statusCode).toBe(409);
  });

  it('stop taking in new auctions, and take in those of meanwhile when they resume', async () => {
    const post = async (action: string, reason = 'a test') =>
      room.operations.inject({
        method: 'POST',
        url: `/following/${action}`,
        headers: { authorization },
        payload: new URLSearchParams({ reason }).toString(),
      });
    const fetchPage = async (url: string): Promise<string> => (await get(url)).body;
    const known = room.tenders.publish({ id: 'd'.repeat(32) });
    await room.stored(known.id, ({ phase }) => phase === 'planned');
    expect([(await post('stop', ' ')).statusCode, (await post('resume')).statusCode]).toEqual([422, 409]);
    expect([(await post('stop')).statusCode, (await post('stop')).statusCode]).toEqual([303, 409]);
    for (const url of ['/', '/following']) expect(await fetchPage(url)).toContain('by petro: a test');
    const left = room.tenders.publish({ id: 'e'.repeat(32) });
    await waitFor(async () => (await fetchPage('/')).includes(`${left.id}: new auctions are not taken in`), {
      what: 'the note of the tender',
    });
    expect(await room.room.auctions.load(left.id)).toBeUndefined();
    // Auctions that are held here are still followed.
    known.status = 'cancelled';
    room.tenders.touch(known.id);
    await room.stored(known.id, ({ phase }) => phase === 'cancelled');
    expect([(await post('resume')).statusCode, (await post('resume')).statusCode]).toEqual([303, 409]);
    await room.stored(left.id, ({ phase }) => phase === 'planned');
    // The note goes when the reading is finished, after the plan is stored.
    await waitFor(async () => !(await fetchPage('/')).includes(`${left.id}: new`), { what: 'the end of the note' });
  });

  it('hand a shard over', async () => {
    const { leadership } = room.room;
    const post = async (shard: number, reason: string) =>
      room.operations.inject({
        method: 'POST',
        url: `/shards/${shard}/hand-over`,
        headers: { authorization },
        payload: new URLSearchParams({ reason }).toString(),
      });
    const led = async (shard = 0) => {
      await leadership.round();
      return leadership.lease(shard);
    };
    const before = await waitFor(led, { what: 'a shard that is led' });
    expect([(await post(0, '')).statusCode, (await post(64, 'a test')).statusCode]).toEqual([422, 404]);
    await waitFor(async () => (await led()) && (await post(0, 'a test')).statusCode === 303, { what: 'the hand-over' });
    const after = await waitFor(led, { what: 'a leader again' });
    expect(after.epoch).toBeGreaterThan(before.epoch);
  });
});
