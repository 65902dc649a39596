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

const SEALED_NAME = 'ТОВ Сургуч';
const SEALED_AMOUNT = 431.17;

/** What an anonymous reader gets of a path, once it contains a change. */
async function readAfter(dateModified: string, path: string): Promise<ApiResponse> {
  const separator = path.includes('?') ? '&' : '?';
  const answer = await getReached(anyone, `${path}${separator}at_least=${encodeURIComponent(dateModified)}`);
  if (answer.status !== 200) throw new Error(`${path}: ${answer.text}`);
  return answer;
}

describe('lookup and history', () => {
  it('contain a write as soon as its writer asks for it (A9), and agree with the tender and the feed (H1)', async () => {
    const { id, path, tokenQuery, data } = await publish(buyer, minimalTender());
    const found = await readAfter(data.dateModified, `/lookup?ids=${data.tenderID.toLowerCase()}&expand=1`);
    expect(found.text).toContain((await anyone.get(path)).text.slice('{"data":'.length, -1));
    const changed = (await buyer.patch(path + tokenQuery, { description: 'Змінено' })).body.data;
    const { body, headers } = await readAfter(changed.dateModified, `/lookup?ids=${id},${'0'.repeat(32)}`);
    expect(body).toEqual({
      data: [
        { id, tenderID: data.tenderID, dateModified: changed.dateModified, status: 'active.enquiries', mode: 'test' },
      ],
      missing: ['0'.repeat(32)],
    });
    const history = (await readAfter(changed.dateModified, `${path}/history?diff=1`)).body;
    expect(history.complete).toBe(true);
    expect(history.data.map((one: Json) => [one.causes, one.changed, one.dateModified])).toEqual([
      [['tender.created'], undefined, data.dateModified],
      [['tender.edited'], ['description'], changed.dateModified],
    ]);
    const newest = history.data[1];
    expect(newest.patch).toContainEqual({ op: 'add', path: '/description', value: 'Змінено' });
    expect(Number(headers.get('x-feed-position'))).toBeGreaterThanOrEqual(Number(newest.position));
    // Tenders of other tests may have changed meanwhile.
    const rowsAfter = async (position: string): Promise<readonly Json[]> => {
      const { body: feed } = await anyone.get(`/tenders?mode=_all_&limit=1000&offset=${position}`);
      return feed.data.filter((row: Json) => row.id === id);
    };
    expect(await rowsAfter(history.data[0].position)).toEqual([{ id, dateModified: newest.dateModified }]);
    expect(await rowsAfter(newest.position)).toEqual([]);
  });

  it('show each revision as everybody could read it then, and nothing that was sealed (A30, H2)', async () => {
    const reads = new Map<string, string>();
    const { id, path } = await publish(buyer, minimalTender({ procurementMethodDetails: 'quick, accelerator=1440' }));
    const read = async (): Promise<void> => {
      const { text, body } = await anyone.get(path);
      reads.set(body.data.dateModified, text);
    };
    await read();
    const question = await seller.post(`${path}/questions`, {
      title: 'Запитання',
      author: { ...TENDERER, name: SEALED_NAME },
    });
    expect(question.status).toBe(201);
    await read();
    await moveToNextCheck(buyer, id);
    await read();
    const bids = await Promise.all(
      [SEALED_AMOUNT, 440].map(async (amount) =>
        seller.post(`${path}/bids`, { tenderers: [{ ...TENDERER, name: SEALED_NAME }], value: { amount } }),
      ),
    );
    const sealed = [...bids.map(({ body }) => body.data.id), SEALED_NAME, String(SEALED_AMOUNT)];
    await moveToNextCheck(buyer, id);
    await read();
    expect((await auction.post(`${path}/auction`, { bids: bids.map(() => ({})) })).status).toBe(200);
    await read();
    const now = (await anyone.get(path)).body.data;
    const { data } = (await readAfter(now.dateModified, `${path}/history`)).body;
    expect(data.at(-1).dateModified).toBe(now.dateModified);
    const statuses: string[] = [];
    for (const { rev, position, dateModified, status } of data) {
      statuses.push(status);
      const answer = await anyone.get(`${path}/history/${rev}`);
      const published = reads.get(dateModified);
      if (published !== undefined) expect(answer.text.startsWith(published.slice(0, -1))).toBe(true);
      expect((await anyone.get(`${path}/history?at=${position}`)).text).toBe(answer.text);
      const isOpened = status === 'active.qualification';
      for (const secret of sealed)
        expect([status, secret, answer.text.includes(secret)]).toEqual([status, secret, isOpened]);
    }
    expect(new Set(statuses)).toEqual(
      new Set(['active.enquiries', 'active.tendering', 'active.auction', 'active.qualification']),
    );
    const sealedStates = data.filter((one: Json) => one.status !== 'active.qualification');
    for (const { rev } of sealedStates.slice(1)) {
      const changes = await anyone.get(`${path}/history/${rev}/changes`);
      expect(sealed.some((secret) => changes.text.includes(secret))).toBe(false);
    }
  });

  it('refuse what they do not understand, and exist on 2.5 and 2.4 only', async () => {
    const { id } = await publish(buyer, minimalTender());
    const draft = (await buyer.post('/tenders', { ...minimalTender(), status: 'draft' })).body.data;
    const answers = await Promise.all(
      ['/lookup?id=1', `/tenders/${draft.id}/history`, `/tenders/${'0'.repeat(32)}/history`].map(async (path) =>
        anyone.get(path),
      ),
    );
    expect(answers.map(({ status, body }) => [status, body.errors[0].location, body.errors[0].name])).toEqual([
      [400, 'params', 'id'],
      [404, 'url', 'tender_id'],
      [404, 'url', 'tender_id'],
    ]);
    for (const segment of ['2.3', '0', '0.1']) {
      const older = await patientBroker(url, undefined, segment).get(`/tenders/${id}/history`);
      expect([older.status, older.body.errors[0].name]).toEqual([404, 'not_found']);
    }
    const alias = await patientBroker(url, undefined, '2.4').get(`/lookup?ids=${draft.id}`);
    expect(alias.body).toEqual({ data: [], missing: [draft.id] });
    expect((await anyone.post(`/tenders/${id}/history`, {})).status).toBe(405);
  });
});
