import { cancellationsApi } from '@procurement/contracts/api/cancellations.api';
import { complaintsApi } from '@procurement/contracts/api/complaints.api';
import { lotsApi } from '@procurement/contracts/api/lots.api';
import { questionsApi } from '@procurement/contracts/api/questions.api';
import { sha256Hex } from '@procurement/kit/runtime/ids';
import { AUTHOR } from '@procurement/testing/bodies';
import { anonymousIdentity, signedIdentity } from '@procurement/testing/identity';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { requestsTo } from '../../test-support/requests.ts';
import { runningTenders, type RunningTenders } from '../../test-support/running-tenders.ts';

let running: RunningTenders;
const { send, created } = requestsTo(() => running);

beforeAll(async () => {
  running = await runningTenders();
});

afterAll(async () => {
  await running.close();
});

const KINDS = [
  {
    collection: 'questions',
    api: questionsApi,
    input: { author: AUTHOR, title: 'x' },
    change: { answer: 'так' },
    by: 'seller',
  },
  {
    collection: 'complaints',
    api: complaintsApi,
    input: { author: AUTHOR, title: 'x' },
    change: undefined,
    by: 'seller',
  },
  {
    collection: 'cancellations',
    api: cancellationsApi,
    input: { reason: 'x' },
    change: { status: 'pending' },
    by: 'owner',
  },
  {
    collection: 'lots',
    api: lotsApi,
    input: { title: 'x', value: { amount: 5 }, minimalStep: { amount: 1 } },
    change: { title: 'y' },
    by: 'owner',
  },
] as const;
const seller = signedIdentity({ broker: 'seller' });

describe.each(KINDS)('/tenders/{id}/$collection', ({ collection, api, input, change, by }) => {
  const paths = new Set(Object.values(api).map((contract) => contract.path));

  it('201: has a Location, and is shown in the collection, at its address, in the tender and in the feed', async () => {
    const { id, owner } = await created();
    const before = (await send('GET', `/tenders/${id}`, anonymousIdentity())).json().data.dateModified;
    const url = `/tenders/${id}/${collection}`;
    expect(paths.has(`/tenders/:tender_id/${collection}`)).toBe(true);
    const response = await send('POST', url, by === 'owner' ? owner : seller, input);
    expect(response.statusCode).toBe(201);
    const { data, access } = response.json();
    expect(response.headers.location).toBe(`https://api.example.org/api/2.5${url}/${data.id}`);
    expect(access).toEqual(
      collection === 'complaints' ? { token: expect.any(String), transfer: expect.any(String) } : undefined,
    );
    const { author: _hidden, ...shown } = data;
    expect((await send('GET', url, anonymousIdentity())).json()).toEqual({ data: [shown] });
    expect((await send('GET', `${url}/${data.id}`, anonymousIdentity())).json()).toEqual({ data: shown });
    const tender = (await send('GET', `/tenders/${id}`, anonymousIdentity())).json().data;
    expect(tender[collection]).toEqual([shown]);
    expect(tender.dateModified > before).toBe(true);
  });

  it('412: with the present ETag, when If-Match names another; a change elsewhere in the tender does not matter', async () => {
    // The other kinds share the code, and their changes here have no effect.
    if (change === undefined || collection === 'cancellations') return;
    const { id, owner } = await created();
    const writer = by === 'owner' ? owner : seller;
    const { data } = (await send('POST', `/tenders/${id}/${collection}`, writer, input)).json();
    const url = `/tenders/${id}/${collection}/${data.id}`;
    const etagNow = async () => (await send('GET', url, anonymousIdentity())).headers.etag ?? '';
    const first = await etagNow();
    await send('PATCH', `/tenders/${id}`, owner, { description: 'x' });
    expect((await send('GET', url, { ...anonymousIdentity(), 'if-none-match': first })).statusCode).toBe(304);
    expect((await send('PATCH', url, { ...owner, 'if-match': first }, change)).statusCode).toBe(200);
    const stale = await send('PATCH', url, { ...owner, 'if-match': first }, change);
    expect([stale.statusCode, stale.headers.etag]).toEqual([412, await etagNow()]);
    expect(await etagNow()).not.toBe(first);
  });

  it('401, 403, 415, 422: changes nothing', async () => {
    const { id, owner } = await created();
    const writer = by === 'owner' ? owner : seller;
    const url = `/tenders/${id}/${collection}`;
    const before = (await send('GET', `/tenders/${id}`, anonymousIdentity())).json();
    expect((await send('POST', url, anonymousIdentity(), input)).statusCode).toBe(401);
    expect((await send('POST', url, signedIdentity({ group: 'auction' }), input)).statusCode).toBe(403);
    expect((await send('POST', url, { ...writer, 'content-type': 'text/plain' })).statusCode).toBe(415);
    expect((await send('POST', url, writer, { foo: 1 })).statusCode).toBe(422);
    expect((await send('GET', `/tenders/${id}`, anonymousIdentity())).json()).toEqual(before);
  });

  it('404: reports a missing tender before a missing object', async () => {
    const { id, owner } = await created();
    const missing = async (url: string): Promise<unknown> =>
      (await send('PATCH', url, owner, change ?? {})).json().errors;
    const kind = collection.slice(0, -1);
    const of = (name: string): object => [{ location: 'url', name, description: 'Not Found' }];
    expect(await missing(`/tenders/none/${collection}/none`)).toMatchObject(of('tender_id'));
    expect(await missing(`/tenders/${id}/${collection}/none`)).toMatchObject(of(`${kind}_id`));
    expect((await send('GET', `/tenders/${id}/${collection}/none`, anonymousIdentity())).statusCode).toBe(404);
    expect((await send('GET', `/tenders/none/${collection}`, anonymousIdentity())).statusCode).toBe(404);
  });

  it('405: names the allowed methods; a missing object is 404 first', async () => {
    const { id } = await created();
    const answer = await send('PUT', `/tenders/${id}/${collection}`, anonymousIdentity());
    expect([answer.statusCode, answer.headers.allow]).toEqual([405, 'GET, HEAD, POST']);
    expect((await send('PUT', `/tenders/${id}/${collection}/none`, anonymousIdentity())).statusCode).toBe(404);
  });

  it('200: answers an empty collection as an empty list', async () => {
    const { id } = await created();
    expect((await send('GET', `/tenders/${id}/${collection}`, anonymousIdentity())).json()).toEqual({ data: [] });
  });

  it('201: a retry with the same seed answers with the object of the first attempt', async () => {
    const { id, owner } = await created();
    const seed = sha256Hex(`${id} ${collection}`);
    const writer = by === 'owner' ? owner : seller;
    const identity =
      collection === 'questions' || collection === 'complaints' ? signedIdentity({ broker: 'seller', seed }) : writer;
    const first = await send('POST', `/tenders/${id}/${collection}`, identity, input);
    const repeated = await send('POST', `/tenders/${id}/${collection}`, identity, input);
    expect([first.statusCode, repeated.statusCode]).toEqual([201, 201]);
    const count = (await send('GET', `/tenders/${id}/${collection}`, anonymousIdentity())).json().data.length;
    // Without a seed each request creates an object.
    expect([repeated.body === first.body, count]).toEqual(by === 'owner' ? [false, 2] : [true, 1]);
  });
});

describe('PATCH and DELETE of questions, lots and complaints', () => {
  it('200: shows an answer in the tender at once', async () => {
    const { id, owner } = await created();
    const question = (await send('POST', `/tenders/${id}/questions`, seller, { author: AUTHOR, title: 'x' })).json()
      .data;
    const url = `/tenders/${id}/questions/${question.id}`;
    const answered = await send('PATCH', url, owner, { answer: 'так' });
    expect(answered.json().data).toMatchObject({ answer: 'так', dateAnswered: expect.any(String) });
    expect(answered.json().data).not.toHaveProperty('author');
    expect((await send('GET', `/tenders/${id}`, anonymousIdentity())).json().data.questions[0].answer).toBe('так');
  });

  it('200: a PATCH without effect changes nothing', async () => {
    const { id, owner } = await created();
    const lot = { title: 'x', value: { amount: 5 }, minimalStep: { amount: 1 } };
    const { data } = (await send('POST', `/tenders/${id}/lots`, owner, lot)).json();
    const before = (await send('GET', `/tenders/${id}`, anonymousIdentity())).json();
    const unchanged = await send('PATCH', `/tenders/${id}/lots/${data.id}`, owner, { title: 'x' });
    expect(unchanged.json()).toEqual({ data });
    expect((await send('GET', `/tenders/${id}`, anonymousIdentity())).json()).toEqual(before);
  });

  it('200: DELETE of a lot answers with the lot', async () => {
    const { id, owner } = await created();
    const lot = { title: 'x', value: { amount: 5 }, minimalStep: { amount: 1 } };
    const { data } = (await send('POST', `/tenders/${id}/lots`, owner, lot)).json();
    const answer = await send('DELETE', `/tenders/${id}/lots/${data.id}`, owner);
    expect([answer.statusCode, answer.json()]).toEqual([200, { data }]);
    expect((await send('GET', `/tenders/${id}/lots/${data.id}`, anonymousIdentity())).statusCode).toBe(404);
  });

  it('200: a complaint is changed with its own token, which is stored as a hash only', async () => {
    const { id } = await created();
    const filed = (await send('POST', `/tenders/${id}/complaints`, seller, { author: AUTHOR, title: 'x' })).json();
    const complainant = signedIdentity({ broker: 'seller', tokenHash: sha256Hex(filed.access.token) });
    const changed = await send('PATCH', `/tenders/${id}/complaints/${filed.data.id}`, complainant, { status: 'claim' });
    expect(changed.json().data).toMatchObject({ status: 'claim', complaintID: expect.stringMatching(/^UA-.*\.1$/) });
    expect(
      (await send('PATCH', `/tenders/${id}/complaints/${filed.data.id}`, seller, { status: 'cancelled' })).statusCode,
    ).toBe(403);
    const { rows } = await running.database.pool.query('SELECT tender::text AS row FROM tender WHERE id = $1', [id]);
    expect(rows[0].row).toContain(sha256Hex(filed.access.token));
    expect(rows[0].row).not.toContain(filed.access.token);
    const outbox = await running.database.pool.query('SELECT envelope FROM kit.outbox WHERE envelope LIKE $1', [
      `%${filed.access.token}%`,
    ]);
    expect(outbox.rows).toEqual([]);
  });

  it('201: applies concurrent requests one after the other', async () => {
    const { id } = await created();
    const answers = await Promise.all(
      Array.from({ length: 30 }, async (_, n) =>
        send('POST', `/tenders/${id}/questions`, seller, { author: AUTHOR, title: `${n}` }),
      ),
    );
    expect(new Set(answers.map((answer) => answer.statusCode))).toEqual(new Set([201]));
    expect((await send('GET', `/tenders/${id}/questions`, anonymousIdentity())).json().data).toHaveLength(30);
  });
});
