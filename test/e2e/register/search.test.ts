import { describe, expect, inject, it } from 'vitest';
import { patientBroker, getReached, type ApiResponse, type Json } from '../../support/broker.ts';
import { publish, TENDERER } from '../../support/published-tender.ts';
import { minimalTender } from '../../support/request-bodies.ts';
import { moveToNextCheck } from '../../support/sandbox.ts';

const url = inject('gatewayUrl');
const buyer = patientBroker(url, 'broker1', '2.5');
const seller = patientBroker(url, 'broker2', '2.5');
const auction = patientBroker(url, 'auction', '2.5');
const anyone = patientBroker(url, undefined, '2.5');

/** What an anonymous reader finds, once the answer contains a change. */
async function found(dateModified: string, query: Readonly<Record<string, string>>): Promise<ApiResponse> {
  const parameters = new URLSearchParams({ mode: '_all_', at_least: dateModified, ...query });
  const answer = await getReached(anyone, `/search?${parameters.toString()}`);
  if (answer.status !== 200) throw new Error(answer.text);
  return answer;
}

const idsOf = ({ body }: ApiResponse): readonly string[] => body.data.map(({ id }: Json) => id);

describe('search', () => {
  it('finds a tender as soon as its writer asks for it (A9), by any form of a word, until the word is gone', async () => {
    const { id, path, tokenQuery, data } = await publish(buyer, minimalTender({ title: 'Теодоліт для геодезиста' }));
    const { body } = await found(data.dateModified, { q: 'теодоліти', total: '1' });
    expect(body.data).toMatchObject([{ id, tenderID: data.tenderID, dateModified: data.dateModified, mode: 'test' }]);
    expect(body.total).toEqual({ value: 1, relation: 'eq' });
    const changed = (await buyer.patch(path + tokenQuery, { title: 'Нівелір' })).body.data;
    expect(idsOf(await found(changed.dateModified, { q: 'теодоліт' }))).toEqual([]);
    expect(idsOf(await found(changed.dateModified, { q: 'нівеліри' }))).toEqual([id]);
  });

  it('never finds a tender by a bid that is sealed (A30)', async () => {
    const identifier = { ...TENDERER.identifier, id: '90817263' };
    const sealed = { ...TENDERER, name: 'Сургучний', identifier };
    const { id, path } = await publish(buyer, minimalTender({ procurementMethodDetails: 'quick, accelerator=1440' }));
    await moveToNextCheck(buyer, id);
    await Promise.all(
      [431, 440].map(async (amount) => seller.post(`${path}/bids`, { tenderers: [sealed], value: { amount } })),
    );
    const searches = async (): Promise<readonly ApiResponse[]> => {
      const { dateModified } = (await anyone.get(path)).body.data;
      return Promise.all([{ bidder: identifier.id }, { q: sealed.name }].map(async (one) => found(dateModified, one)));
    };
    expect((await searches()).map(idsOf)).toEqual([[], []]);
    await moveToNextCheck(buyer, id);
    expect((await searches()).map(idsOf)).toEqual([[], []]);
    expect((await auction.post(`${path}/auction`, { bids: [{}, {}] })).status).toBe(200);
    expect((await searches()).map(idsOf)).toEqual([[id], []]);
  });

  it('counts bids in statistics when they are opened, and not before (A30), and finds the buyer by its name', async () => {
    const name = 'Гончарня Опішнянська';
    const tender = minimalTender({ procurementMethodDetails: 'quick, accelerator=1440' });
    const identifier = { scheme: 'UA-EDR', id: '40718263' };
    const { id, path } = await publish(buyer, {
      ...tender,
      procuringEntity: { ...(tender['procuringEntity'] as object), name, identifier },
    });
    const cell = async (): Promise<Json> => {
      const { dateModified } = (await anyone.get(path)).body.data;
      const parameters = { by: 'buyer', buyer: `UA-EDR-${identifier.id}`, mode: 'test', at_least: dateModified };
      return (await getReached(anyone, `/statistics?${new URLSearchParams(parameters).toString()}`)).body.data[0];
    };
    expect(await cell()).toMatchObject({ label: name, tenders: 1, active: 1, opened: 0, bids: 0 });
    const buyers = await anyone.get(`/search/buyers?${new URLSearchParams({ q: 'опішнян', mode: 'test' }).toString()}`);
    expect(buyers.body.data).toEqual([{ ...identifier, name, tenders: 1 }]);
    await moveToNextCheck(buyer, id);
    for (const amount of [431, 440]) await seller.post(`${path}/bids`, { tenderers: [TENDERER], value: { amount } });
    await moveToNextCheck(buyer, id);
    expect(await cell()).toMatchObject({ opened: 0, bids: 0 });
    expect((await auction.post(`${path}/auction`, { bids: [{}, {}] })).status).toBe(200);
    expect(await cell()).toMatchObject({ opened: 1, bids: 2, competition: 2, singleBid: 0 });
  });

  it('refuses what it does not understand, exists on 2.5 and 2.4 only, and links its next page', async () => {
    const { data } = await publish(buyer, minimalTender());
    const first = (await found(data.dateModified, { limit: '1' })).body;
    const next = await anyone.get(first.next_page.path.replace('/api/2.5', ''));
    expect([next.status, next.body.data[0].id === first.data[0].id]).toEqual([200, false]);
    const refused = await anyone.get('/search?word=x');
    expect([refused.status, refused.body.errors[0].name]).toEqual([400, 'word']);
    expect((await patientBroker(url, undefined, '2.4').get('/search?limit=1')).status).toBe(200);
    expect((await patientBroker(url, undefined, '2.3').get('/search')).status).toBe(404);
  });
});
