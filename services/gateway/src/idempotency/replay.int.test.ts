import { request } from 'node:http';
import type { Instant } from '@procurement/contracts/reading/instant';
import { systemClock } from '@procurement/kit/runtime/clock';
import { freshDatabase, type TestDatabase } from '@procurement/testing/database';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { basic, runningGateway, type RunningGateway } from '../../test-support/running-gateway.ts';
import type { ReceivedRequest } from '../../test-support/fake-service.ts';
import { idempotencyStore } from './idempotency.store.ts';
import { purgeExpired } from './purge.ts';

let database: TestDatabase;
// Two replicas of the gateway on one database.
let one: RunningGateway;
let other: RunningGateway;

beforeAll(async () => {
  database = await freshDatabase('gateway');
  one = await runningGateway({}, database.pool);
  other = await runningGateway({}, database.pool);
});

afterEach(async () => {
  vi.restoreAllMocks();
  await database.pool.query('TRUNCATE idempotency');
  for (const gateway of [one, other]) gateway.tenders.received.length = 0;
});

afterAll(async () => {
  await Promise.all([one.close(), other.close()]);
  await database.drop();
});

let count = 0;

/** A service that creates: each time something else, with a token. */
function respondWithNewObject(gateway: RunningGateway, status = 201): void {
  gateway.tenders.respond = (_seen, response) => {
    count += 1;
    response.writeHead(status, {
      'content-type': 'application/json',
      location: `https://api.example.org/api/2.5/x/${count}`,
    });
    response.end(`{"access":{"token":"secret-${count}"},"data":{"n":${count}}}`);
  };
}

/** A service that holds its answer back until told, and says when that is out. */
function holdResponse(gateway: RunningGateway): [answered: Promise<void>, answer: () => void] {
  respondWithNewObject(gateway);
  const creating = gateway.tenders.respond;
  let release = (): void => undefined;
  const answered = new Promise<void>((resolve) => {
    gateway.tenders.respond = (seen, response) => {
      response.once('finish', resolve);
      release = () => creating(seen, response);
    };
  });
  return [answered, () => release()];
}

const EXPIRE_ALL = `UPDATE idempotency SET first_used_at = now() - interval '25 hours'`;

async function storedAttempts(): Promise<readonly { readonly started_at: Date | null }[]> {
  return (await database.pool.query('SELECT started_at FROM idempotency')).rows;
}

interface PostOptions {
  readonly gateway?: RunningGateway;
  readonly key?: string;
  readonly broker?: string;
  readonly segment?: string;
  readonly path?: string;
  readonly type?: string;
  readonly data?: unknown;
  readonly signal?: AbortSignal;
}

async function post({
  gateway = one,
  key = 'a-key',
  broker = 'broker1',
  segment = '2.5',
  path = '/tenders',
  type = 'application/json',
  data = { a: 1 },
  signal,
}: PostOptions = {}) {
  const response = await fetch(`${gateway.url}/api/${segment}${path}`, {
    method: 'POST',
    headers: {
      ...basic(broker),
      'content-type': type,
      ...(key === '' ? {} : { 'idempotency-key': key }),
    },
    body: JSON.stringify(type === 'application/json' ? { data } : data),
    ...(signal === undefined ? {} : { signal }),
  });
  const { status, headers } = response;
  return {
    status,
    text: await response.text(),
    location: headers.get('location'),
    again: headers.get('idempotency-replayed'),
  };
}

const seeds = (seen: readonly ReceivedRequest[]): (string | undefined)[] => seen.map(({ identity }) => identity?.seed);

describe('a POST with Idempotency-Key', () => {
  it('comes again: the first answer, with its Location and token, from any replica', async () => {
    respondWithNewObject(one);
    const first = await post();
    const again = await post({ gateway: other });
    expect(again).toEqual({ ...first, again: 'true' });
    expect([first.status, first.again, one.tenders.received.length, other.tenders.received.length]).toEqual([
      201,
      null,
      1,
      0,
    ]);
  });

  it('with another body: 422', async () => {
    respondWithNewObject(one);
    await post();
    const answer = await post({ data: { a: 2 } });
    expect([answer.status, JSON.parse(answer.text).errors[0].name]).toEqual([422, 'Idempotency-Key']);
  });

  it.each([
    ['another key', { key: 'b' }],
    ['another broker', { broker: 'broker2' }],
    ['another path', { path: `/tenders/${'0'.repeat(32)}/questions` }],
    ['no key at all', { key: '' }],
  ])('with %s it is another request', async (_what, wish) => {
    respondWithNewObject(one);
    const first = await post();
    const second = await post(wish);
    expect([second.again, second.text === first.text, one.tenders.received.length]).toEqual([null, false, 2]);
  });

  it.each([[''.padEnd(256, 'x')], ['a\tb']])('that is none: 422, and nothing is forwarded', async (key) => {
    expect((await post({ key })).status).toBe(422);
    expect(one.tenders.received).toEqual([]);
  });

  it('a refusal is an answer like any other', async () => {
    respondWithNewObject(one, 403);
    await post();
    expect(await post()).toMatchObject({ status: 403, again: 'true' });
    expect(one.tenders.received).toHaveLength(1);
  });

  it.each([500, 503, 409, 429])('%d is not kept: the repeat tries again, with the same seed', async (status) => {
    respondWithNewObject(one, status);
    expect((await post()).status).toBe(status);
    respondWithNewObject(one);
    expect((await post()).status).toBe(201);
    const [first, second] = seeds(one.tenders.received);
    expect(first).toMatch(/^[0-9a-f]{64}$/);
    expect(second).toBe(first);
  });

  it('without the header a service gets no seed, and the database is not asked', async () => {
    respondWithNewObject(one);
    const query = vi.spyOn(database.pool, 'query');
    await post({ key: '' });
    expect(query).not.toHaveBeenCalled();
    expect(seeds(one.tenders.received)).toEqual([undefined]);
  });

  it('without credentials the key is of nobody', async () => {
    respondWithNewObject(one);
    await post({ broker: 'unknown' });
    expect(seeds(one.tenders.received)).toEqual([undefined]);
  });

  it('whose client has gone is kept for when it asks again', async () => {
    const [answered, answer] = holdResponse(one);
    const left = new AbortController();
    const first = post({ signal: left.signal });
    await vi.waitUntil(() => one.tenders.received.length === 1);
    left.abort();
    await expect(first).rejects.toThrow('aborted');
    answer();
    await answered;
    expect(await post({ gateway: other })).toMatchObject({ status: 201, again: 'true' });
    expect(other.tenders.received).toEqual([]);
  });

  it('is the same request also when a codec writes the time into its body', async () => {
    respondWithNewObject(one);
    const wish = { segment: '0.1', data: { title: 'x', tenderPeriod: { endDate: '2100-01-01T00:00:00' } } };
    await post(wish);
    const later = systemClock.now() + 3_600_000_000;
    // Instant is a branded number of microseconds.
    vi.spyOn(systemClock, 'now').mockReturnValue(later as Instant);
    expect(await post(wish)).toMatchObject({ status: 201, again: 'true' });
    await post({ ...wish, key: 'another' });
    const [early, late] = one.tenders.received.map(({ body }) => body);
    expect(late).not.toBe(early);
  });

  it('twins at once, at two replicas: one is forwarded, all get its answer', async () => {
    respondWithNewObject(one);
    respondWithNewObject(other);
    const answers = await Promise.all(
      Array.from({ length: 20 }, async (_, n) => post({ gateway: n % 2 === 0 ? one : other })),
    );
    expect(new Set(answers.map((answer) => answer.text)).size).toBe(1);
    expect(one.tenders.received.length + other.tenders.received.length).toBe(1);
  });

  it('one that a gateway left unfinished is taken over, with the same seed', async () => {
    respondWithNewObject(one);
    await post();
    await database.pool.query(`UPDATE idempotency SET answer = NULL, started_at = now() - interval '1 hour'`);
    expect(await post({ gateway: other, data: { a: 1 } })).toMatchObject({ again: null });
    expect(
      seeds([...one.tenders.received, ...other.tenders.received]).every(
        (seed) => seed === seeds(one.tenders.received)[0],
      ),
    ).toBe(true);
  });

  it('one that an upload takes long for is not taken over', async () => {
    const [answered, answer] = holdResponse(one);
    const upload = { type: 'application/pdf', data: 'x' };
    const first = post(upload);
    await vi.waitUntil(() => one.tenders.received.length === 1);
    await database.pool.query(`UPDATE idempotency SET started_at = now() - interval '2 minutes'`);
    const twin = post({ ...upload, gateway: other });
    answer();
    await answered;
    expect(await twin).toEqual({ ...(await first), again: 'true' });
    expect(other.tenders.received).toEqual([]);
  });

  it('an upload that breaks off is free at once', async () => {
    const broken = request(`${one.url}/api/2.5/tenders`, {
      method: 'POST',
      headers: {
        ...basic('broker1'),
        'content-type': 'application/pdf',
        'content-length': 3,
        'idempotency-key': 'a-key',
      },
    });
    broken.on('error', () => undefined).write('"x');
    await vi.waitUntil(async () => (await storedAttempts()).length === 1);
    broken.destroy();
    await vi.waitUntil(async () => (await storedAttempts())[0]?.started_at === null);
    respondWithNewObject(one);
    expect((await post({ type: 'application/pdf', data: 'x' })).status).toBe(201);
  });

  it('nothing of an answer can be read in the table', async () => {
    respondWithNewObject(one);
    const first = await post();
    const { rows } = await database.pool.query('SELECT idempotency::text AS row, answer FROM idempotency');
    const token: string = JSON.parse(first.text).access.token;
    expect(rows[0].row).not.toContain(Buffer.from(token).toString('hex'));
    expect(rows[0].answer.toString('latin1')).not.toContain(token);
    expect(rows[0].row).not.toContain('a-key');
  });

  it('is forgotten after a day, and removed', async () => {
    respondWithNewObject(one);
    await post();
    await database.pool.query(EXPIRE_ALL);
    expect((await post({ data: { other: 1 } })).again).toBeNull();
    const [first, second] = seeds(one.tenders.received);
    // With the seed of yesterday the service would answer yesterday's object.
    expect(second).not.toBe(first);
    await database.pool.query(EXPIRE_ALL);
    await purgeExpired(idempotencyStore(database.pool));
    expect((await database.pool.query('SELECT FROM idempotency')).rowCount).toBe(0);
  });

  it('that failed is still of one body', async () => {
    respondWithNewObject(one, 503);
    await post();
    expect((await post({ data: { a: 2 } })).status).toBe(422);
  });

  it('whose answer breaks off is tried again, with the same seed', async () => {
    one.tenders.respond = (_seen, response) => {
      response.writeHead(201, { 'content-type': 'application/json', 'content-length': '100' });
      response.write('{"data":', () => response.destroy());
    };
    expect((await post()).status).toBe(500);
    respondWithNewObject(one);
    expect((await post()).status).toBe(201);
    expect(new Set(seeds(one.tenders.received)).size).toBe(1);
  });

  it('is answered also when the answer cannot be kept', async () => {
    respondWithNewObject(one);
    const query = vi.spyOn(database.pool, 'query');
    one.tenders.respond = ((creating) => (seen, response) => {
      query.mockRejectedValueOnce(new Error('Connection terminated'));
      creating(seen, response);
    })(one.tenders.respond);
    expect((await post()).status).toBe(201);
  });
});
