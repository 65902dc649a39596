import { AUTHOR, LONG_RESOLUTION } from '@procurement/testing/bodies';
import { expect } from 'vitest';
import { newestRecords } from '../../support/auction-room.ts';
import { until, type Json } from '../../support/broker.ts';
import { moveToNextCheck, moveClock } from '../../support/sandbox.ts';
import { playInRoom, type StoryRoom } from '../../support/play-in-room.ts';
import type { PublishedTender } from '../../support/published-tender.ts';
import type { StoryContext } from '../../support/story-context.ts';
import { linksOfBids, ownBid, type OwnBid } from './links-of-bids.ts';
import { makeParticipants, type Participants } from './participants.ts';
import { LOT_IDS, postBid, publishTenderWithLots, resultsOfLot } from './lots.ts';
import { TENDERER_X, TENDERER_Y } from './tenderers.ts';
import { untilAuctionsPlanned, untilTender } from './wait-for-tender.ts';

/** Two lots, each with its auction, award, complaint and contract (bids-awards-auction.md 6.2). */
export async function playTwoLots(context: StoryContext): Promise<void> {
  const participants = makeParticipants(context, context.recorder('2.5/two-lots'));
  const { buyer, story } = participants;
  story.note('Two lots, each auctioned, awarded and signed by itself. Periods of days last minutes (accelerator=144).');
  const tender = await publishTenderWithLots(buyer);
  const [x, y] = await submitBids(participants, tender);
  const owned = [ownBid(context.broker('broker2'), tender.path, x), ownBid(context.broker('broker3'), tender.path, y)];
  await enterAuction(participants, tender);
  const { room } = context;
  if (room === undefined) await publishAuctionUrls(participants, tender, x);
  const awards =
    room === undefined ? await holdAuctions(participants, tender) : await holdInRoom(room, participants, tender, owned);
  const contracts = await awardLots(participants, tender, awards);
  await signContracts(participants, tender, { x, a1: awards[0], contracts });
  await story.expectGolden();
}

/** Two bids, each for both lots. Answers them with their tokens. */
async function submitBids(
  { story, firstBidder, secondBidder, operator }: Participants,
  { id, path }: PublishedTender,
): Promise<readonly [Json, Json]> {
  story.note('The enquiry period ends.');
  await moveToNextCheck(operator, id);
  const whole = await firstBidder.post(`${path}/bids`, { tenderers: [TENDERER_X], value: { amount: 5 } });
  expect(whole.body.errors.map((error: Json) => error.name)).toEqual(['value', 'lotValues']);
  const ofLots = (...amounts: readonly number[]): Json =>
    amounts.map((amount, n) => ({ relatedLot: LOT_IDS[n], value: { amount } }));
  const x = await postBid(firstBidder, path, { tenderers: [TENDERER_X], lotValues: ofLots(480, 470) });
  const y = await postBid(secondBidder, path, { tenderers: [TENDERER_Y], lotValues: ofLots(490, 460) });
  return [x, y];
}

async function enterAuction({ story, operator }: Participants, { id, path }: PublishedTender): Promise<void> {
  story.note('The tendering period ends.');
  await untilAuctionsPlanned(operator, path);
  expect((await moveToNextCheck(operator, id)).status).toBe('active.auction');
}

/** Reads the auction of each lot and publishes its addresses. */
async function publishAuctionUrls(participants: Participants, { path }: PublishedTender, x: Json): Promise<void> {
  const { firstBidder, auction, firstBidderUnrecorded } = participants;
  const { bids } = (await auction.get(`${path}/auction`)).body.data;
  const auctionUrl = 'https://auction.example.org/tenders/1';
  const wrong = await auction.patch(`${path}/auction`, { auctionUrl });
  expect([wrong.status, wrong.body.errors[0].name]).toEqual([422, 'auctionUrl']);
  const formatLink = (lot: number, bid: string): string => `${auctionUrl}_${lot + 1}/login?bidder_id=${bid}`;
  for (const lot of LOT_IDS.keys()) {
    const published = await auction.patch(`${path}/auction/${LOT_IDS[lot]}`, {
      lots: LOT_IDS.map((_, n) => (n === lot ? { auctionUrl: `${auctionUrl}_${lot + 1}` } : {})),
      bids: bids.map((bid: Json) => ({
        lotValues: LOT_IDS.map((_, n) => (n === lot ? { participationUrl: formatLink(lot, bid.id) } : {})),
      })),
    });
    expect(published.status).toBe(200);
  }
  const own = `${path}/bids/${x.data.id}?acc_token=${x.access.token}`;
  const links = LOT_IDS.map((_, lot) => formatLink(lot, x.data.id));
  const linksIn = ({ body }: Json): Json => body.data.lotValues.map((one: Json) => one.participationUrl);
  await until('the links of the bidder', async () => {
    const shown = linksIn(await firstBidderUnrecorded.get(own));
    return links.every((link, n) => shown[n] === link);
  });
  expect(linksIn(await firstBidder.get(own))).toEqual(links);
}

/** Reports the results of each lot; after the first no bid is opened. Answers the awards. */
async function holdAuctions({ story, auction, anyone }: Participants, { path }: PublishedTender): Promise<Json> {
  // The clock stays before both auctions: their order depends on the plan of the day.
  story.note('The auction of the first lot is held.');
  const one = await auction.post(`${path}/auction/${LOT_IDS[0]}`, resultsOfLot(0, 400, 410));
  expect([one.status, one.body.data.status, one.body.data.bids]).toEqual([200, 'active.auction', undefined]);
  expect(one.body.data.lots[0].auctionPeriod.endDate).toBeDefined();
  expect((await anyone.get(`${path}/bids`)).status).toBe(403);
  story.note('The auction of the second lot is held.');
  const both = await auction.post(`${path}/auction/${LOT_IDS[1]}`, resultsOfLot(1, 420, 380));
  expect([both.status, both.body.data.status]).toEqual([200, 'active.qualification']);
  const { awards } = both.body.data;
  expectAwards(awards);
  return awards;
}

function expectAwards(awards: Json): void {
  expect(awards.map((award: Json) => [award.lotID, award.value.amount])).toEqual([
    [LOT_IDS[0], 400],
    [LOT_IDS[1], 380],
  ]);
}

/** What the bidders offer for each lot: the results of `holdAuctions`. */
const OFFERS = [
  [400, 410],
  [420, 380],
] as const;

/** The room holds both auctions. Answers the awards. */
async function holdInRoom(
  room: StoryRoom,
  { operator }: Participants,
  { id, path }: PublishedTender,
  bids: readonly OwnBid[],
): Promise<Json> {
  const auctions = OFFERS.map(async (amounts, lot) => {
    const links = await linksOfBids(bids, lot);
    return { id: `${id}_${LOT_IDS[lot]}`, bidders: links.map((link, n) => ({ link, amount: amounts[n] })) };
  });
  await playInRoom(room, await Promise.all(auctions));
  const tender = await untilTender(
    operator,
    path,
    'the awards and the records of both auctions',
    (shown) => shown.status === 'active.qualification' && newestRecords(shown).length === 2,
  );
  expectAwards(tender.awards);
  const subjects = newestRecords(tender).map((one) => `${one.documentOf} ${one.relatedItem}`);
  expect(subjects.toSorted()).toEqual(LOT_IDS.map((lot) => `lot ${lot}`));
  return tender.awards;
}

/** Disqualifies the first bid of the first lot. Answers the contracts of both lots. */
async function awardLots(
  participants: Participants,
  { path, tokenQuery }: PublishedTender,
  [a1, a2]: Json,
): Promise<Json> {
  const { buyer, anyone, operator } = participants;
  const lost = await buyer.patch(`${path}/awards/${a1.id}${tokenQuery}`, { status: 'unsuccessful' });
  const a3 = lost.headers.get('location')?.split('/').at(-1);
  await buyer.patch(`${path}/awards/${a3}${tokenQuery}`, { status: 'active' });
  await untilTender(operator, path, 'the first contract', ({ contracts }) => contracts?.length === 1);
  expect((await anyone.get(path)).body.data.status).toBe('active.qualification');
  await buyer.patch(`${path}/awards/${a2.id}${tokenQuery}`, { status: 'active' });
  await untilTender(operator, path, 'the second contract', ({ status }) => status === 'active.awarded');
  const { status, tenderID, contracts } = (await anyone.get(path)).body.data;
  expect(status).toBe('active.awarded');
  expect(contracts.map((one: Json) => [one.awardID, one.contractID, one.items.length, one.value.amount])).toEqual([
    [a3, `${tenderID}-1`, 1, 410],
    [a2.id, `${tenderID}-2`, 1, 380],
  ]);
  return contracts;
}

/** A complaint about the first lot blocks its contract and not that of the second. */
async function signContracts(
  { story, buyer, firstBidder, anyone, operator }: Participants,
  { id, path, tokenQuery }: PublishedTender,
  { x, a1, contracts: [c1, c2] }: Json,
): Promise<void> {
  const claim = await firstBidder.post(`${path}/awards/${a1.id}/complaints?acc_token=${x.access.token}`, {
    author: AUTHOR,
    title: 'Безпідставна дискваліфікація',
    status: 'claim',
  });
  expect([claim.status, claim.body.data.relatedLot]).toEqual([201, LOT_IDS[0]]);
  const complaint = `${path}/awards/${a1.id}/complaints/${claim.body.data.id}`;
  await buyer.patch(`${complaint}${tokenQuery}`, {
    status: 'answered',
    resolutionType: 'declined',
    resolution: LONG_RESOLUTION,
  });
  story.note('The stand-still of both lots ends.');
  await moveClock(operator, id, { advance: 'PT21M' });
  const sign = async (contract: Json) =>
    buyer.patch(`${path}/contracts/${contract.id}${tokenQuery}`, { status: 'active' });
  expect((await sign(c2)).status).toBe(200);
  await untilTender(operator, path, 'the second lot to be complete', ({ lots }) => lots[1].status === 'complete');
  const half = (await anyone.get(path)).body.data;
  expect([half.status, half.lots.map((lot: Json) => lot.status)]).toEqual(['active.awarded', ['active', 'complete']]);
  const blocked = await sign(c1);
  expect(blocked.body.errors[0].description).toBe("Can't sign contract before reviewing all complaints");
  const resolution = { status: 'resolved', satisfied: true };
  expect((await firstBidder.patch(`${complaint}?acc_token=${claim.body.access.token}`, resolution)).status).toBe(200);
  expect((await sign(c1)).status).toBe(200);
  await untilTender(operator, path, 'the end', ({ status }) => status === 'complete');
  const done = (await anyone.get(path)).body.data;
  expect([done.status, done.lots.map((lot: Json) => lot.status)]).toEqual(['complete', ['complete', 'complete']]);
}
