import { AUTHOR } from '@procurement/testing/bodies';
import { describe, expect, inject, it } from 'vitest';
import { patientBroker, clientFrom, type Broker, type Json } from '../../support/broker.ts';
import { fileUpload } from '../../support/file-upload.ts';
import { addressFollower } from '../../support/followed-addresses.ts';
import { bidBody, expectedBid } from '../../support/generation-client.ts';
import { amountWithVat, EARLIEST, GENERATIONS, hexId, serverDate, type Generation } from '../../support/generations.ts';
import { PARTY } from '../../support/request-bodies.ts';

// Plays interface.md in its order, as somebody who has read nothing else: its bodies, its three parameters and its headers only. The
// earliest generation is known by the names in its bodies, so answers to requests without such names have the form of the middle one.

const gatewayUrl = inject('gatewayUrl');

const HEADERS: ReadonlySet<string> = new Set(['accept', 'content-type', 'x-access-token']);
const PARAMETERS: ReadonlySet<string> = new Set(['opt_pretty', 'acc_token']);

/** A client that knows interface.md only, and follows every address that it gets as it is. */
function readerOfInterface({ segment }: Generation, key?: string): Broker {
  const follower = addressFollower(gatewayUrl, patientBroker(gatewayUrl, key, segment));
  return clientFrom(async (method, path, options = {}) => {
    const headers = { accept: 'application/json', ...options.headers };
    const unknown = [
      ...Object.keys(headers).filter((name) => !HEADERS.has(name)),
      ...[...new URL(path, gatewayUrl).searchParams.keys()].filter((name) => !PARAMETERS.has(name)),
    ];
    if (unknown.length > 0) throw new Error(`interface.md does not show ${unknown.join()}`);
    return follower.request(method, path, { ...options, headers });
  });
}

interface Play {
  readonly generation: Generation;
  readonly owner: Broker;
  readonly bidder: Broker;
  readonly anyone: Broker;
  /** Segment 2.5 refuses what a real procedure does not allow on a fresh tender (rulings R3). */
  readonly isStrict: boolean;
}

interface PlayedTender {
  readonly path: string;
  readonly token: string;
  readonly modified: string;
}

/** Quantities are numbers, not integers. */
function withQuantity({ names }: Generation, tender: Json, quantity: number): Json {
  return { ...tender, [names.items]: tender[names.items].map((item: Json) => ({ ...item, quantity })) };
}

const inTextOrder = (one: string, other: string): number => (one < other ? -1 : 1);

/** What the service does, 4. */
async function playDescription({ anyone }: Play): Promise<void> {
  const spore = await anyone.get('/spore');
  expect([spore.status, typeof spore.body]).toEqual([200, 'object']);
}

/** Whether `GET /tenders` and the pages that it leads to have the tender. */
async function isListed({ anyone, generation }: Play, id: string, modified: string): Promise<boolean> {
  let page = (await anyone.get('/tenders')).body;
  while (page.data.length > 0) {
    for (const row of page.data) expect(new Set(Object.keys(row))).toEqual(new Set(['id', generation.names.modified]));
    if (page.data.some((row: Json) => row.id === id && row[generation.names.modified] === modified)) return true;
    page = await (await fetch(page.next_page.uri)).json();
  }
  return false;
}

/** Tender, rules on tender values; POST, the list, GET. */
async function playCreation(play: Play): Promise<PlayedTender> {
  const { generation, owner, anyone, isStrict } = play;
  const { names } = generation;
  const created = await owner.post('/tenders', withQuantity(generation, generation.tender, 2.5));
  expect(created.status, created.text).toBe(201);
  const { data, access } = created.body;
  expect(data).toEqual(withQuantity(generation, generation.shown, 2.5));
  expect(access).toEqual(generation.access);
  expect(created.headers.get('location')).toBe(`${gatewayUrl}/api/${generation.segment}/tenders/${data.id}`);
  expect(created.text).toMatch(/"amount":500\.0[,}]/);
  expect(created.text).toMatch(/"quantity":2\.5[,}]/);
  // On 2.5 the list has test tenders when it is asked for them (rulings R38).
  expect(await isListed(play, data.id, data[names.modified])).toBe(!isStrict);
  const path = `/tenders/${data.id}`;
  const read = await anyone.get(path);
  expect(read.status).toBe(200);
  if (generation === EARLIEST) expect(read.body.data).toMatchObject({ id: data.id, modified: data.modified });
  else expect(read.body.data).toEqual(data);
  const pretty = await anyone.get(`${path}?opt_pretty=1`);
  expect([pretty.body, pretty.text.includes('\n    ')]).toEqual([read.body, true]);
  return { path, token: access.token, modified: data[names.modified] };
}

/** PUT and PATCH of a tender, with the token in each of the three ways. */
async function playChanges({ generation, owner }: Play, { path, token, modified }: PlayedTender): Promise<void> {
  const { names } = generation;
  const replaced = await owner.put(path, withQuantity(generation, generation.tender, 0.001), {
    headers: { 'x-access-token': token },
  });
  expect([replaced.status, replaced.body.data[names.items][0].quantity], replaced.text).toEqual([200, 0.001]);
  const change = { [names.value]: { amount: 600.125 } };
  const ways = [
    await owner.patch(`${path}?acc_token=${token}`, change),
    await owner.patch(path, { [names.value]: { amount: 600.5 } }, { headers: { 'x-access-token': token } }),
    await owner.request('PATCH', path, { raw: JSON.stringify({ access: { token }, data: change }) }),
  ];
  const shown = ways.map(({ status, body }) => [status, body.data[names.value], body.data.status]);
  expect(shown).toEqual([600.125, 600.5, 600.125].map((sum) => [200, amountWithVat(sum), 'active.enquiries']));
  const times = [modified, replaced.body.data[names.modified], ...ways.map(({ body }) => body.data[names.modified])];
  expect(times).toEqual([...new Set(times)].toSorted(inTextOrder));
}

/** The auction record before and after bids; the results of the auction component. */
async function playAuction(play: Play, { path }: PlayedTender, sums: readonly number[]): Promise<void> {
  const { generation, anyone, isStrict } = play;
  const { names } = generation;
  const record = await anyone.get(`${path}/auction`);
  expect(record.status, record.text).toBe(isStrict ? 403 : 200);
  if (isStrict) return;
  if (generation !== EARLIEST) {
    expect(record.body.data.bids ?? []).toMatchObject(sums.map((sum) => generation.auctionBidShown(sum)));
  }
  if (sums.length === 0) return;
  const results = {
    [names.modified]: record.body.data[names.modified],
    bids: sums.map((sum) => generation.auctionBid(sum - 0.5)),
  };
  const reported = await readerOfInterface(generation, 'auction').patch(`${path}/auction`, results);
  expect(reported.status, reported.text).toBe(200);
  expect(reported.body.data.bids).toMatchObject(sums.map((sum) => generation.auctionBidShown(sum - 0.5)));
}

/** The documents of a tender or a bid. The earliest generation lists only POST on those of a bid. */
async function playDocuments({ generation, anyone }: Play, uploader: Broker, path: string, token: string) {
  const headers = { 'x-access-token': token };
  const upload = async (method: string, at: string, content: string) => {
    const file = fileUpload('умови.pdf', 'application/pdf', content);
    return uploader.request(method, at, { ...file, headers: { ...file.headers, ...headers } });
  };
  const isPostOnly = generation === EARLIEST && path.includes('/bidders/');
  if (!isPostOnly) expect((await anyone.get(path)).body).toEqual({ data: [] });
  const posted = await upload('POST', path, '%PDF перша');
  expect(posted.status, posted.text).toBe(201);
  expect(posted.headers.get('location')).toBe(`${gatewayUrl}/api/${generation.segment}${path}/${posted.body.data.id}`);
  if (isPostOnly) return;
  const one = `${path}/${posted.body.data.id}`;
  expect((await anyone.get(path)).body.data).toMatchObject([posted.body.data]);
  expect((await upload('PUT', one, '%PDF друга')).status).toBe(200);
  if (generation.segment !== '0.1') {
    const renamed = await uploader.patch(one, { title: 'нові умови.pdf' }, { headers });
    expect([renamed.status, renamed.body.data.title]).toEqual([200, 'нові умови.pdf']);
  }
}

/** Bids, or bidders in earlier generations. Leaves a bid of 489.25. */
async function playBids(play: Play, tender: PlayedTender): Promise<readonly number[]> {
  const { generation, bidder, anyone, isStrict } = play;
  const { names } = generation;
  const bids = `${tender.path}/${names.bids}`;
  const isPostOnly = generation === EARLIEST;
  if (!isPostOnly) expect((await anyone.get(bids)).body).toEqual({ data: [] });
  const posted = await bidder.post(bids, bidBody(generation, 489.25));
  // On 2.5 bidders have `identifier` and `contactPoint` (rulings R13).
  expect(posted.status, posted.text).toBe(isStrict ? 422 : 201);
  if (isStrict) return [];
  const { data, access } = posted.body;
  expect([data, access]).toEqual([expectedBid(generation, 489.25), generation.access]);
  expect(posted.headers.get('location')).toBe(`${gatewayUrl}/api/${generation.segment}${bids}/${data.id}`);
  await playDocuments(play, bidder, `${bids}/${data.id}/documents`, access.token);
  if (isPostOnly) return [489.25];
  const headers = { 'x-access-token': access.token };
  const changed = await bidder.patch(`${bids}/${data.id}`, { [names.value]: { amount: 480.75 } }, { headers });
  expect([changed.status, changed.body.data[names.value]]).toEqual([200, amountWithVat(480.75)]);
  expect((await anyone.get(`${bids}/${data.id}`)).body).toEqual(changed.body);
  const deleted = await bidder.request('DELETE', `${bids}/${data.id}`, { headers });
  expect([deleted.status, deleted.body.data.id]).toEqual([200, data.id]);
  expect((await bidder.post(bids, bidBody(generation, 489.25))).status).toBe(201);
  return [489.25];
}

async function playAwards({ generation, owner, anyone, isStrict }: Play, { path, token }: PlayedTender): Promise<void> {
  const awards = `${path}/awards`;
  if (generation !== EARLIEST) expect((await anyone.get(awards)).body).toEqual({ data: [] });
  const body = { awardStatus: 'active', suppliers: [PARTY], awardValue: { amount: 488.75, currency: 'UAH' } };
  const posted = await owner.post(awards, body, { headers: { 'x-access-token': token } });
  expect(posted.status, posted.text).toBe(isStrict ? 403 : 201);
  if (isStrict) return;
  const { data } = posted.body;
  expect(data).toMatchObject({ ...body, awardID: hexId, awardDate: serverDate, awardValue: amountWithVat(488.75) });
  expect(posted.headers.get('location')).toBe(`${gatewayUrl}/api/${generation.segment}${awards}/${data.awardID}`);
  if (generation !== EARLIEST) expect((await anyone.get(awards)).body).toEqual({ data: [data] });
}

/** Questions and complaints, which the earlier generations lack. interface.md does not show their fields. */
async function playQuestionsAndComplaints(play: Play, { path, token }: PlayedTender): Promise<void> {
  const { owner, bidder, anyone, generation, isStrict } = play;
  if (generation.segment === '0.1') return;
  const headers = { 'x-access-token': token };
  const content = { author: AUTHOR, title: 'Футляри', description: 'Який розмір?' };
  for (const [collection, reply] of [
    ['questions', { answer: '10 на 10 см' }],
    ['complaints', { status: 'resolved', resolution: 'Виправлено' }],
  ] as const) {
    const posted = await bidder.post(`${path}/${collection}`, content);
    expect(posted.status, posted.text).toBe(201);
    const one = `${path}/${collection}/${posted.body.data.id}`;
    expect(posted.headers.get('location')).toBe(`${gatewayUrl}/api/${generation.segment}${one}`);
    expect((await anyone.get(`${path}/${collection}`)).body.data).toMatchObject([{ title: 'Футляри' }]);
    const replied = await owner.patch(one, reply, { headers });
    // On 2.5 a complaint that was posted without a status is a draft, which only its author changes.
    const isRefused = isStrict && collection === 'complaints';
    expect(replied.status, replied.text).toBe(isRefused ? 403 : 200);
    if (!isRefused) expect((await anyone.get(one)).body.data).toMatchObject(reply);
  }
}

/** Authentication, 1 and 2. */
async function playAuthentication({ anyone, generation }: Play, { path, token }: PlayedTender): Promise<void> {
  const refused = await anyone.patch(`${path}?acc_token=${token}`, { [generation.names.value]: { amount: 1 } });
  expect(refused.status).toBe(401);
}

describe('interface.md from top to bottom (rulings R38, R39)', () => {
  it.each(GENERATIONS)('holds in generation $name, and every address that it gives answers 200', async (generation) => {
    const play: Play = {
      generation,
      owner: readerOfInterface(generation, 'broker1'),
      bidder: readerOfInterface(generation, 'broker2'),
      anyone: readerOfInterface(generation),
      isStrict: generation.segment === '2.5',
    };
    await playDescription(play);
    const tender = await playCreation(play);
    await playChanges(play, tender);
    await playAuction(play, tender, []);
    await playDocuments(play, play.owner, `${tender.path}/documents`, tender.token);
    const sums = await playBids(play, tender);
    await playAuction(play, tender, sums);
    await playAwards(play, tender);
    await playQuestionsAndComplaints(play, tender);
    await playAuthentication(play, tender);
  });
});
