import { request } from 'node:http';
import type { Instant } from '@procurement/contracts/reading/instant';
import { systemClock } from '@procurement/kit/runtime/clock';
import { LINKS_BASE } from '@procurement/kit/runtime/config';
import { freshDatabase, type TestDatabase } from '@procurement/testing/database';
import { waitFor } from '@procurement/testing/wait-for';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { basic, runningGateway, sendTo, type RunningGateway } from '../../test-support/running-gateway.ts';
import { fakeService, type FakeService, type ReceivedRequest } from '../../test-support/fake-service.ts';
import { idempotencyStore } from './idempotency.store.ts';
import { purgeExpired } from './purge.ts';

let database: TestDatabase;
// Two replicas of the gateway on one database.
let one: RunningGateway;
let other: RunningGateway;
/** Its attempts are stale soon. */
let quick: RunningGateway;
let documents: FakeService;

beforeAll(async () => {
  database = await freshDatabase('gateway');
  documents = await fakeService();
  one = await runningGateway({ DOCUMENTS_URL: documents.url }, { pool: database.pool });
  other = await runningGateway({ DOCUMENTS_URL: documents.url }, { pool: database.pool });
  quick = await runningGateway({ DOCUMENTS_URL: documents.url, UPSTREAM_TIMEOUT_MS: '3000' }, { pool: database.pool });
});

afterEach(async () => {
  vi.restoreAllMocks();
  await database.pool.query('TRUNCATE idempotency');
  for (const service of [one.tenders, other.tenders, documents]) service.received.length = 0;
});

afterAll(async () => {
  await Promise.all([one.close(), other.close(), quick.close(), documents.close()]);
  await database.drop();
});

let count = 0;

/** Makes the service create a new object with a token at each request. */
function respondWithNewObject(service: FakeService, status = 201): void {
  service.respond = (_received, response) => {
    count += 1;
    response.writeHead(status, {
      'content-type': 'application/json',
      location: `https://api.example.org/api/2.5/x/${count}`,
      'procurement-receipt': `receipt-${count}`,
    });
    response.end(`{"access":{"token":"secret-${count}"},"data":{"n":${count}}}`);
  };
}

/** Makes the service hold its response until `answer` is called; `answered` resolves when the response is sent. */
function holdResponse(service: FakeService): [answered: Promise<void>, answer: () => void] {
  respondWithNewObject(service);
  const creating = service.respond;
  let release = (): void => undefined;
  const answered = new Promise<void>((resolve) => {
    service.respond = (received, response) => {
      response.once('finish', resolve);
      release = () => creating(received, response);
    };
  });
  return [answered, () => release()];
}

const UPLOAD = { path: `/tenders/${'a'.repeat(32)}/documents`, type: 'application/pdf', data: 'x' } as const;

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
    receipt: headers.get('procurement-receipt'),
    replayed: headers.get('idempotency-replayed'),
  };
}

const seeds = (received: readonly ReceivedRequest[]): (string | undefined)[] =>
  received.map(({ identity }) => identity?.seed);

describe('POST with Idempotency-Key', () => {
  it('replays the first response, with its Location, receipt and token, on any replica', async () => {
    respondWithNewObject(one.tenders);
    const first = await post();
    const repeat = await post({ gateway: other });
    expect(repeat).toEqual({ ...first, replayed: 'true' });
    expect(first).toMatchObject({ status: 201, replayed: null, receipt: expect.stringMatching(/^receipt-/) });
    expect([one.tenders.received.length, other.tenders.received.length]).toEqual([1, 0]);
  });

  it('refuses another body with 422', async () => {
    respondWithNewObject(one.tenders);
    await post();
    const answer = await post({ data: { a: 2 } });
    expect([answer.status, JSON.parse(answer.text).errors[0].name]).toEqual([422, 'Idempotency-Key']);
  });

  it.each([
    ['another key', { key: 'b' }],
    ['another broker', { broker: 'broker2' }],
    ['another path', { path: `/tenders/${'0'.repeat(32)}/questions` }],
    ['no key at all', { key: '' }],
  ])('forwards a request with %s', async (_what, options) => {
    respondWithNewObject(one.tenders);
    const first = await post();
    const second = await post(options);
    expect([second.replayed, second.text === first.text, one.tenders.received.length]).toEqual([null, false, 2]);
  });

  it.each([[''.padEnd(256, 'x')], ['a\tb']])(
    'refuses the invalid key %j with 422 and forwards nothing',
    async (key) => {
      expect((await post({ key })).status).toBe(422);
      expect(one.tenders.received).toEqual([]);
    },
  );

  it('stores and replays a refusal', async () => {
    respondWithNewObject(one.tenders, 403);
    await post();
    expect(await post()).toMatchObject({ status: 403, replayed: 'true' });
    expect(one.tenders.received).toHaveLength(1);
  });

  it.each([500, 503, 409, 429])('does not store %d: the repeat is forwarded with the same seed', async (status) => {
    respondWithNewObject(one.tenders, status);
    expect((await post()).status).toBe(status);
    respondWithNewObject(one.tenders);
    expect((await post()).status).toBe(201);
    const [first, second] = seeds(one.tenders.received);
    expect(first).toMatch(/^[0-9a-f]{64}$/);
    expect(second).toBe(first);
  });

  it('sends no seed and does not query the database without the header', async () => {
    respondWithNewObject(one.tenders);
    const query = vi.spyOn(database.pool, 'query');
    await post({ key: '' });
    expect(query).not.toHaveBeenCalled();
    expect(seeds(one.tenders.received)).toEqual([undefined]);
  });

  it('ignores the key of an anonymous caller', async () => {
    respondWithNewObject(one.tenders);
    await post({ broker: 'unknown' });
    expect(seeds(one.tenders.received)).toEqual([undefined]);
  });

  it('stores the response when the client has disconnected', async () => {
    const [answered, answer] = holdResponse(one.tenders);
    const left = new AbortController();
    const first = post({ signal: left.signal });
    await waitFor(() => one.tenders.received.length === 1, { what: 'the request' });
    left.abort();
    await expect(first).rejects.toThrow('aborted');
    answer();
    await answered;
    expect(await post({ gateway: other })).toMatchObject({ status: 201, replayed: 'true' });
    expect(other.tenders.received).toEqual([]);
  });

  it('compares the body as sent, before a codec adds the current time', async () => {
    respondWithNewObject(one.tenders);
    const options = { segment: '0.1', data: { title: 'x', tenderPeriod: { endDate: '2100-01-01T00:00:00' } } };
    await post(options);
    const later = systemClock.now() + 3_600_000_000;
    // Instant is a branded number of microseconds.
    vi.spyOn(systemClock, 'now').mockReturnValue(later as Instant);
    expect(await post(options)).toMatchObject({ status: 201, replayed: 'true' });
    await post({ ...options, key: 'another' });
    const [early, late] = one.tenders.received.map(({ body }) => body);
    expect(late).not.toBe(early);
  });

  it('forwards one of twenty simultaneous requests at two replicas, and all get its response', async () => {
    respondWithNewObject(one.tenders);
    respondWithNewObject(other.tenders);
    const answers = await Promise.all(
      Array.from({ length: 20 }, async (_, n) => post({ gateway: n % 2 === 0 ? one : other })),
    );
    expect(new Set(answers.map((answer) => answer.text)).size).toBe(1);
    expect(one.tenders.received.length + other.tenders.received.length).toBe(1);
  });

  it('takes over an abandoned attempt, with the same seed', async () => {
    respondWithNewObject(one.tenders);
    await post();
    await database.pool.query(`UPDATE idempotency SET answer = NULL, started_at = now() - interval '1 hour'`);
    expect(await post({ gateway: other, data: { a: 1 } })).toMatchObject({ replayed: null });
    expect(
      seeds([...one.tenders.received, ...other.tenders.received]).every(
        (seed) => seed === seeds(one.tenders.received)[0],
      ),
    ).toBe(true);
  });

  it('takes over an upload whose gateway has died', async () => {
    respondWithNewObject(documents);
    await post(UPLOAD);
    await database.pool.query(`UPDATE idempotency SET answer = NULL, started_at = now() - interval '31 seconds'`);
    expect(await post({ ...UPLOAD, gateway: other })).toMatchObject({ status: 201, replayed: null });
    expect(new Set(seeds(documents.received)).size).toBe(1);
  });

  it('renews a long upload, which is not taken over', async () => {
    const [answered, answer] = holdResponse(documents);
    const first = post({ ...UPLOAD, gateway: quick });
    await waitFor(() => documents.received.length === 1, { what: 'the upload' });
    const [begun] = await storedAttempts();
    const isRenewed = async (): Promise<boolean> =>
      Number((await storedAttempts())[0]?.started_at) > Number(begun?.started_at);
    await waitFor(isRenewed, { what: 'the renewal' });
    const twin = post({ ...UPLOAD, gateway: other });
    answer();
    await answered;
    expect(await twin).toEqual({ ...(await first), replayed: 'true' });
    expect(documents.received).toHaveLength(1);
  });

  it('frees the key when an upload breaks off', async () => {
    const broken = request(`${one.url}/api/2.5${UPLOAD.path}`, {
      method: 'POST',
      headers: {
        ...basic('broker1'),
        'content-type': UPLOAD.type,
        'content-length': 3,
        'idempotency-key': 'a-key',
      },
    });
    broken.on('error', () => undefined).write('"x');
    await waitFor(async () => (await storedAttempts()).length === 1, { what: 'the attempt' });
    broken.destroy();
    await waitFor(async () => (await storedAttempts())[0]?.started_at === null, { what: 'the free key' });
    respondWithNewObject(documents);
    expect((await post(UPLOAD)).status).toBe(201);
  });

  it('stores neither key nor token in readable form', async () => {
    respondWithNewObject(one.tenders);
    const first = await post();
    const { rows } = await database.pool.query('SELECT idempotency::text AS row, answer FROM idempotency');
    const token: string = JSON.parse(first.text).access.token;
    expect(rows[0].row).not.toContain(Buffer.from(token).toString('hex'));
    expect(rows[0].answer.toString('latin1')).not.toContain(token);
    expect(rows[0].row).not.toContain('a-key');
  });

  it('forgets the key after 24 hours', async () => {
    respondWithNewObject(one.tenders);
    await post();
    await database.pool.query(EXPIRE_ALL);
    expect((await post({ data: { other: 1 } })).replayed).toBeNull();
    const [first, second] = seeds(one.tenders.received);
    // With the same seed the service would return the object of the first use.
    expect(second).not.toBe(first);
    await database.pool.query(EXPIRE_ALL);
    await purgeExpired(idempotencyStore(database.pool));
    expect((await database.pool.query('SELECT FROM idempotency')).rowCount).toBe(0);
  });

  it('refuses another body also after a failed attempt', async () => {
    respondWithNewObject(one.tenders, 503);
    await post();
    expect((await post({ data: { a: 2 } })).status).toBe(422);
  });

  it('forwards again, with the same seed, when the response broke off', async () => {
    one.tenders.respond = (_received, response) => {
      response.writeHead(201, { 'content-type': 'application/json', 'content-length': '100' });
      response.write('{"data":', () => response.destroy());
    };
    expect((await post()).status).toBe(502);
    respondWithNewObject(one.tenders);
    expect((await post()).status).toBe(201);
    expect(new Set(seeds(one.tenders.received)).size).toBe(1);
  });

  it('sends the response also when storing it fails', async () => {
    respondWithNewObject(one.tenders);
    const query = vi.spyOn(database.pool, 'query');
    one.tenders.respond = ((creating) => (received, response) => {
      query.mockRejectedValueOnce(new Error('Connection terminated'));
      creating(received, response);
    })(one.tenders.respond);
    expect((await post()).status).toBe(201);
  });

  it('issue 15 R29: repeats by another address get links to that address', async () => {
    const following = await runningGateway({ PUBLIC_BASE_URL: '' }, { pool: database.pool });
    const body = `{"data":{"uri":"${LINKS_BASE}/x"}}`;
    following.tenders.respond = (_received, response) => {
      response.writeHead(201, { 'content-type': 'application/json', location: `${LINKS_BASE}/api/2.5/tenders/1` });
      response.end(body);
    };
    for (const host of ['one.example:8080', 'other.example']) {
      const headers = {
        host,
        'content-type': 'application/json',
        'idempotency-key': 'by-two-addresses',
        ...basic('broker1'),
      };
      const answer = await sendTo(following, '/api/2.5/tenders', { method: 'POST', headers, body: '{"data":{}}' });
      expect([answer.headers.location, answer.text]).toEqual([
        `http://${host}/api/2.5/tenders/1`,
        `{"data":{"uri":"http://${host}/x"}}`,
      ]);
    }
    expect(following.tenders.received).toHaveLength(1);
    await following.close();
  });
});
