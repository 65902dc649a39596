import { createClient, type ContractDocuments, type Documents, type ProcurementClient } from '@procurement/client';
import { selectRoutes } from '@procurement/contracts/api/routes';
import { describe, expect, it } from 'vitest';

/** Operations that have no method of their own: `client.send` calls them. */
const BY_SEND = ['PUT /tenders/:id', 'GET /transfers/:id', 'GET /contracts'];
const isBySend = (operation: string): boolean =>
  BY_SEND.includes(operation) || /^POST \/tenders\/.*\/ownership$/.test(operation) || operation.includes(' /webhooks');

const data = {} as never;
const file = { name: 'a.txt', content: 'a' };

async function callDocuments(documents: Documents | ContractDocuments): Promise<void> {
  await documents.list();
  await documents.upload(file);
  const document = documents.document('id');
  await document.get();
  await document.replace(file);
  await document.patch(data);
}

/** Every method of the client that sends a request. */
async function callAll(client: ProcurementClient): Promise<void> {
  await client.createTender(data);
  await client.feedEnd();
  await client.moveClock('id', { to: 'next_check' });
  await client.readClock('id');
  const contract = client.contract('id');
  await contract.credentials({ as: 'id' });
  await contract.takeOver('secret');
  await callDocuments(contract.documents);
  await contract.changes.list();
  await contract.changes.create(data);
  for (const item of [contract, contract.change('id')]) {
    await item.get();
    await item.patch(data);
  }
  await contract.transaction('id').get();
  await contract.transaction('id').put(data);
  const tender = client.tender('id');
  const award = tender.award('id');
  const collections = [
    tender.lots,
    tender.questions,
    tender.complaints,
    tender.cancellations,
    tender.bids,
    tender.awards,
    award.complaints,
    tender.contracts,
  ];
  for (const collection of collections) {
    await collection.list();
    await collection.create(data);
  }
  const [lot, bid] = [tender.lot('id'), tender.bid('id')];
  const withDocuments = [
    tender.complaint('id'),
    tender.cancellation('id'),
    award.complaint('id'),
    tender.contract('id'),
  ];
  for (const item of [tender, lot, bid, award, tender.question('id'), ...withDocuments]) {
    await item.get();
    await item.patch(data);
  }
  await lot.delete();
  await bid.delete();
  await bid.receipt();
  for (const { documents } of [tender, bid, award, ...withDocuments]) await callDocuments(documents);
  await tender.bidsSeal();
  await tender.auction.get();
  for (const auction of [tender.auction, tender.auction.lot('id')]) {
    await auction.patch(data);
    await auction.report(data);
  }
}

/** Reads of the register. Iterators send their first request when they are read. */
async function readRegister(client: ProcurementClient): Promise<void> {
  await client.lookup(['id']);
  await client.searchPage({});
  await client.searchBuyers({ q: 'abc' });
  const { history } = client.tender('id');
  await history.get('id' as never);
  await history.changes('id' as never);
  const manifest = client.export('id');
  await manifest.manifest();
  await manifest.download({ url: 'https://api.example.org/api/2.5/exports/id/id' });
  for (const iterator of [client.statistics({ by: 'day' }), client.exports(), history.list()]) await iterator.next();
  const stopped = AbortSignal.abort(new Error('stopped'));
  await client
    .stream({ signal: stopped })
    .next()
    .catch(() => undefined);
}

describe('the client', () => {
  it('has a method for every operation of segment 2.5, at its path', async () => {
    const called = new Set<string>();
    const client = createClient({
      url: 'https://api.example.org',
      async fetch(address, { method = 'GET' }) {
        called.add(`${method} ${new URL(address).pathname.replace('/api/2.5', '').replaceAll('/id', '/:id')}`);
        return Response.json({ data: [] });
      },
    });
    await callAll(client);
    await readRegister(client);
    const operations = selectRoutes({ sandbox: true })
      .filter(({ segments, path }) => segments.includes('2.5') && !path.startsWith('/ocds'))
      .map(({ method, path }) => `${method} ${path.replaceAll(/:\w+/g, ':id')}`);
    expect([...called].toSorted()).toEqual(operations.filter((operation) => !isBySend(operation)).toSorted());
  });
});
