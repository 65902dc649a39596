import { describe, expect, inject, it } from 'vitest';
import { broker } from '../../support/broker.ts';
import { AUTHOR, publish } from '../../support/tender-file.ts';
import { interfaceTender } from '../../support/tender.ts';

const url = inject('gatewayUrl');
const buyer = broker(url, 'broker1', '2.3');
const seller = broker(url, 'broker2', '2.3');
const anyone = broker(url, undefined, '2.3');

describe('questions and complaints of the interface document, on a fresh tender (rulings R3)', () => {
  it('POST a question, GET it, PATCH posts its answer', async () => {
    const { path, owned } = await publish(buyer, interfaceTender());
    const asked = await seller.post(`${path}/questions`, {
      author: AUTHOR,
      title: 'Калорійність',
      description: 'Яка?',
    });
    expect(asked.status).toBe(201);
    expect(asked.headers.get('location')).toBe(`${url}/api/2.3${path}/questions/${asked.body.data.id}`);
    expect((await anyone.get(`${path}/questions`)).body.data).toHaveLength(1);
    const answered = await buyer.patch(`${path}/questions/${asked.body.data.id}${owned}`, { answer: '100 ккал' });
    expect([answered.status, answered.body.data.answer]).toEqual([200, '100 ккал']);
    expect((await anyone.get(`${path}/questions/${asked.body.data.id}`)).body.data.answer).toBe('100 ккал');
  });

  it('POST a complaint, GET it, PATCH posts its resolution', async () => {
    const { path, owned } = await publish(buyer, interfaceTender());
    const filed = await seller.post(`${path}/complaints`, { author: AUTHOR, title: 'Скарга', description: 'Умови' });
    expect([filed.status, filed.body.data.status, typeof filed.body.access.token]).toEqual([201, 'claim', 'string']);
    expect((await anyone.get(`${path}/complaints`)).body.data).toHaveLength(1);
    const resolved = await buyer.patch(`${path}/complaints/${filed.body.data.id}${owned}`, {
      status: 'resolved',
      resolution: 'Виправлено',
    });
    expect([resolved.status, resolved.body.data.resolution]).toEqual([200, 'Виправлено']);
    expect((await anyone.get(`${path}/complaints/${filed.body.data.id}`)).body.data.status).toBe('resolved');
  });
});
