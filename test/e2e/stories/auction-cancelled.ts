import { expect } from 'vitest';
import { enterRoom, roomState, toNextStage } from '../../support/auction-room.ts';
import { until, type Json } from '../../support/broker.ts';
import { moveToNextCheck } from '../../support/sandbox.ts';
import { minimalTender } from '../../support/request-bodies.ts';
import { publish } from '../../support/published-tender.ts';
import { linksOfBids, ownBid } from './links-of-bids.ts';
import { makeParticipants } from './participants.ts';
import { fileUpload } from '../../support/file-upload.ts';
import { TENDERER_X, TENDERER_Y } from './tenderers.ts';
import { untilAuctionsPlanned, untilTender } from './wait-for-tender.ts';
import type { StoryContext } from '../../support/story-context.ts';

/** A cancellation in the middle of the auction: the bids are erased, and nothing is accepted after it (bids-awards-auction.md 6.5). */
export async function playAuctionCancelled(context: StoryContext): Promise<void> {
  const { story, buyer, firstBidder, secondBidder, auction, anyone, operator } = makeParticipants(
    context,
    context.recorder('2.5/auction-cancelled'),
  );

  story.note('A cancellation in the middle of the auction.');
  const { id, path, tokenQuery } = await publish(buyer, minimalTender());
  story.note('The enquiry period ends.');
  await moveToNextCheck(operator, id);
  const x = (await firstBidder.post(`${path}/bids`, { tenderers: [TENDERER_X], value: { amount: 400 } })).body;
  const y = (await secondBidder.post(`${path}/bids`, { tenderers: [TENDERER_Y], value: { amount: 410 } })).body;
  story.note('The tendering period ends; then the auction begins.');
  await untilAuctionsPlanned(operator, path);
  await moveToNextCheck(operator, id);
  const { room } = context;
  if (room === undefined) await moveToNextCheck(operator, id);
  else await offerInFirstTurn(room.url, id, await linksOfBids([ownBid(context.broker('broker3'), path, y)]));
  expect((await auction.get(`${path}/auction`)).status).toBe(200);

  const waiting = await buyer.post(`${path}/cancellations${tokenQuery}`, { reason: 'Потреба відпала' });
  expect([waiting.status, waiting.body.data.status]).toEqual([201, 'pending']);
  const cancellation = `${path}/cancellations/${waiting.body.data.id}`;
  const why = fileUpload('decision.pdf', 'application/pdf', '%PDF-1.4 Рішення про скасування');
  expect((await buyer.request('POST', `${cancellation}/documents${tokenQuery}`, why)).status).toBe(201);
  await untilTender(operator, path, 'the file', ({ cancellations }) => cancellations[0].documents !== undefined);
  const active = await buyer.patch(`${cancellation}${tokenQuery}`, { status: 'active' });
  expect([active.status, active.body.data.status]).toEqual([200, 'active']);
  await untilTender(operator, path, 'nothing of the bids', ({ numberOfBids }) => numberOfBids === 0);
  expect((await anyone.get(path)).body.data.status).toBe('cancelled');

  if (room !== undefined) {
    await until('the end of the auction', async () => (await roomState(room.url, id)).current_stage === -100);
    expect((await roomState(room.url, id)).results.map((line: Json) => line.amount)).toEqual([410, 400]);
  }

  const audit = fileUpload('audit.yaml', 'text/yaml', `id: ${id}`);
  const texts = [
    (await auction.get(`${path}/auction`)).body.errors[0].description,
    (await auction.post(`${path}/auction`, { bids: [{}, {}] })).body.errors[0].description,
    (await auction.request('POST', `${path}/documents`, audit)).body.errors[0].description,
  ];
  expect(texts).toEqual([
    "Can't get auction info in current (cancelled) tender status",
    "Can't report auction results in current (cancelled) tender status",
    "Can't add document in current (cancelled) tender status",
  ]);
  const mine = await firstBidder.get(`${path}/bids/${x.data.id}?acc_token=${x.access.token}`);
  expect([mine.status, mine.body.errors[0].name]).toEqual([404, 'bid_id']);
  expect((await anyone.get(`${path}/bids`)).body).toEqual({ data: [] });
  await story.expectGolden();
}

/** The worst bid has the first turn. Its offer counts when the turn ends, so never. */
async function offerInFirstTurn(roomUrl: string, id: string, [link = '']: readonly string[]): Promise<void> {
  const bidder = await enterRoom(link);
  await toNextStage(roomUrl, id);
  await toNextStage(roomUrl, id);
  const { status } = await bidder.offer(300);
  expect(status).toBe(200);
}
