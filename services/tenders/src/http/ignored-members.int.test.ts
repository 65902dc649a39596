import { IDENTITY_HEADER } from '@procurement/kit/http/identity';
import { sha256Hex } from '@procurement/kit/runtime/ids';
import { AUTHOR } from '@procurement/testing/bodies';
import { anonymousIdentity, signedIdentity } from '@procurement/testing/identity';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { requestsTo } from '../../test-support/requests.ts';
import { runningTenders, type RunningTenders } from '../../test-support/running-tenders.ts';

let running: RunningTenders;
const { send, created } = requestsTo(() => running);
const STRICT = { prefer: 'respond-async, handling=strict' };

beforeAll(async () => {
  running = await runningTenders();
});

afterAll(async () => {
  await running.close();
});

describe('PATCH /tenders/:tender_id', () => {
  it('names in Ignored-Members what the owner may not change now, and changes the rest', async () => {
    const { id, data, owner } = await created();
    const change = {
      title: 'b',
      status: 'active.tendering',
      procuringEntity: { name: 'b', kind: 'special' },
      documents: [{ title: 'x' }],
    };
    const answer = await send('PATCH', `/tenders/${id}`, owner, change);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['ignored-members']).toBe('/status, /procuringEntity/kind, /documents');
    expect(answer.json().data).toMatchObject({
      title: 'b',
      status: 'active.enquiries',
      procuringEntity: { name: 'b', kind: data.procuringEntity.kind },
    });
  });

  it('has no Ignored-Members when a client sends the whole tender back with a change', async () => {
    const { id, owner } = await created({ mode: 'test' });
    const read = (await send('GET', `/tenders/${id}`, anonymousIdentity())).json().data;
    const answer = await send('PATCH', `/tenders/${id}`, { ...owner, ...STRICT }, { ...read, description: 'b' });
    expect([answer.statusCode, answer.headers['ignored-members']]).toEqual([200, undefined]);
    const again = await send('PATCH', `/tenders/${id}`, { ...owner, ...STRICT }, { ...read, description: 'c' });
    expect([again.statusCode, again.headers['ignored-members']]).toEqual([200, undefined]);
  });

  it('403 by Prefer: handling=strict: one error for each member with the statuses that allow it, and nothing is changed', async () => {
    const { id, owner } = await created();
    const before = (await send('GET', `/tenders/${id}`, anonymousIdentity())).json();
    const change = { title: 'b', status: 'active.tendering', mode: 'test' };
    const answer = await send('PATCH', `/tenders/${id}`, { ...owner, ...STRICT }, change);
    expect([answer.statusCode, answer.headers['ignored-members']]).toEqual([403, undefined]);
    expect(answer.json().errors).toMatchObject([
      { name: 'status', code: 'object.ignored-members', pointer: '/data/status', allowedStatuses: ['draft'] },
      { name: 'mode', code: 'object.ignored-members', pointer: '/data/mode' },
    ]);
    expect(answer.json().errors[1]).not.toHaveProperty('allowedStatuses');
    expect((await send('GET', `/tenders/${id}`, anonymousIdentity())).json()).toEqual(before);
    const older = await send('PATCH', `/tenders/${id}`, { ...signedOn('2.3', owner), ...STRICT }, change);
    expect([older.statusCode, older.headers['ignored-members']]).toEqual([200, '/status, /mode']);
  });

  it('names members of a draft in a request that publishes it', async () => {
    const { id, owner } = await created({ status: 'draft' });
    const answer = await send('PATCH', `/tenders/${id}`, owner, { status: 'active.enquiries', title: 'b' });
    expect(answer.headers['ignored-members']).toBe('/title');
    expect(answer.json().data.status).toBe('active.enquiries');
  });

  it('has no Ignored-Members in a refusal', async () => {
    const { id, owner } = await created();
    const stale = { 'if-match': '"9-2.5"' };
    const answer = await send('PATCH', `/tenders/${id}`, { ...owner, ...stale }, { status: 'active.tendering' });
    expect([answer.statusCode, answer.headers['ignored-members']]).toEqual([412, undefined]);
  });
});

describe('PATCH of a part of a tender', () => {
  it.each([
    ['questions', { author: AUTHOR, title: 'x' }, { answer: 'yes', title: 'y' }, '/title'],
    ['cancellations', { reason: 'x' }, { status: 'pending', reason: 'y' }, '/reason'],
    [
      'lots',
      { title: 'x', value: { amount: 5 }, minimalStep: { amount: 1 } },
      { title: 'y', status: 'cancelled', value: { amount: 6, currency: 'USD' } },
      '/status, /value/currency',
    ],
  ])(
    'names the ignored members of %s, and refuses them to a strict request',
    async (collection, input, change, ignored) => {
      const { id, owner } = await created();
      const by = collection === 'questions' ? signedIdentity({ broker: 'seller' }) : owner;
      const made = (await send('POST', `/tenders/${id}/${collection}`, by, input)).json().data;
      const url = `/tenders/${id}/${collection}/${made.id}`;
      const strict = await send('PATCH', url, { ...owner, ...STRICT }, change);
      expect([strict.statusCode, strict.json().errors[0].code]).toEqual([403, 'object.ignored-members']);
      expect((await send('GET', url, anonymousIdentity())).json().data).toEqual(withoutAuthor(made));
      const answer = await send('PATCH', url, owner, change);
      expect([answer.statusCode, answer.headers['ignored-members']]).toEqual([200, ignored]);
      const same = await send('PATCH', url, { ...owner, ...STRICT }, answer.json().data);
      expect([same.statusCode, same.headers['ignored-members']]).toEqual([200, undefined]);
    },
  );

  it('names the ignored members of a complaint with the statuses of the complaint that allow them', async () => {
    const { id, owner } = await created();
    const seller = signedIdentity({ broker: 'seller' });
    const filed = (await send('POST', `/tenders/${id}/complaints`, seller, claim())).json();
    const url = `/tenders/${id}/complaints/${filed.data.id}`;
    const author = signedIdentity({ broker: 'seller', tokenHash: sha256Hex(filed.access.token) });
    const answer = await send('PATCH', url, owner, { tendererAction: 'a', satisfied: true });
    expect([answer.statusCode, answer.headers['ignored-members']]).toEqual([200, '/satisfied']);
    const change = { status: 'cancelled', cancellationReason: 'x', title: 'y' };
    const strict = await send('PATCH', url, { ...author, ...STRICT }, change);
    expect([strict.statusCode, strict.json().errors]).toMatchObject([403, [{ pointer: '/data/title' }]]);
    expect((await send('PATCH', url, author, change)).json().data.status).toBe('cancelled');
  });
});

function claim(): object {
  return { author: AUTHOR, title: 'x', status: 'claim' };
}

function withoutAuthor({ author: _hidden, ...shown }: Readonly<Record<string, unknown>>): object {
  return shown;
}

/** The same caller on another segment. */
function signedOn(segment: string, owner: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const identity = JSON.parse(Buffer.from(owner[IDENTITY_HEADER] ?? '', 'base64').toString());
  return signedIdentity({ ...identity, segment });
}
