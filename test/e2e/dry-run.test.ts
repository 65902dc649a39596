import { describe, expect, inject, it } from 'vitest';
import { patientBroker } from '../support/broker.ts';
import { moveToNextCheck } from '../support/sandbox.ts';
import { publish, TENDERER } from '../support/published-tender.ts';
import { minimalTender } from '../support/request-bodies.ts';

const url = inject('gatewayUrl');
const buyer = patientBroker(url, 'broker1', '2.5');
const seller = patientBroker(url, 'broker2', '2.5');
const anyone = patientBroker(url, undefined, '2.5');

describe('opt_dry_run through the gateway', () => {
  it('takes no Idempotency-Key, and publishes nothing', async () => {
    const key = { headers: { 'idempotency-key': `dry-${Date.now()}` } };
    const dry = await buyer.post('/tenders?opt_dry_run=1', minimalTender(), key);
    const real = await buyer.post('/tenders', minimalTender(), key);
    expect([dry.status, real.status, real.headers.get('idempotency-replayed')]).toEqual([201, 201, null]);
    expect((await anyone.get(`/tenders/${dry.body.data.id}`)).status).toBe(404);
    expect((await anyone.get(`/tenders/${real.body.data.id}`)).status).toBe(200);
  });

  it('shows a bid with the documents in its body, and stores neither', async () => {
    const { id } = await publish(buyer, minimalTender());
    await moveToNextCheck(buyer, id);
    const bid = { tenderers: [TENDERER], value: { amount: 400 } };
    const documents = [
      {
        title: 'x.pdf',
        format: 'application/pdf',
        url: 'https://elsewhere.example.org/get/1',
        hash: `md5:${'0'.repeat(32)}`,
      },
    ];
    const refused = await seller.post(`/tenders/${id}/bids?opt_dry_run=1`, { ...bid, documents });
    expect([refused.status, refused.body.errors[0].location]).toEqual([403, 'documents']);
    expect((await seller.post(`/tenders/${id}/bids?opt_dry_run=1`, bid)).status).toBe(201);
    await moveToNextCheck(buyer, id);
    expect((await anyone.get(`/tenders/${id}`)).body.data.status).toBe('unsuccessful');
  });
});
