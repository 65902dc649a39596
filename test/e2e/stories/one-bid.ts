import { expect } from 'vitest';
import { expectNoAuction } from '../../support/play-in-room.ts';
import { moveToNextCheck, moveClock } from '../../support/sandbox.ts';
import { minimalTender } from '../../support/request-bodies.ts';
import { publish } from '../../support/published-tender.ts';
import { expectSigningCompletesTender } from './sign-contract.ts';
import { TENDERER_X } from './tenderers.ts';
import { untilAuctionsPlanned, untilTender } from './wait-for-tender.ts';
import type { StoryContext } from '../../support/story-context.ts';

/** One bid, no auction, a contract that completes the tender (bids-awards-auction.md 6.3). */
export async function playOneBid(context: StoryContext): Promise<void> {
  const story = context.recorder('2.5/one-bid');
  const buyer = story.recordAs('buyer', context.broker('broker1'));
  const seller = story.recordAs('bidder', context.broker('broker2'));
  const auction = story.recordAs('auction', context.broker('auction'));
  const anyone = story.recordAs('anyone', context.broker(undefined));
  // Not recorded: the times of the planner and the clock differ from run to run.
  const operator = context.broker('broker1');

  story.note('One bid: no auction, and its award is decided at once. Periods of days last minutes (accelerator=144).');
  const { id, path, tokenQuery } = await publish(
    buyer,
    minimalTender({ procurementMethodDetails: 'quick, accelerator=144' }),
  );
  story.note('The enquiry period ends.');
  await moveToNextCheck(operator, id);
  const bid = await seller.post(`${path}/bids`, { tenderers: [TENDERER_X], value: { amount: 469 } });
  expect(bid.status).toBe(201);

  story.note('The tendering period ends.');
  await untilAuctionsPlanned(operator, path);
  await moveToNextCheck(operator, id);
  const qualification = (await anyone.get(path)).body.data;
  expect(qualification).toMatchObject({ status: 'active.qualification', numberOfBids: 1 });
  expect(qualification.bids[0]).toMatchObject({ id: bid.body.data.id, value: { amount: 469 } });
  const [award] = qualification.awards;
  expect(award).toMatchObject({ status: 'pending', bid_id: bid.body.data.id, value: { amount: 469 } });
  expect(qualification.auctionPeriod?.startDate).toBeUndefined();
  const late = await auction.get(`${path}/auction`);
  expect([late.status, late.body.errors[0].description]).toEqual([
    403,
    "Can't get auction info in current (active.qualification) tender status",
  ]);

  const decided = await buyer.patch(`${path}/awards/${award.id}${tokenQuery}`, { status: 'active' });
  expect([decided.status, decided.body.data.status]).toEqual([200, 'active']);
  await untilTender(operator, path, 'the contract', ({ status }) => status === 'active.awarded');
  const awarded = (await anyone.get(path)).body.data;
  expect(awarded).toMatchObject({ status: 'active.awarded', contracts: [{ status: 'pending', awardID: award.id }] });
  const [contract] = awarded.contracts;
  const early = await buyer.patch(`${path}/contracts/${contract.id}${tokenQuery}`, { status: 'active' });
  expect(early.body.errors[0].description).toBe(
    `Can't sign contract before stand-still period end (${decided.body.data.complaintPeriod.endDate})`,
  );

  story.note('The stand-still ends.');
  await moveClock(operator, id, { advance: 'PT21M' });
  await expectSigningCompletesTender({ buyer, operator, anyone }, { path, tokenQuery }, contract.id);
  if (context.room !== undefined) await expectNoAuction(context.room, id);
  await story.expectGolden();
}
