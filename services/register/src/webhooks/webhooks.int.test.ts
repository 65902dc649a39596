import { anonymousIdentity, signedIdentity } from '@procurement/testing/identity';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rekey } from './rekey-secrets.ts';
import { webhookSecretBox } from './deps.ts';
import { runningWebhooks, START, type RunningWebhooks } from '../../test-support/running-webhooks.ts';
import { secondsText } from '@procurement/domain/feed-offset';

// No sender runs here: nothing is sent.
let running: RunningWebhooks;
const URL = 'https://broker.example/hook';

beforeAll(async () => {
  running = await runningWebhooks();
});
afterAll(async () => {
  await running.stop();
});

async function create(data: object = {}, broker = 'broker1') {
  const answer = await running.send('POST', '', { url: URL, ...data }, broker);
  expect(answer.statusCode, answer.body).toBe(201);
  return answer.json().data;
}

async function refusal(method: 'GET' | 'POST' | 'PATCH', path: string, data?: object, broker = 'refused') {
  const answer = await running.send(method, path, data, broker);
  const [error] = answer.json().errors;
  return [answer.statusCode, error.location, error.name, error.description];
}

describe('POST /webhooks', () => {
  it('answers the webhook with its secret, which no other answer has', async () => {
    const filter = { status: ['active.tendering'], cpv: ['30'] };
    const answer = await running.send('POST', '', { url: URL, filter, from: secondsText(START) }, 'creator');
    expect(answer.statusCode).toBe(201);
    const { id, secret, ...rest } = answer.json().data;
    expect(answer.headers['location']).toBe(`https://api.example.org/api/2.5/webhooks/${id}`);
    expect(Buffer.from(secret.slice('whsec_'.length), 'base64')).toHaveLength(32);
    expect(rest).toEqual({
      url: URL,
      status: 'pending',
      filter,
      expand: false,
      concurrency: 4,
      position: secondsText(START),
      waiting: 0,
      deadLetters: 0,
      dateCreated: '2026-04-01T10:00:00.000000+03:00',
      dateModified: '2026-04-01T10:00:00.000000+03:00',
    });
    for (const path of ['', `/${id}`, `/${id}/deliveries`, `/${id}/dead-letters`]) {
      const shown = await running.send('GET', path, undefined, 'creator');
      expect([shown.statusCode, shown.body.includes('whsec_')]).toEqual([200, false]);
    }
    const stored = await running.database.pool.query('SELECT sealed FROM webhook_secret');
    expect(stored.rows.some(({ sealed }) => sealed.includes(Buffer.from(secret.slice(6), 'base64')))).toBe(false);
  });

  it.each([
    [{}, 'url', ['This field is required.']],
    [{ url: 'nonsense' }, 'url', ['Not a well formed URL.']],
    [{ url: 'http://user:x@broker.example/' }, 'url', ['Not a well formed URL.']],
    [{ url: 'https://broker.example:22/' }, 'url', ['Address is not allowed.']],
    [{ url: `https://broker.example/${'x'.repeat(2_000)}` }, 'url', ['String value is too long.']],
    [{ url: URL, filter: { status: ['open'] } }, 'filter', { status: ['Invalid value'] }],
    [{ url: URL, filter: { stauts: ['active'] } }, 'filter', { stauts: 'Rogue field' }],
    [{ url: URL, from: 'yesterday' }, 'from', ['Invalid value']],
    [{ url: URL, from: '2027-01-01' }, 'from', ['Invalid value']],
    [{ url: URL, concurrency: 17 }, 'concurrency', ['Int value should be less than 16.']],
    [{ url: URL, secret: 'mine' }, 'secret', 'Rogue field'],
  ])('refuses %j', async (data, name, description) => {
    expect(await refusal('POST', '', data)).toEqual([422, 'body', name, description]);
  });

  it('has a limit for each broker, also for requests at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 13 }, async () => running.send('POST', '', { url: URL }, 'many')),
    );
    expect(answers.filter(({ statusCode }) => statusCode === 201)).toHaveLength(10);
    expect(await refusal('POST', '', { url: URL }, 'many')).toEqual([
      403,
      'body',
      'data',
      "Can't add webhook: limit of 10 reached",
    ]);
  });

  it('gives a repetition of an idempotent request the same webhook and secret', async () => {
    const send = async () =>
      running.app.inject({
        method: 'POST',
        url: '/webhooks',
        headers: { ...signedIdentity({ broker: 'again', seed: 'seed' }), 'content-type': 'application/json' },
        payload: JSON.stringify({ data: { url: URL } }),
      });
    const [first, second] = [await send(), await send()];
    expect([second.statusCode, second.json()]).toEqual([201, first.json()]);
    expect((await running.send('GET', '', undefined, 'again')).json().data).toHaveLength(1);
  });
});

describe('webhooks', () => {
  it('are private: 401 without a key, 404 for another broker', async () => {
    const { id } = await create();
    for (const url of ['/webhooks', `/webhooks/${id}`, `/webhooks/${id}/deliveries`]) {
      const answer = await running.app.inject({ url, headers: anonymousIdentity() });
      expect([answer.statusCode, answer.json().errors[0].name]).toEqual([401, 'Authorization']);
    }
    for (const [method, path, data] of [
      ['GET', ''],
      ['PATCH', '', {}],
      ['POST', '/secret', {}],
      ['POST', '/test', {}],
      ['POST', '/redeliver', { from: '0' }],
      ['GET', '/deliveries'],
      ['GET', '/dead-letters'],
      ['POST', '/dead-letters/1.0/retry', {}],
    ] as const) {
      expect(await refusal(method, `/${id}${path}`, data, 'other')).toEqual([404, 'url', 'webhook_id', 'Not Found']);
    }
    expect((await running.send('DELETE', `/${id}`, undefined, 'other')).statusCode).toBe(404);
    expect((await running.send('GET', '', undefined, 'other')).json().data).toEqual([]);
    const put = await running.app.inject({ method: 'PUT', url: `/webhooks/${id}`, headers: signedIdentity() });
    expect([put.statusCode, put.headers['allow']]).toEqual([405, 'GET, HEAD, PATCH, DELETE']);
  });

  it('change: settings at once, the address with a new verification', async () => {
    const { id } = await create({ description: 'first' }, 'changer');
    const patch = async (data: object) => (await running.send('PATCH', `/${id}`, data, 'changer')).json().data;
    await running.database.pool.query("UPDATE webhook SET status = 'active', verified = TRUE WHERE id = $1", [id]);
    expect(await patch({ expand: true, description: null })).toMatchObject({ status: 'active', expand: true });
    expect(await patch({ status: 'paused' })).toMatchObject({ status: 'paused' });
    expect(await patch({ status: 'active' })).toMatchObject({ status: 'active' });
    expect(await patch({ url: 'https://other.example/' })).toMatchObject({
      status: 'pending',
      url: 'https://other.example/',
    });
    expect(await refusal('PATCH', `/${id}`, { status: 'paused' }, 'changer')).toEqual([
      403,
      'body',
      'data',
      "Can't update webhook in current (pending) status",
    ]);
    expect(await refusal('POST', `/${id}/test`, {}, 'changer')).toEqual([
      403,
      'body',
      'data',
      "Can't test webhook in current (pending) status",
    ]);
    expect((await running.send('DELETE', `/${id}`, undefined, 'changer')).statusCode).toBe(200);
    expect((await running.send('GET', `/${id}`, undefined, 'changer')).statusCode).toBe(404);
  });

  it('send a test to a verified address', async () => {
    const { id } = await create({ url: 'http://127.0.0.1:1024/' }, 'tester');
    await running.database.pool.query("UPDATE webhook SET status = 'active', verified = TRUE WHERE id = $1", [id]);
    const { data } = (await running.send('POST', `/${id}/test`, {}, 'tester')).json();
    expect(data).toEqual({ error: 'connect', milliseconds: expect.any(Number) });
    const attempts = (await running.send('GET', `/${id}/deliveries`, undefined, 'tester')).json().data;
    expect(attempts).toMatchObject([{ type: 'webhook.test', error: 'connect' }]);
  });

  it('rotate their secrets, of which three sign at most', async () => {
    const { id, secret } = await create({}, 'rotator');
    const rotate = async (oldValid: string) => running.send('POST', `/${id}/secret`, { oldValid }, 'rotator');
    const texts = [secret];
    for (let n = 0; n < 3; n += 1) texts.push((await rotate('P7D')).json().data.secret);
    expect(new Set(texts).size).toBe(4);
    const { deps, clock } = running;
    const inForce = await deps.webhooks.secrets(id, clock.now());
    expect(inForce.map((sealed) => `whsec_${deps.secretBox.open(id, sealed).toString('base64')}`)).toEqual(
      texts.slice(1).toReversed(),
    );
    for (const oldValid of ['P8D', 'PT', 'P', '1 day', '']) {
      expect((await rotate(oldValid)).statusCode).toBe(422);
    }
    const lines: string[] = [];
    const secretBox = webhookSecretBox(['n'.repeat(32), 'k'.repeat(32)]);
    expect(await rekey([], { pool: running.database.pool, secretBox }, (line) => lines.push(line))).toBe(0);
    expect(lines[0]).toMatch(/^\d+ secrets encrypted/);
    const [newest] = await deps.webhooks.secrets(id, clock.now());
    const onlyNew = webhookSecretBox(['n'.repeat(32)]);
    expect(newest && `whsec_${onlyNew.open(id, newest).toString('base64')}`).toBe(texts[3]);
  });

  it('have at most ten ranges to send again', async () => {
    const { id } = await create({}, 'ranges');
    const again = { from: '1', to: '2' };
    for (let n = 0; n < 10; n += 1) {
      expect((await running.send('POST', `/${id}/redeliver`, again, 'ranges')).statusCode).toBe(202);
    }
    const refused = await running.send('POST', `/${id}/redeliver`, again, 'ranges');
    expect([refused.statusCode, refused.json().errors[0]?.description]).toEqual([
      403,
      "Can't redeliver: limit of 10 reached",
    ]);
  });

  it('send again what was passed only', async () => {
    const { id } = await create({}, 'again-from');
    const later = secondsText(START + 5n);
    expect(await refusal('POST', `/${id}/redeliver`, { from: later }, 'again-from')).toEqual([
      422,
      'body',
      'from',
      ['Invalid value'],
    ]);
    expect(await refusal('POST', `/${id}/redeliver`, { from: '1', to: later }, 'again-from')).toEqual([
      422,
      'body',
      'to',
      ['Invalid value'],
    ]);
    expect(await refusal('POST', `/${id}/dead-letters/1.0/retry`, {}, 'again-from')).toEqual([
      404,
      'url',
      'position',
      'Not Found',
    ]);
    expect(await refusal('GET', `/${id}/deliveries?cursor=x`, undefined, 'again-from')).toEqual([
      404,
      'params',
      'cursor',
      'Offset expired/invalid',
    ]);
    expect(await refusal('GET', `/${id}/deliveries?page=1`, undefined, 'again-from')).toEqual([
      400,
      'params',
      'page',
      'Unknown parameter',
    ]);
  });
});
