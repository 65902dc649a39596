import { AUTHOR } from '@procurement/testing/bodies';
import { describe, expect, inject, it } from 'vitest';
import { patientBroker } from '../support/broker.ts';
import { moveToNextCheck } from '../support/sandbox.ts';
import { publish, TENDERER } from '../support/published-tender.ts';
import { minimalTender } from '../support/request-bodies.ts';

const url = inject('gatewayUrl');
const buyer = patientBroker(url, 'broker1', '2.5');
const seller = patientBroker(url, 'broker2', '2.5');
const anyone = patientBroker(url, undefined, '2.5');

let keyCount = 0;
const newIdempotencyKey = (): { headers: Record<string, string> } => ({
  headers: { 'idempotency-key': `story-${Date.now()}-${(keyCount += 1)}` },
});

describe('a POST repeated with its Idempotency-Key', () => {
  it('creates one tender, question, complaint and bid, and answers the tokens of the first answer', async () => {
    const [ofTender, tender] = [newIdempotencyKey(), minimalTender()];
    const first = await buyer.post('/tenders', tender, ofTender);
    const again = await buyer.post('/tenders', tender, ofTender);
    expect([again.status, again.text, again.headers.get('location')]).toEqual([
      201,
      first.text,
      first.headers.get('location'),
    ]);
    const { id } = first.body.data;
    const wishes = {
      questions: { author: AUTHOR, title: 'x' },
      complaints: { author: AUTHOR, title: 'x' },
    };
    for (const [collection, wish] of Object.entries(wishes)) {
      const header = newIdempotencyKey();
      const answers = [
        await seller.post(`/tenders/${id}/${collection}`, wish, header),
        await seller.post(`/tenders/${id}/${collection}`, wish, header),
      ];
      expect(answers.map((answer) => answer.status)).toEqual([201, 201]);
      expect(answers[1]?.text).toBe(answers[0]?.text);
      expect((await anyone.get(`/tenders/${id}/${collection}`)).body.data).toHaveLength(1);
    }
    await moveToNextCheck(buyer, id);
    const [header, bid] = [newIdempotencyKey(), { tenderers: [TENDERER], value: { amount: 400 } }];
    const bids = await Promise.all([1, 2, 3].map(async () => seller.post(`/tenders/${id}/bids`, bid, header)));
    expect(new Set(bids.map((answer) => answer.body.data.id)).size).toBe(1);
    const other = await seller.post(`/tenders/${id}/bids`, { ...bid, value: { amount: 300 } }, header);
    expect(other.status).toBe(422);
  });

  it('without the header every request creates', async () => {
    const [one, two] = [await publish(buyer, minimalTender()), await publish(buyer, minimalTender())];
    expect(one.id).not.toBe(two.id);
  });
});
