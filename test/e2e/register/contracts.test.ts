import { openClient } from '@procurement/testing/stream-client';
import { waitFor } from '@procurement/testing/wait-for';
import { webhookReceiver } from '@procurement/testing/webhook-receiver';
import { describe, expect, inject, it } from 'vitest';
import { getReached, patientBroker, type Json } from '../../support/broker.ts';
import { playToContract } from '../../support/played-contract.ts';
import { moveClock } from '../../support/sandbox.ts';

const url = inject('gatewayUrl');
const buyer = patientBroker(url, 'broker1', '2.5');
const seller = patientBroker(url, 'broker2', '2.5');
const bot = patientBroker(url, 'bot', '2.5');
const anyone = patientBroker(url, undefined, '2.5');

const side = (name: string) => ({ name, bankAccount: { scheme: 'IBAN', id: 'UA213223130000026007233566001' } });

describe('a contract from its signature to its end, as the register tells it (K9)', () => {
  it('is found by its number, by reasons of its changes and by its state, and its payments are told', async () => {
    const { id, path, tokenQuery, contract } = await playToContract(buyer, seller);
    await moveClock(buyer, id, { advance: 'PT21M' });
    const { dateModified: before } = (await anyone.get(path)).body.data;
    const receiver = await webhookReceiver();
    const filter = { mode: '_all_', ids: [id], causes: ['contract.paid'] };
    expect((await buyer.post('/webhooks', { url: receiver.url, filter, from: '0' })).status).toBe(201);
    const client = await openClient(
      `${url}/api/2.5/stream?mode=_all_&ids=${id}&causes=contract.paid&offset=${encodeURIComponent(before)}`,
      {},
    );
    const address = `/contracts/${contract.id}`;
    const act = async (method: 'PATCH' | 'POST', at: string, data: Json): Promise<Json> => {
      const answer = await buyer[method === 'POST' ? 'post' : 'patch'](`${address}${at}${tokenQuery}`, data);
      expect([at, answer.status, answer.body.errors]).toEqual([at, method === 'POST' ? 201 : 200, undefined]);
      return answer.body.data;
    };
    await act('PATCH', '', { status: 'active', value: { amount: 380 }, contractNumber: '12/4-П' });
    const change = await act('POST', '/changes', {
      rationale: 'Подорожчала дратва.',
      rationaleTypes: ['itemPriceVariation'],
    });
    const { now } = (await anyone.get(`/sandbox/tenders/${id}/clock`)).body.data;
    await act('PATCH', `/changes/${change.id}`, { status: 'active', dateSigned: now });
    await act('PATCH', '', { value: { amount: 395.2 } });
    const payment = {
      date: now,
      value: { amount: 395.2 },
      payer: side('Ліцей'),
      payee: side('ТОВ Папір'),
      status: '0',
    };
    expect((await bot.request('PUT', `${address}/transactions/1`, { data: payment })).status).toBe(200);
    await act('PATCH', '', { status: 'terminated', amountPaid: { amount: 390 } });

    const { dateModified, tenderID } = (await anyone.get(path)).body.data;
    const read = async (query: string): Promise<Json> =>
      (await getReached(anyone, `${query}&at_least=${encodeURIComponent(dateModified)}`)).body;
    expect(await read(`/lookup?ids=${contract.contractID}`)).toMatchObject({
      data: [{ id, tenderID, dateModified, contract: contract.id }],
      missing: [],
    });
    for (const query of [
      `q=${contract.contractID}`,
      'q=дратва',
      `rationale=itemPriceVariation&contract=${contract.id}`,
      `contractStatus=terminated&contract=${contract.contractID}`,
    ])
      expect([query, (await read(`/search?mode=_all_&${encodeURI(query)}`)).data.map((one: Json) => one.id)]).toEqual([
        query,
        [id],
      ]);
    const [found] = (await read(`/search?mode=_all_&contract=${contract.id}`)).data;
    expect(found).toMatchObject({ contracted: 380, paid: 390 });

    const { data: states } = await read(`${path}/history?limit=100`);
    const paid = states.filter((one: Json) => one.causes.includes('contract.paid'));
    expect(paid.map((one: Json) => one.causes)).toEqual([['contract.paid'], ['contract.paid', 'contract.terminated']]);
    const positions = paid.map((one: Json) => one.position);
    await waitFor(() => client.positions.length === 2, { what: 'both payments in the stream' });
    expect(client.positions).toEqual(positions);
    client.close();
    await waitFor(() => receiver.accepted().length === 2, { what: 'both payments at the webhook' });
    expect(receiver.accepted()).toEqual(positions.map((one: string) => BigInt(one.replace('.', ''))));
    await receiver.stop();
  });
});
