import { openClient } from '@procurement/testing/stream-client';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { patientBroker, getReached, until, type Json } from '../../support/broker.ts';
import { startTestPortal, type TestPortal } from '../../support/portal.ts';
import { publish, TENDERER } from '../../support/published-tender.ts';
import { minimalTender } from '../../support/request-bodies.ts';
import { moveToNextCheck } from '../../support/sandbox.ts';

const url = inject('gatewayUrl');
const buyer = patientBroker(url, 'broker1', '2.5');
const seller = patientBroker(url, 'broker2', '2.5');
const auction = patientBroker(url, 'auction', '2.5');
const anyone = patientBroker(url, undefined, '2.5');

const READERS = 12;
const BIDDER = { ...TENDERER, name: 'ТОВ Печатка', identifier: { ...TENDERER.identifier, id: '71625344' } };
const ASKER = 'ТОВ Допитливість';
const AMOUNT = 437.19;
/** A word of the title that no other tender has. */
const WORD = `печатка${Date.now()}`;
/** How answers and pages say that there are two bids. */
const COUNT = /"numberOfBids"|>2 (?:bids|пропозиції)</;

/** Every read of the register that can show a tender, and those of the owner that show many. */
function listReads(id: string, number: string, rev: number): readonly string[] {
  const statistics = ['day', 'month', 'method', 'cpv', 'region', 'buyer'].map((by) => `/statistics?mode=test&by=${by}`);
  return [
    ...statistics,
    `/lookup?ids=${id}`,
    `/lookup?ids=${number}&expand=1`,
    `/search?mode=_all_&q=${number}&expand=1&total=1`,
    `/search?mode=_all_&sort=-modified&limit=50&facets=status,method,cpv,region,buyer`,
    '/search/buyers?mode=_all_&q=тов',
    `/tenders/${id}/history?diff=1`,
    `/tenders/${id}/history/${rev}`,
    `/tenders/${id}/history/${rev}/changes`,
    `/tenders/${id}?opt_schema=ocds`,
    '/tenders?mode=_all_&opt_expand=1&descending=1&limit=10',
    '/exports',
  ].map(encodeURI);
}

/** Every page of the portal that can show a tender, and its feeds (portal.md, P4). */
function listPages(number: string, rev: number): readonly string[] {
  const ofTender = ['', '.atom', '/version', '/history', `/history/${rev}`].map((part) => `/tenders/${number}${part}`);
  const lists = [`/tenders?q=${number.slice(0, 13)}`, '/tenders.atom', '/statistics', '/contracts'];
  return ['', '/en'].flatMap((lang) => [
    lang === '' ? '/' : lang,
    ...[...ofTender, ...lists].map((path) => lang + path),
  ]);
}

/** Answers and pages about this tender alone that say how many bids it has. The portal is a new one, which keeps no answer. */
async function whereCounted(id: string, number: string): Promise<readonly string[]> {
  const reads = [`/tenders/${id}`, `/lookup?ids=${id}&expand=1`, `/search?mode=_all_&q=${WORD}`];
  const pages = ['', '/en'].flatMap((lang) =>
    [`?q=${WORD}`, `/${number}`, `/${number}.atom`, `/${number}/history`].map((rest) => `${lang}/tenders${rest}`),
  );
  const fresh = await startTestPortal(url);
  const texts = [
    ...reads.map(async (path) => [path, (await anyone.get(encodeURI(path))).text] as const),
    ...pages.map(async (path) => [path, await (await fetch(fresh.url + path)).text()] as const),
  ];
  const found = await Promise.all(texts);
  await fresh.stop();
  // A page that has not found the tender counts nothing.
  for (const [path, text] of found) expect([path, text.includes(number)]).toEqual([path, true]);
  return found.filter(([, text]) => COUNT.test(text)).map(([path]) => path);
}

let portal: TestPortal;
beforeAll(async () => {
  portal = await startTestPortal(url);
});
afterAll(async () => portal.stop());

/** What twelve readers get at the same time, four of them of each read, while `write` runs. */
async function readMeanwhile(id: string, number: string, write: () => Promise<unknown>): Promise<readonly string[]> {
  const { data } = (await anyone.get(`/tenders/${id}/history`)).body;
  const reads = listReads(id, number, data.at(-1).rev);
  const pages = listPages(number, data.at(-1).rev);
  const read = async (n: number): Promise<readonly string[]> => {
    const texts: string[] = [];
    for (const path of reads.filter((_path, at) => at % 3 === n % 3)) texts.push((await anyone.get(path)).text);
    for (const path of pages.filter((_path, at) => at % 3 === n % 3))
      texts.push(await (await fetch(portal.url + path)).text());
    return texts;
  };
  const [texts] = await Promise.all([Promise.all(Array.from({ length: READERS }, async (_, n) => read(n))), write()]);
  return texts.flat();
}

describe('what is sealed', () => {
  it('is in no answer of the register while twelve readers ask for everything at every step, until it is opened (A30)', async () => {
    // Without an accelerator: on a slow machine its minutes would end by themselves.
    const { id, path, data } = await publish(buyer, minimalTender({ title: `Папір ${WORD}` }));
    const stream = await openClient(`${url}/api/2.5/stream?mode=_all_&ids=${id}`);
    // Of the broker whose bids are sealed: the text is the public one all the same.
    const key = { authorization: `Basic ${Buffer.from('broker2:').toString('base64')}` };
    const expanded = await openClient(`${url}/api/2.5/stream?mode=_all_&ids=${id}&expand=1`, key);
    await getReached(anyone, `${path}/history?at_least=${encodeURIComponent(data.dateModified)}`);
    const secrets: string[] = [ASKER, BIDDER.name, BIDDER.identifier.id, String(AMOUNT)];
    const shown = (texts: readonly string[]): readonly string[] =>
      secrets.filter((secret) =>
        [...texts, ...stream.frames, ...expanded.frames].some((text) => text.includes(secret)),
      );
    const read = async (write: () => Promise<unknown>): Promise<readonly string[]> =>
      shown(await readMeanwhile(id, data.tenderID, write));
    const ask = async (): Promise<unknown> =>
      seller.post(`${path}/questions`, { title: 'Запитання', author: { ...TENDERER, name: ASKER } });
    expect(await read(ask)).toEqual([]);
    expect(await read(async () => moveToNextCheck(buyer, id))).toEqual([]);
    const bid = async (amount: number): Promise<void> => {
      const { status, body } = await seller.post(`${path}/bids`, { tenderers: [BIDDER], value: { amount } });
      expect(status).toBe(201);
      secrets.push(body.data.id, body.access.token);
    };
    expect(await read(async () => Promise.all([bid(AMOUNT), bid(AMOUNT + 1)]))).toEqual([]);
    expect(await whereCounted(id, data.tenderID)).toEqual([]);
    expect(await read(async () => moveToNextCheck(buyer, id))).toEqual([]);
    const closed: Json = (await anyone.get(path)).body.data;
    await getReached(anyone, `/lookup?ids=${id}&at_least=${encodeURIComponent(closed.dateModified)}`);
    expect(await read(async () => undefined)).toEqual([]);
    expect([closed.status, await whereCounted(id, data.tenderID)]).toEqual(['active.auction', []]);
    expect((await auction.post(`${path}/auction`, { bids: [{}, {}] })).status).toBe(200);
    const opened: Json = (await anyone.get(path)).body.data;
    const whole = `/lookup?ids=${id}&expand=1&at_least=${encodeURIComponent(opened.dateModified)}`;
    const isToken = (secret: string): boolean =>
      /^[0-9a-f]{32}$/.test(secret) && !opened.bids.some((one: Json) => one.id === secret);
    expect(shown([(await getReached(anyone, whole)).text]).toSorted()).toEqual(
      secrets.filter((one) => !isToken(one)).toSorted(),
    );
    const isOpened = async (): Promise<boolean> => expanded.frames.some((frame) => frame.includes(BIDDER.name));
    await until('the opened bids in the stream', isOpened);
    expect(await whereCounted(id, data.tenderID)).toEqual(
      expect.arrayContaining([`/tenders/${id}`, `/tenders?q=${WORD}`, `/en/tenders?q=${WORD}`]),
    );
    stream.close();
    expanded.close();
  });
});
