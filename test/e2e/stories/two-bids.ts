import { AUTHOR, LONG_RESOLUTION } from '@procurement/testing/bodies';
import { expect } from 'vitest';
import { newestRecords } from '../../support/auction-room.ts';
import { until, type Broker, type Json } from '../../support/broker.ts';
import { moveToNextCheck, moveClock } from '../../support/sandbox.ts';
import { minimalTender } from '../../support/request-bodies.ts';
import { publish } from '../../support/published-tender.ts';
import { playInRoom, type StoryRoom } from '../../support/play-in-room.ts';
import type { StoryContext } from '../../support/story-context.ts';
import { linksOfBids, ownBid, type OwnBid } from './links-of-bids.ts';
import { makeParticipants, type Participants } from './participants.ts';
import { fileUpload } from '../../support/file-upload.ts';
import { expectSigningCompletesTender } from './sign-contract.ts';
import { TENDERER_X, TENDERER_Y } from './tenderers.ts';
import { untilAuctionsPlanned, untilTender } from './wait-for-tender.ts';

/** Two bids, an auction, a disqualification, a complaint and a signed contract (bids-awards-auction.md 6.1). */
export async function playTwoBids(context: StoryContext): Promise<void> {
  const participants = makeParticipants(context, context.recorder('2.5/two-bids'));
  const { story, buyer, firstBidder, secondBidder, auction, anyone, operator } = participants;
  const { room } = context;
  story.note('Two bids, an auction, a disqualification, a contract. Periods of days last minutes (accelerator=144).');
  const { id, path, tokenQuery } = await publish(
    buyer,
    minimalTender({ procurementMethodDetails: 'quick, accelerator=144' }),
  );
  const bid = (tenderer: unknown, amount: number, more = {}): Json => ({
    tenderers: [tenderer],
    value: { amount },
    ...more,
  });

  expect((await firstBidder.post(`${path}/bids`, bid(TENDERER_X, 469))).status).toBe(403);
  story.note('The enquiry period ends: bids are awaited, and the auction is planned.');
  await moveToNextCheck(operator, id);
  const x = (await firstBidder.post(`${path}/bids`, bid(TENDERER_X, 469))).body;
  const y = (await secondBidder.post(`${path}/bids`, bid(TENDERER_Y, 479, { status: 'draft' }))).body;
  const [tokenQueryX, tokenQueryY] = [`?acc_token=${x.access.token}`, `?acc_token=${y.access.token}`];
  await uploadFile(secondBidder, `${path}/bids/${y.data.id}/documents${tokenQueryY}`, 'пропозиція.pdf');
  const active = await secondBidder.patch(`${path}/bids/${y.data.id}${tokenQueryY}`, { status: 'active' });
  expect([active.body.data.status, active.body.data.date]).toEqual(['active', y.data.date]);
  const above = await firstBidder.patch(`${path}/bids/${x.data.id}${tokenQueryX}`, { value: { amount: 501 } });
  expect([above.status, above.body.errors[0].name]).toEqual([422, 'value']);
  expect((await anyone.get(`${path}/bids`)).status).toBe(403);
  expect((await firstBidder.get(`${path}/bids/${x.data.id}${tokenQueryX}`)).body.data.value.amount).toBe(469);
  await untilAuctionsPlanned(operator, path);

  story.note('The tendering period ends.');
  const closed = await moveToNextCheck(operator, id);
  expect([closed.status, closed.bids, closed.next_check]).toEqual([
    'active.auction',
    undefined,
    closed.auctionPeriod.startDate,
  ]);
  const record = await auction.get(`${path}/auction`);
  expect(record.body.data.bids.map((one: Json) => [one.id, one.value.amount, one.tenderers])).toEqual([
    [x.data.id, 469, undefined],
    [y.data.id, 479, undefined],
  ]);
  const owned = [ownBid(context.broker('broker2'), path, x), ownBid(context.broker('broker3'), path, y)];
  const { auctionUrl, links } =
    room === undefined
      ? await publishAddresses(participants, path, [x, y], owned)
      : await addressesOfRoom(room, participants, { id, path, bids: owned });
  expect((await firstBidder.get(`${path}/bids/${x.data.id}${tokenQueryX}`)).body.data.participationUrl).toBe(links[0]);
  const announced = (await anyone.get(path)).body.data;
  expect([announced.auctionUrl, announced.bids]).toEqual([auctionUrl, undefined]);

  story.note('The auction is held.');
  const results = [
    { id: x.data.id, value: { amount: 390 }, date: x.data.date },
    { id: y.data.id, value: { amount: 400 }, date: y.data.date },
  ];
  const [a1] =
    room === undefined
      ? await reportResults(participants, { id, path }, results)
      : await holdInRoom(room, participants, { id, path, links }, results);
  expect(a1).toMatchObject({ status: 'pending', bid_id: x.data.id, value: { amount: 390 } });
  expect((await anyone.get(`${path}/bids`)).body.data.map((one: Json) => one.value.amount)).toEqual([390, 400]);

  await uploadFile(buyer, `${path}/awards/${a1.id}/documents${tokenQuery}`, 'протокол.pdf');
  await untilDocumentsShown(operator, `${path}/awards/${a1.id}`);
  const lost = await buyer.patch(`${path}/awards/${a1.id}${tokenQuery}`, { status: 'unsuccessful' });
  const a2 = lost.headers.get('location')?.split('/').at(-1);
  const won = await buyer.patch(`${path}/awards/${a2}${tokenQuery}`, { status: 'active' });
  expect([lost.status, won.status]).toEqual([200, 200]);
  await untilTender(operator, path, 'the contract', ({ status }) => status === 'active.awarded');
  const awarded = (await anyone.get(path)).body.data;
  expect(awarded.status).toBe('active.awarded');
  const [contract] = awarded.contracts;
  expect(contract).toMatchObject({ status: 'pending', contractID: `${awarded.tenderID}-1`, value: { amount: 400 } });
  const signing = `${path}/contracts/${contract.id}${tokenQuery}`;
  const early = await buyer.patch(signing, { status: 'active' });
  expect(early.body.errors[0].description).toMatch(/^Can't sign contract before stand-still period end/);

  const claim = await firstBidder.post(`${path}/awards/${a1.id}/complaints${tokenQueryX}`, {
    author: AUTHOR,
    title: 'Безпідставна дискваліфікація',
    status: 'claim',
  });
  expect([claim.status, claim.body.data.complaintID]).toEqual([201, `${awarded.tenderID}.1`]);
  const complaint = `${path}/awards/${a1.id}/complaints/${claim.body.data.id}`;
  const answer = { status: 'answered', resolutionType: 'declined', resolution: LONG_RESOLUTION };
  expect((await buyer.patch(`${complaint}${tokenQuery}`, answer)).body.data.status).toBe('answered');
  story.note('The stand-still ends.');
  await moveClock(operator, id, { advance: 'PT21M' });
  const blocked = await buyer.patch(signing, { status: 'active' });
  expect(blocked.body.errors[0].description).toBe("Can't sign contract before reviewing all complaints");
  const resolved = await firstBidder.patch(`${complaint}?acc_token=${claim.body.access.token}`, {
    status: 'resolved',
    satisfied: true,
  });
  expect(resolved.body.data.status).toBe('resolved');
  const dear = await buyer.patch(signing, { value: { amount: 401 } });
  expect(dear.body.errors[0].description).toBe('Value amount should be less or equal to awarded amount (400.0)');
  expect((await buyer.patch(signing, { value: { amount: 380 }, contractNumber: '7' })).body.data.value.amount).toBe(
    380,
  );
  await uploadFile(buyer, `${path}/contracts/${contract.id}/documents${tokenQuery}`, 'договір.pdf');
  await untilDocumentsShown(operator, `${path}/contracts/${contract.id}`);
  await expectSigningCompletesTender({ buyer, operator, anyone }, { path, tokenQuery }, contract.id);
  const late = await buyer.patch(signing, { title: 'Договір' });
  expect(late.body.errors[0].description).toBe("Can't update contract in current (complete) tender status");
  await story.expectGolden();
}

interface Addresses {
  readonly auctionUrl: string;
  readonly links: readonly string[];
}

/** Publishes the address of the auction and the links of the bids, as an auction component does. */
async function publishAddresses(
  { auction }: Participants,
  path: string,
  bids: readonly Json[],
  owned: readonly OwnBid[],
): Promise<Addresses> {
  const auctionUrl = 'https://auction.example.org/tenders/1';
  const entries = bids.map(({ data }) => ({
    id: data.id,
    participationUrl: `${auctionUrl}/login?bidder_id=${data.id}`,
  }));
  const links = entries.map(({ participationUrl }) => participationUrl);
  expect((await auction.patch(`${path}/auction`, { auctionUrl, bids: entries })).status).toBe(200);
  expect(await linksOfBids(owned)).toEqual(links);
  return { auctionUrl, links };
}

async function addressesOfRoom(
  room: StoryRoom,
  { operator }: Participants,
  { id, path, bids }: { readonly id: string; readonly path: string; readonly bids: readonly OwnBid[] },
): Promise<Addresses> {
  const links = await linksOfBids(bids);
  const auctionUrl = `${room.url}/tenders/${id}`;
  await untilTender(operator, path, 'the address of the auction', (tender) => tender.auctionUrl === auctionUrl);
  return { auctionUrl, links };
}

interface StoryTender {
  readonly id: string;
  readonly path: string;
}

/** Reports the results, with the record of the auction. Answers the awards. */
async function reportResults(
  { operator, auction }: Participants,
  { id, path }: StoryTender,
  results: readonly Json[],
): Promise<readonly Json[]> {
  await moveToNextCheck(operator, id);
  const audit = await uploadFile(auction, `${path}/documents`, 'audit.yaml');
  expect(audit.author).toBe('auction');
  const reported = await auction.post(`${path}/auction`, { bids: results });
  expect([reported.status, reported.body.data.status]).toEqual([200, 'active.qualification']);
  const { awards } = reported.body.data;
  expect(reported.headers.get('location')).toMatch(new RegExp(`${path}/awards/${awards[0].id}$`));
  const named = fileUpload('audit.yaml', 'text/yaml', 'bidders: named');
  expect((await auction.request('PUT', `${path}/documents/${audit.id}`, named)).body.data.id).toBe(audit.id);
  const other = results.map((result) => ({ ...result, value: { amount: 380 } }));
  expect((await auction.post(`${path}/auction`, { bids: other })).status).toBe(403);
  expect((await auction.post(`${path}/auction`, { bids: results })).status).toBe(200);
  return awards;
}

/** The room holds the auction, and nobody reports others after it. Answers the awards. */
async function holdInRoom(
  room: StoryRoom,
  { operator, auction }: Participants,
  { id, path, links }: StoryTender & Pick<Addresses, 'links'>,
  results: readonly Json[],
): Promise<readonly Json[]> {
  const bidders = links.map((link, n) => ({ link, amount: results[n].value.amount }));
  await playInRoom(room, [{ id, bidders }]);
  const tender = await untilTender(
    operator,
    path,
    'the awards and the record of the auction',
    (shown) => shown.status === 'active.qualification' && newestRecords(shown).length === 1,
  );
  expect(newestRecords(tender)).toMatchObject([{ title: `audit_${id}.yaml`, author: 'auction' }]);
  const other = results.map((result) => ({ ...result, value: { amount: 380 } }));
  expect((await auction.post(`${path}/auction`, { bids: other })).status).toBe(403);
  return tender.awards;
}

const CONTENT_TYPES = { pdf: 'application/pdf', yaml: 'text/yaml' } as const;

/** An upload is answered when the tender shows it; the service of its parent may apply the event a moment later. */
async function untilDocumentsShown(operator: Broker, path: string): Promise<void> {
  await until('the file', async () => (await operator.get(path)).body.data.documents !== undefined);
}

async function uploadFile(
  client: Broker,
  path: string,
  name: `${string}.${keyof typeof CONTENT_TYPES}`,
): Promise<Json> {
  const format = name.endsWith('pdf') ? CONTENT_TYPES.pdf : CONTENT_TYPES.yaml;
  const answer = await client.request('POST', path, fileUpload(name, format, `Зміст: ${name}`));
  expect([answer.status, answer.body.data.title]).toEqual([201, name]);
  return answer.body.data;
}
