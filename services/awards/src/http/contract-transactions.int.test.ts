import { implementationApi } from '@procurement/contracts/api/implementation.api';
import { signedIdentity } from '@procurement/testing/identity';
import { describe, expect, it } from 'vitest';
import { operationTitle } from '../../test-support/awarding-fixtures.ts';
import { anonymousHeaders, ownerHeaders, send } from '../../test-support/running-awards.ts';
import { setupAwards } from '../../test-support/setup-awards.ts';
import { PAYMENT, RATIONALE } from '../../test-support/signed-contract.ts';
import { createSigned } from '../../test-support/signed-over-http.ts';

const running = setupAwards();
const bot = signedIdentity({ broker: 'bot', group: 'bots' });
const SUCCESSFUL = { ...PAYMENT, status: 'successful' };

describe(`${operationTitle(implementationApi.putContractTransaction)}`, () => {
  it('200: the contract; a payment repeated after a lost answer is one payment, and one event', async () => {
    const { path, signed, tender } = await createSigned(running());
    const put = async () => send(running().app, 'PUT', `${path}/transactions/1001`, ownerHeaders, PAYMENT);
    const paid = await put();
    const implementation = { transactions: [{ ...SUCCESSFUL, id: '1001' }] };
    expect([paid.statusCode, paid.json().data]).toEqual([
      200,
      { ...signed, implementation, dateModified: expect.any(String) },
    ]);
    const events = (await running().publishedEvents(tender.id)).length;
    expect((await put()).json()).toEqual(paid.json());
    expect(await running().publishedEvents(tender.id)).toHaveLength(events);
    const one = await send(running().app, 'GET', `${path}/transactions/1001`, anonymousHeaders);
    expect(one.json()).toEqual({ data: implementation.transactions[0] });
    expect(paid.body).toContain('"amount":200.0');
  });

  it('200: a bot reports it, and the audit has it; what a known payment keeps is named', async () => {
    const { path } = await createSigned(running());
    const put = async (data: object) =>
      send(running().app, 'PUT', `${path}/transactions/1`, bot, { ...PAYMENT, ...data });
    expect((await put({ status: '-1' })).headers['ignored-members']).toBeUndefined();
    const again = await put({ value: { amount: 999 } });
    expect(again.json().data.implementation.transactions).toEqual([{ ...SUCCESSFUL, id: '1' }]);
    expect(again.headers['ignored-members']).toBe('/value/amount');
    const { rows } = await running().database.pool.query('SELECT count(*)::int AS acts FROM kit.audit');
    expect(rows).toEqual([{ acts: 2 }]);
  });

  it('412: If-Match names another state of the payment, or any state of one that is new', async () => {
    const { path } = await createSigned(running());
    const put = async (etag: string) =>
      send(running().app, 'PUT', `${path}/transactions/1`, { ...ownerHeaders, 'if-match': etag }, PAYMENT);
    expect((await put('*')).statusCode).toBe(412);
    await send(running().app, 'PUT', `${path}/transactions/1`, ownerHeaders, PAYMENT);
    expect([(await put('"x"')).statusCode, (await put('*')).statusCode]).toEqual([412, 200]);
  });

  it('404: an id that is none, an unknown payment', async () => {
    const { path } = await createSigned(running());
    const odd = encodeURIComponent('ДКСУ-1001');
    for (const [method, id] of [
      ['PUT', odd],
      ['GET', '7'],
    ] as const) {
      const answer = await send(
        running().app,
        method,
        `${path}/transactions/${id}`,
        ownerHeaders,
        method === 'PUT' ? {} : undefined,
      );
      expect([answer.statusCode, answer.json().errors[0].name]).toEqual([404, 'transaction_id']);
    }
  });
});

describe('a contract with as much as it may have (contracting.md 13, K7)', () => {
  it('takes the 100th change and the 500th payment, refuses the next ones, and can be ended', async () => {
    const { path, tender } = await createSigned(running());
    const { app, database } = running();
    await send(app, 'PUT', `${path}/transactions/0`, ownerHeaders, PAYMENT);
    const stored = await database.pool.query('SELECT document FROM awarding WHERE tender_id = $1', [tender.id]);
    const document = JSON.parse(stored.rows[0].document);
    const [contract] = document.contracts;
    contract.implementation.transactions = Array.from({ length: 499 }, (_, n) => ({ ...SUCCESSFUL, id: String(n) }));
    contract.implementation.changes = Array.from({ length: 99 }, (_, n) => ({
      ...RATIONALE,
      id: n.toString(16).padStart(32, '0'),
      date: PAYMENT.date,
      status: 'active',
      dateSigned: '2017-02-21T12:00:00.000001+02:00',
    }));
    const update = 'UPDATE awarding SET document = $2 WHERE tender_id = $1';
    await database.pool.query(update, [tender.id, JSON.stringify(document)]);
    const add = async () => send(app, 'POST', `${path}/changes`, ownerHeaders, RATIONALE);
    const added = await add();
    const change = `${path}/changes/${added.json().data.id}`;
    const activation = { status: 'active', dateSigned: '2017-02-21T12:00:00.000001+02:00' };
    expect((await send(app, 'PATCH', change, ownerHeaders, activation)).statusCode).toBe(200);
    const tooMany = await add();
    expect([tooMany.statusCode, tooMany.json().errors]).toMatchObject([
      422,
      [{ name: 'changes', description: 'No more than 100 changes of one contract are allowed.' }],
    ]);
    const pay = async (id: string) => send(app, 'PUT', `${path}/transactions/${id}`, ownerHeaders, PAYMENT);
    expect((await pay('last')).statusCode).toBe(200);
    const more = await pay('more');
    expect([more.statusCode, more.json().errors]).toMatchObject([
      422,
      [{ name: 'transactions', description: 'No more than 500 transactions of one contract are allowed.' }],
    ]);
    const canceled = await send(app, 'PUT', `${path}/transactions/7`, ownerHeaders, { ...PAYMENT, status: '-1' });
    expect(canceled.json().data.implementation.transactions[7].status).toBe('canceled');
    const ended = await send(app, 'PATCH', path, ownerHeaders, { status: 'terminated', amountPaid: { amount: 1 } });
    expect([ended.statusCode, ended.json().data.status]).toEqual([200, 'terminated']);
  });
});
