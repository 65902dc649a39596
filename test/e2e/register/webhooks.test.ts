import { waitFor } from '@procurement/testing/wait-for';
import { webhookReceiver } from '@procurement/testing/webhook-receiver';
import { describe, expect, inject, it } from 'vitest';
import { patientBroker } from '../../support/broker.ts';
import { publish } from '../../support/published-tender.ts';
import { minimalTender } from '../../support/request-bodies.ts';

const url = inject('gatewayUrl');
const buyer = patientBroker(url, 'broker1', '2.5');
const other = patientBroker(url, 'broker2', '2.5');
const anyone = patientBroker(url, undefined, '2.5');

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
    // A delivery that was not answered in time is repeated.
    const texts = new Map(receiver.messages.map(({ position, text }) => [position, text]));
    const [first, second] = receiver.accepted().map((position) => JSON.parse(texts.get(position) ?? ''));
    expect([first.type, second.type]).toEqual(['tender.created', 'tender.changed']);
    expect([first.data.tender.description, second.data.tender.description]).toEqual([undefined, 'Змінено']);
    const history = (await anyone.get(`${path}/history`)).body.data;
    expect([first.data.position, second.data.position]).toEqual(
      history.map((one: { position: string }) => one.position),
    );
    // The receiver has accepted a change before the sender has stored that.
    await waitFor(async () => (await buyer.get(webhook)).body.data.waiting === 0, { what: 'the end of waiting' });
    expect((await buyer.get(webhook)).body.data).toMatchObject({ status: 'active', deadLetters: 0 });
    expect([(await other.get(webhook)).status, (await anyone.get(webhook)).status]).toEqual([404, 401]);
    expect((await patientBroker(url, 'broker1', '2.3').get('/webhooks')).status).toBe(404);
    expect((await buyer.request('DELETE', webhook)).status).toBe(200);
    await buyer.patch(path + tokenQuery, { description: 'Ще раз' });
    expect((await buyer.get(webhook)).status).toBe(404);
    await receiver.stop();
    expect(receiver.accepted()).toHaveLength(2);
  });
});
