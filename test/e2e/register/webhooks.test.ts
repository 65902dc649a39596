import { waitFor } from '@procurement/testing/wait-for';
import { webhookReceiver } from '@procurement/testing/webhook-receiver';
import { describe, expect, inject, it } from 'vitest';
import { INNER_BASE, patientBroker } from '../../support/broker.ts';
import { fileUpload } from '../../support/file-upload.ts';
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
    const file = fileUpload('умови.pdf', 'application/pdf', '%PDF');
    expect((await buyer.request('POST', `${path}/documents${tokenQuery}`, file)).status).toBe(201);
    await waitFor(() => receiver.accepted().length === 3, { what: 'all changes' });
    // A delivery that was not answered in time is repeated.
    const texts = new Map(receiver.messages.map(({ position, text }) => [position, text]));
    const [first, second, third] = receiver.accepted().map((position) => JSON.parse(texts.get(position) ?? ''));
    expect([first.type, second.type, third.type]).toEqual(['tender.created', 'tender.changed', 'tender.changed']);
    // Links are ones that the receiver can follow, although a message has no request whose address they could have.
    expect(third.data.tender.documents[0].url).toContain(`${url}/`);
    expect(receiver.messages.filter(({ text }) => text.includes(INNER_BASE))).toEqual([]);
    expect([first.data.tender.description, second.data.tender.description]).toEqual([undefined, 'Змінено']);
    const history = (await anyone.get(`${path}/history`)).body.data;
    expect([first, second, third].map(({ data }) => data.position)).toEqual(
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
    expect(receiver.accepted()).toHaveLength(3);
  });
});
