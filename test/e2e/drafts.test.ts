import { expect, inject, it } from 'vitest';
import { getReached, patientBroker, type Broker } from '../support/broker.ts';
import { fileUpload } from '../support/file-upload.ts';
import { publish, TENDERER } from '../support/published-tender.ts';
import { minimalTender } from '../support/request-bodies.ts';

const url = inject('gatewayUrl');
const buyer = patientBroker(url, 'broker1', '2.5');
const other = patientBroker(url, 'broker2', '2.5');
const anyone = patientBroker(url, undefined, '2.5');
const draft = async () => publish(buyer, minimalTender({ status: 'draft' }));

// No service was told of a new draft: each asks for it (decision 0022).
it('a draft is known to every service that is asked about it', async () => {
  const { path, tokenQuery } = await draft();
  for (const list of ['bids', 'awards', 'contracts', 'documents', 'questions'])
    expect([list, (await anyone.get(`${path}/${list}`)).body]).toEqual([list, { data: [] }]);
  const bid = await other.post(`${path}/bids${tokenQuery}`, { tenderers: [TENDERER], value: { amount: 1 } });
  expect([bid.status, bid.body.errors[0].description]).toEqual([403, "Can't add bid in current (draft) tender status"]);
  expect((await anyone.get(`${path}/auction`)).status).toBe(403);
});

it('a draft has documents of a cancellation, and is published with them', async () => {
  const { id, path, tokenQuery } = await draft();
  const pending = await buyer.post(`${path}/cancellations${tokenQuery}`, { reason: 'perhaps' });
  expect(pending.status).toBe(201);
  const documents = `${path}/cancellations/${pending.body.data.id}/documents`;
  const upload = async (broker: Broker, query: string): Promise<number> =>
    (await broker.request('POST', `${documents}${query}`, fileUpload('a.pdf', 'application/pdf', 'a'))).status;
  expect(await upload(other, '')).toBe(403);
  expect(await upload(buyer, tokenQuery)).toBe(201);
  const shown = (await anyone.get(path)).body.data;
  expect([shown.status, shown.cancellations[0].documents]).toMatchObject(['draft', [{ title: 'a.pdf' }]]);
  expect((await buyer.patch(path + tokenQuery, { status: 'active.enquiries' })).status).toBe(200);
  expect(await upload(buyer, tokenQuery)).toBe(201);
  const published = (await anyone.get(path)).body.data;
  expect(published.cancellations[0].documents).toHaveLength(2);
  const history = await getReached(anyone, `${path}/history?at_least=${encodeURIComponent(published.dateModified)}`);
  // Three states were of the draft: history begins with the published one, and is whole.
  expect(history.body.complete).toBe(true);
  expect(history.body.data.map(({ rev }: { rev: number }) => rev)).toEqual([4, 5]);
  expect((await anyone.get(`/lookup?ids=${id}`)).body.missing).toEqual([]);
});

it('a draft changes its owner, and a service that knew it knows the new one', async () => {
  const departed = patientBroker(url, 'brokerx', '2.5');
  const created = await departed.post('/tenders', minimalTender({ status: 'draft' }));
  const path = `/tenders/${created.body.data.id}`;
  const pending = await departed.post(`${path}/cancellations?acc_token=${created.body.access.token}`, { reason: 'x' });
  const documents = `${path}/cancellations/${pending.body.data.id}/documents`;
  expect((await anyone.get(documents)).status).toBe(200);
  const transfer = (await other.post('/transfers', {})).body;
  const moved = await other.post(`${path}/ownership`, { id: transfer.data.id, transfer: created.body.access.transfer });
  expect(moved.status).toBe(200);
  const add = async (broker: Broker, token: string): Promise<number> =>
    (await broker.request('POST', `${documents}?acc_token=${token}`, fileUpload('b.pdf', 'application/pdf', 'b')))
      .status;
  expect(await add(departed, created.body.access.token)).toBe(403);
  expect(await add(other, transfer.access.token)).toBe(201);
});

it('a draft is cancelled while no other service knows it, and is listed then', async () => {
  const { path, tokenQuery } = await draft();
  const cancelled = await buyer.post(`${path}/cancellations${tokenQuery}`, { reason: 'no need', status: 'active' });
  expect(cancelled.status).toBe(201);
  const { data } = (await anyone.get(path)).body;
  expect(data.status).toBe('cancelled');
  const feed = (await anyone.get('/tenders?mode=_all_&descending=1&limit=100')).body.data;
  expect(feed).toContainEqual({ id: data.id, dateModified: data.dateModified });
});
