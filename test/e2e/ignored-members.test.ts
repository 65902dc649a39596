import { describe, expect, inject, it } from 'vitest';
import { patientBroker, type Broker } from '../support/broker.ts';
import { publish, TENDERER } from '../support/published-tender.ts';
import { interfaceTender, minimalTender } from '../support/request-bodies.ts';
import { moveToNextCheck } from '../support/sandbox.ts';

const url = inject('gatewayUrl');
const buyerAt = (segment: string): Broker => patientBroker(url, 'broker1', segment);
const ignoredIn = ({ headers }: { readonly headers: Headers }): string | null => headers.get('ignored-members');

describe('a PATCH of what may not change now, through the gateway (rulings R40)', () => {
  it.each([
    ['2.5', 'value'],
    ['2.3', 'value'],
    ['0', 'value'],
    ['0.1', 'totalValue'],
  ])(
    'on segment %s names the member, and nothing when the tender is sent back as it was read',
    async (segment, value) => {
      const { id, path, tokenQuery } = await publish(
        buyerAt('2.5'),
        segment === '2.5' ? minimalTender() : interfaceTender(),
      );
      await moveToNextCheck(buyerAt('2.5'), id);
      const buyer = buyerAt(segment);
      const read = (await buyer.get(path)).body.data;
      expect(read.status).toBe('active.tendering');
      const same = await buyer.patch(`${path}${tokenQuery}`, read);
      expect([same.status, ignoredIn(same)]).toEqual([200, null]);
      const change = { [value]: { ...read[value], amount: 450 } };
      const changed = await buyer.patch(`${path}${tokenQuery}`, change);
      expect([changed.status, ignoredIn(changed), changed.body.data[value]]).toEqual([
        200,
        `/${value}/amount`,
        read[value],
      ]);
      const strict = await buyer.patch(`${path}${tokenQuery}`, change, { headers: { prefer: 'handling=strict' } });
      expect([strict.status, strict.body.errors?.[0]?.allowedStatuses]).toEqual(
        segment === '2.5' ? [403, ['active.enquiries']] : [200, undefined],
      );
    },
  );

  it('names nothing when a bid is sent back with its documents', async () => {
    const { id } = await publish(buyerAt('2.5'), minimalTender());
    await moveToNextCheck(buyerAt('2.5'), id);
    const seller = patientBroker(url, 'broker2', '2.5');
    const bid = (await seller.post(`/tenders/${id}/bids`, { tenderers: [TENDERER], value: { amount: 400 } })).body;
    const path = `/tenders/${id}/bids/${bid.data.id}`;
    const token = { 'x-access-token': bid.access.token };
    const form = new TextEncoder().encode('hello');
    const headers = { ...token, 'content-type': 'text/plain', 'content-disposition': 'attachment; filename=a.txt' };
    expect((await seller.request('POST', `${path}/documents`, { raw: form, headers })).status).toBe(201);
    for (const segment of ['2.5', '2.3']) {
      const bidder = patientBroker(url, 'broker2', segment);
      const read = (await bidder.get(path, { headers: token })).body.data;
      expect(read.documents).toHaveLength(1);
      const same = await bidder.patch(path, read, { headers: token });
      expect([segment, same.status, ignoredIn(same)]).toEqual([segment, 200, null]);
    }
    const ignored = await seller.patch(path, { documents: [{ title: 'b.txt' }] }, { headers: token });
    expect([ignored.status, ignoredIn(ignored)]).toEqual([200, '/documents']);
  });
});
