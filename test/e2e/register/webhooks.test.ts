import { waitFor } from '@procurement/testing/wait-for';
import { webhookReceiver } from '@procurement/testing/webhook-receiver';
import { describe, expect, inject, it } from 'vitest';
import { broker } from '../../support/broker.ts';
import { publish } from '../../support/published-tender.ts';
import { minimalTender } from '../../support/request-bodies.ts';

const url = inject('gatewayUrl');
const buyer = broker(url, 'broker1', '2.5');
const other = broker(url, 'broker2', '2.5');
const anyone = broker(url, undefined, '2.5');

describe('webhooks', () => {
  it('send every change of a tender in order, as its history has them', async () => {
    const { id, path, tokenQuery } = await publish(buyer, minimalTender());
    const receiver = await webhookReceiver();
    const terms = { url: receiver.url, filter: { mode: '_all_', ids: [id] }, from: '0', expand: true };
    const created = await buyer.post('/webhooks', terms);
    expect(created.status).toBe(201);
    const webhook = new URL(created.headers.get('location') ?? '').pathname.replace('/api/2.5', '');
    await buyer.patch(path + tokenQuery, { description: 'Змінено' });
    await waitFor(() => receiver.accepted().length === 2, { what: 'both changes' });
    const [, first, second] = receiver.messages.map(({ text }) => JSON.parse(text));
    expect([first.type, second.type]).toEqual(['tender.created', 'tender.changed']);
    expect([first.data.tender.description, second.data.tender.description]).toEqual([undefined, 'Змінено']);
    const history = (await anyone.get(`${path}/history`)).body.data;
    expect([first.data.position, second.data.position]).toEqual(
      history.map((one: { position: string }) => one.position),
    );
    expect((await buyer.get(webhook)).body.data).toMatchObject({ status: 'active', waiting: 0, deadLetters: 0 });
    expect([(await other.get(webhook)).status, (await anyone.get(webhook)).status]).toEqual([404, 401]);
    expect((await broker(url, 'broker1', '2.3').get('/webhooks')).status).toBe(404);
    expect((await buyer.request('DELETE', webhook)).status).toBe(200);
    await buyer.patch(path + tokenQuery, { description: 'Ще раз' });
    expect((await buyer.get(webhook)).status).toBe(404);
    await receiver.stop();
    expect(receiver.accepted()).toHaveLength(2);
  });
});
