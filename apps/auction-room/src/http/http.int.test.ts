import { readdirSync, readFileSync } from 'node:fs';
import { request, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { openClient, type StreamClient } from '@procurement/testing/stream-client';
import { waitFor } from '@procurement/testing/wait-for';
import fc from 'fast-check';
import type { InjectOptions } from 'fastify';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { removeNewest } from '../../test-support/replica.ts';
import { PUBLIC_URL, startTestRoom, type TestRoom } from '../../test-support/test-room.ts';
import type { AuctionPlan } from '../domain/auction.ts';
import { linkHash } from '../session/links.ts';
import type { Replica } from '../start-replica.ts';

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const IN_FIRST_TURN = 310;
/** Bidders of the worked auction 01. The worst bid has the first turn, and may offer up to 469. */
const [SECOND_BIDDER, FIRST_BIDDER] = ['a8', 'a9'].map((name) => name.repeat(16)) as [string, string];

let room: TestRoom;
let plan: AuctionPlan;
let address: string;

beforeAll(async () => {
  room = await startTestRoom({ STREAMS_MAX: '3' });
  plan = await room.plan(IN_FIRST_TURN);
  await room.stored(plan.id, ({ currentStage }) => currentStage === 1);
  address = await listening(room);
});
afterAll(async () => room.stop());

async function listening({ app }: Replica): Promise<string> {
  await app.listen({ host: '127.0.0.1', port: 0 });
  // Safe cast: it listens on TCP.
  return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
}

function buildLink(bid: string, auctionId = plan.id, generation = 1): URLSearchParams {
  const hash = linkHash(room.settings.ROOM_SECRETS, { auctionId, bid, generation });
  return new URLSearchParams({ bidder_id: bid, hash });
}

async function postLogin(link: URLSearchParams, more: InjectOptions = {}) {
  return room.app.inject({
    method: 'POST',
    url: `/tenders/${plan.id}/login`,
    payload: link.toString(),
    ...more,
    headers: { ...FORM, ...more.headers },
  });
}

interface Bidder {
  readonly cookie: string;
  readonly csrf: string;
}

const bidders = new Map<string, Bidder>();

/** The bidder in a session that several tests share: a link may be opened ten times a minute. */
async function enterOnce(bid: string): Promise<Bidder> {
  const known = bidders.get(bid);
  const headers = { cookie: known?.cookie ?? '' };
  const { statusCode } = await room.app.inject({ url: `/tenders/${plan.id}/mine`, headers });
  // Newer sessions may have ended it.
  if (known !== undefined && statusCode === 200) return known;
  const entered = await enter(bid);
  bidders.set(bid, entered);
  return entered;
}

/** Opens the link of a bidder, as soon as it may be opened. */
async function enter(bid: string, auctionId = plan.id): Promise<Bidder> {
  const answer = await waitFor(
    async () => {
      const attempt = await postLogin(buildLink(bid, auctionId), { url: `/tenders/${auctionId}/login` });
      return attempt.statusCode === 303 && attempt;
    },
    { what: 'a session', intervalMs: 500 },
  );
  const cookie = String(answer.headers['set-cookie']).split(';')[0] ?? '';
  const mine = await room.app.inject({ url: `/tenders/${auctionId}/mine`, headers: { cookie } });
  return { cookie, csrf: mine.json<{ csrf: string }>().csrf };
}

/** Sends an offer once. */
async function send({ cookie, csrf }: Bidder, body: unknown, more: Readonly<Record<string, string>> = {}) {
  return room.app.inject({
    method: 'POST',
    url: `/tenders/${plan.id}/offers`,
    headers: { cookie, 'x-room-csrf': csrf, 'content-type': 'application/json', ...more },
    payload: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

/** A replica that stalled for 3 s answers 503 until it has looked for an outage, and a bidder has so many offers a second. */
async function whenAllowed(attempt: () => ReturnType<typeof send>) {
  return waitFor(
    async () => {
      const answer = await attempt();
      return answer.statusCode !== 503 && answer.statusCode !== 429 && answer;
    },
    // Slower than the limit of a bidder.
    { what: 'an answer', intervalMs: 500 },
  );
}

async function offer(bidder: Bidder, body: unknown, more: Readonly<Record<string, string>> = {}) {
  return whenAllowed(async () => send(bidder, body, more));
}

const codeOf = (answer: { json<T>(): T }): string =>
  answer.json<{ errors: readonly { code: string }[] }>().errors[0]?.code ?? '';

describe('every answer', () => {
  it.each(['/', '/auctions', '/time', '/nothing', '/tenders/none', '/assets/none', '/tenders/%zz'])(
    'has the headers of 10.4: %s',
    async (url) => {
      const { headers } = await room.app.inject(url);
      expect(headers['content-security-policy']).toBe(
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'; require-trusted-types-for 'script'; trusted-types room",
      );
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cross-origin-opener-policy': 'same-origin',
        'strict-transport-security': expect.stringContaining('max-age='),
        'x-request-id': expect.stringMatching(/^[0-9a-f]{32}$/),
      });
    },
  );
});

describe('login', () => {
  it('asks for consent, and sets nothing, when a program opens the link (A32)', async () => {
    const { statusCode, headers, body } = await room.app.inject(`/tenders/${plan.id}/login?${buildLink(FIRST_BIDDER)}`);
    expect(statusCode).toBe(200);
    expect(headers['set-cookie']).toBeUndefined();
    expect(headers['cache-control']).toBe('no-store');
    expect(body).toContain('id="confirm"');
  });

  it('keeps the link when another language is chosen, and the language for the pages that follow', async () => {
    const path = `/tenders/${plan.id}/login`;
    const given = new URLSearchParams(buildLink(FIRST_BIDDER));
    given.set('return_url', 'https://broker.example/?a=1&b="2"');
    const asked = await room.app.inject(`${path}?${given}`);
    const [, address = ''] = / href="([^"]*)" lang="en"/.exec(asked.body) ?? [];
    const inEnglish = await room.app.inject(path + address.replaceAll('&amp;', '&'));
    const fieldsOf = (body: string): readonly string[] => body.match(/<input type="hidden"[^>]*>/g) ?? [];
    expect(fieldsOf(inEnglish.body)).toEqual(fieldsOf(asked.body));
    expect(fieldsOf(asked.body)).toHaveLength(3);
    expect([asked, inEnglish].map(({ body }) => /<html lang="(\w+)">/.exec(body)?.[1])).toEqual(['uk', 'en']);
    const cookie = String(inEnglish.headers['set-cookie']).split(';')[0] ?? '';
    const pages = await Promise.all(
      [`/tenders/${plan.id}`, '/'].map(async (url) => room.app.inject({ url, headers: { cookie } })),
    );
    expect(pages.map(({ body }) => body.includes('<html lang="en">'))).toEqual([true, true]);
    const list = await room.app.inject('/?date=2026-03-28&page=2');
    expect(list.body).toContain('href="?date=2026-03-28&amp;page=2&amp;lang=en"');
  });

  it('opens a session of this auction only, in a cookie that scripts do not see', async () => {
    const answer = await postLogin(buildLink(FIRST_BIDDER));
    expect(answer.statusCode).toBe(303);
    expect(answer.headers.location).toBe(`/tenders/${plan.id}`);
    const cookie = String(answer.headers['set-cookie']);
    for (const part of [`Path=/tenders/${plan.id}`, 'HttpOnly', 'SameSite=Lax', 'Secure'])
      expect(cookie).toContain(part);
    const other = await room.plan(IN_FIRST_TURN);
    const mine = await room.app.inject({
      url: `/tenders/${other.id}/mine`,
      headers: { cookie: cookie.split(';')[0] ?? '' },
    });
    expect([mine.statusCode, codeOf(mine)]).toEqual([401, 'session.required']);
  });

  it('answers a wrong link, a link of another auction and an unknown bidder alike (A35)', async () => {
    const nobody = 'ff'.repeat(16);
    const answers = await Promise.all(
      [
        new URLSearchParams({ bidder_id: FIRST_BIDDER, hash: `1-${'0'.repeat(40)}` }),
        buildLink(FIRST_BIDDER, 'c'.repeat(32)),
        buildLink(nobody),
        new URLSearchParams(),
      ].map(async (link) => postLogin(link)),
    );
    const [first] = answers;
    for (const { statusCode, body, headers } of answers) {
      expect([statusCode, body]).toEqual([401, first?.body]);
      expect(headers['set-cookie']).toBeUndefined();
    }
  });

  it('refuses forms of other sites', async () => {
    for (const headers of [{ origin: 'https://evil.example.org' }, { 'sec-fetch-site': 'cross-site' }]) {
      const answer = await postLogin(buildLink(FIRST_BIDDER), { headers });
      expect([answer.statusCode, codeOf(answer)]).toEqual([403, 'session.csrf']);
    }
    expect((await postLogin(buildLink(FIRST_BIDDER), { headers: { origin: PUBLIC_URL } })).statusCode).toBe(303);
  });

  it('limits wrong links of an address, and lets right ones of it in', async () => {
    const remoteAddress = '192.0.2.1';
    const wrong = new URLSearchParams({ bidder_id: FIRST_BIDDER, hash: 'wrong' });
    expect((await postLogin(wrong, { remoteAddress })).statusCode).toBe(401);
    const refused = await waitFor(
      async () => {
        const answer = await postLogin(wrong, { remoteAddress });
        return answer.statusCode === 429 && answer;
      },
      { what: 'a refusal' },
    );
    expect(refused.headers['retry-after']).toBe('6');
    expect((await postLogin(buildLink(FIRST_BIDDER), { remoteAddress })).statusCode).toBe(303);
  });

  it('ends the oldest of six sessions of a link, and its streams, at every replica', async () => {
    const other = await room.join();
    const { id } = await room.plan(IN_FIRST_TURN);
    const [oldest, second] = [await enter(FIRST_BIDDER, id), await enter(FIRST_BIDDER, id)];
    const statuses = async (cookie: string): Promise<readonly number[]> =>
      Promise.all(
        [room.app, other.app].map(
          async (app) => (await app.inject({ url: `/tenders/${id}/mine`, headers: { cookie } })).statusCode,
        ),
      );
    expect(await statuses(oldest.cookie)).toEqual([200, 200]);
    const stream = await openClient(streamUrl(id), { cookie: oldest.cookie });
    for (let entry = 3; entry <= 6; entry += 1) await enter(FIRST_BIDDER, id);
    expect(await statuses(oldest.cookie)).toEqual([401, 401]);
    expect(await statuses(second.cookie)).toEqual([200, 200]);
    await waitFor(() => stream.frames.some((frame) => frame.includes('event: bye')), { what: 'the end of the stream' });
    await other.stop();
    await removeNewest(room.database.pool);
  });

  it('is refused to a link that is opened more than ten times a minute, each an event of the log', async () => {
    const { id } = await room.plan(IN_FIRST_TURN);
    const beganMs = performance.now();
    const answers = await Promise.all(
      Array.from({ length: 40 }, async () => postLogin(buildLink(FIRST_BIDDER, id), { url: `/tenders/${id}/login` })),
    );
    const refused = answers.filter(({ statusCode }) => statusCode === 429);
    // A burst, and ten a minute.
    const allowed = 10 + Math.ceil((performance.now() - beganMs) / 6_000);
    expect(answers.length - refused.length).toBeLessThanOrEqual(allowed);
    expect(refused[0]?.headers['retry-after']).toBe('6');
    const entered = (await room.room.auctions.log(id)).filter(({ type }) => type === 'BidderEntered');
    expect(entered.length).toBe(answers.length - refused.length);
  });

  it('keeps the return address only if it is a web address', async () => {
    const fetchReturnUrl = async (url: string): Promise<unknown> => {
      const link = buildLink(FIRST_BIDDER);
      link.set('return_url', url);
      const cookie = String((await postLogin(link)).headers['set-cookie']).split(';')[0] ?? '';
      return (await room.app.inject({ url: `/tenders/${plan.id}/mine`, headers: { cookie } })).json<{
        return_url?: string;
      }>().return_url;
    };
    expect(await fetchReturnUrl('https://broker.example.org/bids')).toBe('https://broker.example.org/bids');
    expect(await fetchReturnUrl('javascript:alert(1)')).toBeUndefined();
  });

  it('ends with the session', async () => {
    const { cookie, csrf } = await enterOnce(FIRST_BIDDER);
    const logout = async (token: string) =>
      room.app.inject({
        method: 'POST',
        url: `/tenders/${plan.id}/logout`,
        headers: { ...FORM, cookie },
        payload: `csrf=${token}`,
      });
    expect((await logout('wrong')).statusCode).toBe(403);
    const answer = await logout(csrf);
    expect([answer.statusCode, String(answer.headers['set-cookie'])]).toEqual([
      303,
      expect.stringContaining('Max-Age=0'),
    ]);
  });
});

describe('POST /tenders/{id}/offers', () => {
  it.each<readonly [string, unknown, number, string]>([
    ['text', 'no json', 400, 'body.not-json'],
    ['a list', '[]', 400, 'body.not-json'],
    ['no offer id', { amount: 400 }, 422, 'offer.id'],
    ['a short offer id', { offerId: 'x', amount: 400 }, 422, 'offer.id'],
    ['no amount', { offerId: 'offer-none' }, 422, 'offer.amount-required'],
    ['an amount as text', { offerId: 'offer-text', amount: '400' }, 422, 'offer.amount-required'],
    ['an infinite amount', '{"offerId":"offer-infinite","amount":1e999}', 422, 'offer.amount-required'],
    ['zero', { offerId: 'offer-zero', amount: 0 }, 422, 'offer.too-low'],
    ['above the limit', { offerId: 'offer-high', amount: 470 }, 422, 'offer.too-high'],
  ])('refuses %s', async (_title, body, status, code) => {
    const answer = await offer(await enterOnce(FIRST_BIDDER), body);
    expect([answer.statusCode, codeOf(answer)]).toEqual([status, code]);
  });

  it('refuses a body above 4 kB', async () => {
    const answer = await offer(await enterOnce(FIRST_BIDDER), {
      offerId: 'offer-large',
      amount: 1,
      more: 'x'.repeat(4_096),
    });
    expect(answer.statusCode).toBe(413);
  });

  it('refuses whoever is not the bidder of the turn', async () => {
    const bidder = await enterOnce(FIRST_BIDDER);
    const body = { offerId: 'offer-nobody', amount: 400 };
    expect(codeOf(await offer({ cookie: '', csrf: '' }, body))).toBe('session.required');
    expect(codeOf(await offer({ ...bidder, cookie: `${bidder.cookie}0` }, body))).toBe('session.required');
    expect(codeOf(await offer({ ...bidder, csrf: 'wrong' }, body))).toBe('session.csrf');
    expect(codeOf(await offer(bidder, body, { origin: 'https://evil.example.org' }))).toBe('session.csrf');
    expect(codeOf(await offer(await enterOnce(SECOND_BIDDER), body))).toBe('offer.not-your-turn');
  });

  it('answers a repeat as the first time, and refuses its id for another amount', async () => {
    const bidder = await enterOnce(FIRST_BIDDER);
    const body = { offerId: 'offer-repeated', amount: 441 };
    const first = (await offer(bidder, body)).json();
    expect(first).toMatchObject({ accepted: 441, stage: 1, stands: 441, repeat: false });
    expect((await offer(bidder, body)).json()).toEqual({ ...first, repeat: true });
    expect(codeOf(await offer(bidder, { ...body, amount: 440 }))).toBe('offer.id-used');
    expect((await offer(bidder, { offerId: 'offer-withdrawn', amount: null })).json()).toMatchObject({
      accepted: null,
      stands: null,
    });
  });

  it('judges offers of two devices; the later one stands, and both devices see it (F23, F24)', async () => {
    const devices = await Promise.all([enter(FIRST_BIDDER), enter(FIRST_BIDDER)]);
    const streams = await Promise.all(devices.map(async ({ cookie }) => openClient(streamUrl(), { cookie })));
    const [one, two] = devices;
    if (one === undefined || two === undefined) throw new Error('two devices');
    expect((await offer(one, { offerId: 'offer-of-one', amount: 431 })).statusCode).toBe(200);
    expect((await offer(two, { offerId: 'offer-of-two', amount: 435 })).statusCode).toBe(200);
    for (const stream of streams)
      await waitFor(() => stream.frames.some((frame) => /event: mine[^]*"stands":435/.test(frame)), {
        what: 'what stands, at each device',
      });
    const mine = await room.app.inject({ url: `/tenders/${plan.id}/mine`, headers: { cookie: one.cookie } });
    expect(mine.json()).toMatchObject({ stands: 435, limit: 444, devices: 2 });
    for (const stream of streams) stream.close();
  });

  it('limits a bidder that floods, in whatever session, and no other bidder (F25)', async () => {
    const [one, two] = await Promise.all([enter(FIRST_BIDDER), enter(FIRST_BIDDER)]);
    const byLink = async () =>
      room.app.inject({
        method: 'POST',
        url: `/api/auctions/${plan.id}/bids/${FIRST_BIDDER}?${buildLink(FIRST_BIDDER)}`,
        payload: { amount: 300 },
      });
    const beganMs = performance.now();
    const answers = await Promise.all(
      Array.from({ length: 99 }, async (_one, n) =>
        // The secret of the link, as robots use it, is counted with the sessions.
        n % 3 === 0 ? byLink() : send(n % 3 === 1 ? one : two, { offerId: `offer-flood-${n}`, amount: 300 }),
      ),
    );
    const refused = answers.filter(({ statusCode }) => statusCode === 429);
    // A burst, and five a second.
    const allowed = 10 + Math.ceil(((performance.now() - beganMs) / 1_000) * 5);
    expect(answers.length - refused.length).toBeLessThanOrEqual(allowed);
    expect(refused[0]?.headers['retry-after']).toBe('1');
    const other = await send(await enterOnce(SECOND_BIDDER), { offerId: 'offer-of-other', amount: 420 });
    expect(codeOf(other)).toBe('offer.not-your-turn');
  });

  it('takes forms of browsers without JavaScript', async () => {
    const { cookie, csrf } = await enterOnce(FIRST_BIDDER);
    const send = async (fields: Readonly<Record<string, string>>) =>
      whenAllowed(async () =>
        room.app.inject({
          method: 'POST',
          url: `/tenders/${plan.id}/offers`,
          headers: { ...FORM, cookie },
          payload: new URLSearchParams({ csrf, ...fields }).toString(),
        }),
      );
    const placed = await send({ offerId: 'offer-form-1', amount: '430,50' });
    expect([placed.statusCode, placed.headers.location]).toEqual([303, `/tenders/${plan.id}?message=offer.placed`]);
    const page = await room.app.inject({ url: placed.headers.location ?? '', headers: { cookie } });
    expect(page.body).toContain('data-testid="message"');
    expect(page.headers['cache-control']).toBe('no-store');
    const withdrawn = await send({ offerId: 'offer-form-3', withdraw: '1' });
    expect(withdrawn.headers.location).toContain('message=withdrawn');
    const refused = await send({ offerId: 'offer-form-2', amount: 'cheap' });
    expect(refused.headers.location).toContain('message=offer.amount-required');
  });

  it('does not take offers before and after a turn', async () => {
    const { cookie, csrf } = await enterOnce(FIRST_BIDDER);
    const early = await room.plan(-3_600);
    const answer = await room.app.inject({
      method: 'POST',
      url: `/tenders/${early.id}/offers`,
      headers: { cookie, 'x-room-csrf': csrf, 'content-type': 'application/json' },
      payload: '{}',
    });
    expect([answer.statusCode, codeOf(answer)]).toEqual([401, 'session.required']);
  });
});

describe('GET /metrics', () => {
  it('has what alerts and dashboards read of the room', async () => {
    const folder = new URL('../../../../deploy/observability/', import.meta.url);
    const files = ['alerts.yml', ...readdirSync(new URL('dashboards', folder)).map((file) => `dashboards/${file}`)];
    const text = files.map((file) => readFileSync(new URL(file, folder), 'utf8')).join('\n');
    const names = new Set(text.match(/\broom_\w+/g));
    expect(names.size).toBeGreaterThan(3);
    const { body } = await room.operations.inject('/metrics');
    expect([...names].filter((name) => !body.includes(`# TYPE ${name} `))).toEqual([]);
  });
});

const streamUrl = (auctionId = plan.id, base = address): string => `${base}/tenders/${auctionId}/stream`;
const states = ({ frames }: StreamClient): readonly string[] =>
  frames.filter((frame) => frame.includes('event: state'));

async function refusedStream(url: string, headers: Readonly<Record<string, string>> = {}): Promise<IncomingMessage> {
  const [response] = (await once(request(url, { headers }).end(), 'response')) as [IncomingMessage];
  response.resume();
  return response;
}

describe('GET /tenders/{id}/stream', () => {
  // Streams that their readers have left count until the server has seen it.
  beforeEach(async () => {
    await waitFor(async () => /^room_watchers\S* 0$/m.test((await room.operations.inject('/metrics')).body), {
      what: 'the end of all streams',
    });
  });

  it('sends the state unless the browser has it (A30)', async () => {
    const first = await openClient(streamUrl());
    await waitFor(() => states(first).length === 1, { what: 'the state' });
    const again = await openClient(streamUrl(), { 'last-event-id': first.lastEventId ?? '' });
    const older = await openClient(streamUrl(), { 'last-event-id': '1' });
    await waitFor(() => states(older).length === 1, { what: 'the state for an older browser' });
    expect(states(again)).toEqual([]);
    for (const stream of [first, again, older]) stream.close();
  });

  it('shows what another replica decided (F6)', async () => {
    const other = await room.join();
    const { id } = await room.plan(0);
    const watcher = await openClient(streamUrl(id));
    await other.room.run(id, { type: 'Cancel', reason: 'test' }, 'follower');
    await waitFor(() => states(watcher).at(-1)?.includes('"phase":"cancelled"'), { what: 'the news of the other' });
    watcher.close();
    // The page of a replica that did not decide it.
    const page = await room.app.inject({ url: `/tenders/${id}?lang=en` });
    expect(page.body).toContain('Tender cancelled.');
    await other.stop();
    await removeNewest(room.database.pool);
  });

  it('ends with `bye` when its replica ends, and others lead its auctions (F30)', async () => {
    const other = await room.join();
    const watcher = await openClient(streamUrl(plan.id, await listening(other)));
    await waitFor(() => states(watcher).length === 1, { what: 'the state' });
    await other.stop();
    await removeNewest(room.database.pool);
    await waitFor(() => watcher.frames.some((frame) => frame.includes('event: bye')), { what: 'the frame bye' });
    const led = await waitFor(
      async () => {
        await room.room.leadership.round();
        const shards = room.room.leadership.shards();
        return shards.length === 64 && shards;
      },
      { what: 'all shards led again' },
    );
    expect(new Set(led).size).toBe(64);
  });

  it('is refused above STREAMS_MAX, and bidders are admitted (F26)', async () => {
    const watchers = await Promise.all([1, 2, 3].map(async () => openClient(streamUrl())));
    const refused = await refusedStream(streamUrl());
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([503, '1']);
    const { cookie } = await enterOnce(SECOND_BIDDER);
    const bidder = await openClient(streamUrl(), { cookie });
    for (const stream of [...watchers, bidder]) stream.close();
  });
});

describe('streams of a bidder', () => {
  it('are ten, in all its sessions', async () => {
    const { id } = await room.plan(IN_FIRST_TURN);
    const [one, two] = [await enter(FIRST_BIDDER, id), await enter(FIRST_BIDDER, id)];
    const sessions = Array.from({ length: 10 }, (_one, n) => (n % 2 === 0 ? one : two));
    const streams = await Promise.all(sessions.map(async ({ cookie }) => openClient(streamUrl(id), { cookie })));
    await waitFor(() => streams.every((stream) => states(stream).length === 1), { what: 'the state at each' });
    const refused = await refusedStream(streamUrl(id), { cookie: two.cookie });
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([503, '1']);
    const rival = await openClient(streamUrl(id), { cookie: (await enter(SECOND_BIDDER, id)).cookie });
    await waitFor(() => states(rival).length === 1, { what: 'the state at the rival' });
    for (const stream of [...streams, rival]) stream.close();
  });
});

describe('hostile requests', () => {
  it('never fail (A36)', async () => {
    const { cookie, csrf } = await enterOnce(SECOND_BIDDER);
    const part = fc.oneof(
      fc.constantFrom(
        'tenders',
        'login',
        'logout',
        'offers',
        'state',
        'mine',
        'protocol',
        'auctions',
        'time',
        'assets',
        'about',
        'api',
        'bids',
        'check_authorization',
        'ws',
        'log',
        'sandbox',
        'clock',
        '..',
        '%00',
      ),
      fc.constantFrom(plan.id, `${plan.id}_${plan.id}`, 'f'.repeat(32)),
      fc.string({ maxLength: 20 }).map(encodeURIComponent),
    );
    const query = fc.constantFrom(
      '',
      '?date=0000-00-00',
      '?date=9999-12-31',
      '?page=-1',
      '?page=1e9',
      '?lang=xx',
      '?since=NaN',
      '?message=__proto__',
    );
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('GET' as const, 'POST' as const, 'PUT' as const),
        fc.array(part, { maxLength: 3 }),
        query,
        fc.oneof(fc.string(), fc.json({ maxDepth: 2 })),
        async (method, parts, search, payload) => {
          // A stream does not end. The listener of operators refuses whoever has no key.
          const listener = parts.length % 2 === 0 ? room.app : room.operations;
          const { statusCode } = await listener.inject({
            method,
            url: `/${parts.join('/')}${search}`,
            headers: { cookie, 'x-room-csrf': csrf, 'content-type': 'application/json' },
            ...(method === 'GET' ? {} : { payload }),
          });
          // 503: a machine that stalls.
          expect(statusCode < 500 || statusCode === 503, `${method} ${statusCode}`).toBe(true);
        },
      ),
      { numRuns: 80 },
    );
  });
});

describe('the log of the process, metrics, views and events', () => {
  it('have no secret and no price of an open turn (A33)', async () => {
    const bidder = await enterOnce(FIRST_BIDDER);
    await offer(bidder, { offerId: 'offer-unseen', amount: 417.31 });
    const text = room.lines.join('\n');
    expect(text).toContain('"msg":"offer"');
    const secrets = [bidder.csrf, bidder.cookie.slice(5), buildLink(FIRST_BIDDER).get('hash') ?? ''];
    const shown = {
      log: text,
      metrics: (await room.operations.inject('/metrics')).body,
      state: (await room.app.inject(`/tenders/${plan.id}/state`)).body,
      page: (await room.app.inject(`/tenders/${plan.id}`)).body,
      compat: (await room.app.inject(`/api/auctions/${plan.id}`)).body,
    };
    for (const [where, body] of Object.entries(shown))
      for (const secret of [...secrets, '417.31']) expect(body, where).not.toContain(secret);
    // The log of the auction has amounts, and is kept where no link can be read from it.
    const { rows } = await room.database.pool.query<{ data: string }>(
      'SELECT data FROM auction_event UNION ALL SELECT state FROM auction UNION ALL SELECT last_error FROM task',
    );
    for (const secret of secrets) expect(rows.filter(({ data }) => data?.includes(secret))).toEqual([]);
  });
});
