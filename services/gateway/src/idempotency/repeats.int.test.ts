import { freshDatabase, type TestDatabase } from '@procurement/testing/database';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { basic, runningGateway, type RunningGateway } from '../../test-support/running-gateway.ts';
import type { Seen } from '../../test-support/fake-service.ts';
import { keptAnswers } from './kept-answers.store.ts';

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
  await database.pool.query('TRUNCATE idempotency');
  for (const gateway of [one, other]) gateway.tenders.seen.length = 0;
});

afterAll(async () => {
  await Promise.all([one.close(), other.close()]);
  await database.drop();
});

let count = 0;

/** A service that creates: each time something else, with a token. */
function creates(gateway: RunningGateway, status = 201): void {
  gateway.tenders.answer = (_seen, response) => {
    count += 1;
    response.writeHead(status, {
      'content-type': 'application/json',
      location: `https://api.example.org/api/2.5/x/${count}`,
    });
    response.end(`{"access":{"token":"secret-${count}"},"data":{"n":${count}}}`);
  };
}

interface Wish {
  readonly gateway?: RunningGateway;
  readonly key?: string;
  readonly broker?: string;
  readonly path?: string;
  readonly data?: unknown;
}

async function post({
  gateway = one,
  key = 'a-key',
  broker = 'broker1',
  path = '/tenders',
  data = { a: 1 },
}: Wish = {}) {
  const response = await fetch(`${gateway.url}/api/2.5${path}`, {
    method: 'POST',
    headers: {
      ...basic(broker),
      'content-type': 'application/json',
      ...(key === '' ? {} : { 'idempotency-key': key }),
    },
    body: JSON.stringify({ data }),
  });
  const { status, headers } = response;
  return {
    status,
    text: await response.text(),
    location: headers.get('location'),
    again: headers.get('idempotency-replayed'),
  };
}

const seeds = (seen: readonly Seen[]): (string | undefined)[] => seen.map(({ identity }) => identity?.seed);

describe('a POST with Idempotency-Key', () => {
  it('comes again: the first answer, with its Location and token, from any replica', async () => {
    creates(one);
    const first = await post();
    const again = await post({ gateway: other });
    expect(again).toEqual({ ...first, again: 'true' });
    expect([first.status, first.again, one.tenders.seen.length, other.tenders.seen.length]).toEqual([201, null, 1, 0]);
  });

  it('with another body: 422', async () => {
    creates(one);
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
    creates(one);
    const first = await post();
    const second = await post(wish);
    expect([second.again, second.text === first.text, one.tenders.seen.length]).toEqual([null, false, 2]);
  });

  it.each([[''.padEnd(256, 'x')], ['a b']])('that is none: 422, and nothing is forwarded', async (key) => {
    expect((await post({ key })).status).toBe(422);
    expect(one.tenders.seen).toEqual([]);
  });

  it('a refusal is an answer like any other', async () => {
    creates(one, 403);
    await post();
    expect(await post()).toMatchObject({ status: 403, again: 'true' });
    expect(one.tenders.seen).toHaveLength(1);
  });

  it.each([500, 503, 409, 429])('%d is not kept: the repeat tries again, with the same seed', async (status) => {
    creates(one, status);
    expect((await post()).status).toBe(status);
    creates(one);
    expect((await post()).status).toBe(201);
    const [first, second] = seeds(one.tenders.seen);
    expect(first).toMatch(/^[0-9a-f]{64}$/);
    expect(second).toBe(first);
  });

  it('without the header a service gets no seed, and nothing is stored', async () => {
    creates(one);
    await post({ key: '' });
    expect(seeds(one.tenders.seen)).toEqual([undefined]);
    expect((await database.pool.query('SELECT FROM idempotency')).rowCount).toBe(0);
  });

  it('twins at once, at two replicas: one is forwarded, all get its answer', async () => {
    creates(one);
    creates(other);
    const answers = await Promise.all(
      Array.from({ length: 20 }, async (_, n) => post({ gateway: n % 2 === 0 ? one : other })),
    );
    expect(new Set(answers.map((answer) => answer.text)).size).toBe(1);
    expect(one.tenders.seen.length + other.tenders.seen.length).toBe(1);
  });

  it('one that a gateway left unfinished is taken over, with the same seed', async () => {
    creates(one);
    await post();
    await database.pool.query(`UPDATE idempotency SET answer = NULL, started_at = now() - interval '1 hour'`);
    expect(await post({ gateway: other, data: { a: 1 } })).toMatchObject({ again: null });
    expect(
      seeds([...one.tenders.seen, ...other.tenders.seen]).every((seed) => seed === seeds(one.tenders.seen)[0]),
    ).toBe(true);
  });

  it('nothing of an answer can be read in the table', async () => {
    creates(one);
    const first = await post();
    const { rows } = await database.pool.query('SELECT idempotency::text AS row, answer FROM idempotency');
    const token: string = JSON.parse(first.text).access.token;
    expect(rows[0].row).not.toContain(Buffer.from(token).toString('hex'));
    expect(rows[0].answer.toString('latin1')).not.toContain(token);
    expect(rows[0].row).not.toContain('a-key');
  });

  it('is forgotten after a day, and removed', async () => {
    creates(one);
    await post();
    await database.pool.query(`UPDATE idempotency SET started_at = now() - interval '25 hours'`);
    expect((await post({ data: { other: 1 } })).again).toBeNull();
    await database.pool.query(`UPDATE idempotency SET started_at = now() - interval '25 hours'`);
    expect(await keptAnswers(database.pool).purge()).toBe(1);
  });
});
