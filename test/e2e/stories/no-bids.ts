import { expect } from 'vitest';
import { until, type Json } from '../../support/broker.ts';
import { expectNoAuction } from '../../support/play-in-room.ts';
import { moveToNextCheck } from '../../support/sandbox.ts';
import { minimalTender } from '../../support/request-bodies.ts';
import { publish } from '../../support/published-tender.ts';
import { TENDERER_X } from './tenderers.ts';
import { untilAuctionsPlanned } from './wait-for-tender.ts';
import type { StoryContext } from '../../support/story-context.ts';

/** A tender without bids (bids-awards-auction.md 6.4). */
export async function playNoBids(context: StoryContext): Promise<void> {
  const story = context.recorder('2.5/no-bids');
  const buyer = story.recordAs('buyer', context.broker('broker1'));
  const seller = story.recordAs('late bidder', context.broker('broker2'));
  const anyone = story.recordAs('anyone', context.broker(undefined));
  // Not recorded: the times of the planner and the clock differ from run to run.
  const operator = context.broker('broker1');

  story.note('Nobody bids.');
  const { id, path, tokenQuery, data } = await publish(buyer, minimalTender());
  expect(data.next_check).toBe(data.tenderPeriod.startDate);

  story.note('The enquiry period ends: bids are awaited, and an auction is planned.');
  await moveToNextCheck(operator, id);
  await untilAuctionsPlanned(operator, path);
  const tendering = (await anyone.get(path)).body.data;
  expect([tendering.status, tendering.next_check]).toEqual(['active.tendering', tendering.tenderPeriod.endDate]);
  expect(tendering.auctionPeriod.shouldStartAfter).toBeDefined();

  story.note('The tendering period ends, without a bid.');
  await moveToNextCheck(operator, id);
  const over = (await anyone.get(path)).body.data;
  expect([over.status, over.next_check, over.awards]).toEqual(['unsuccessful', undefined, undefined]);
  expect((await anyone.get(`${path}/bids`)).body).toEqual({ data: [] });
  const bid = await seller.post(`${path}/bids`, { tenderers: [TENDERER_X], value: { amount: 469 } });
  expect(errorDescription(bid)).toBe("Can't add bid in current (unsuccessful) tender status");
  const late = await context.broker('broker2').post(`${path}/cancellations${tokenQuery}`, { reason: 'Чужий тендер' });
  expect(late.status).toBe(403);
  const refused = await buyer.post(`${path}/cancellations${tokenQuery}`, { reason: 'Потреба відпала' });
  expect(errorDescription(refused)).toBe("Can't add cancellation in current (unsuccessful) tender status");
  await until('the end to be in the feed', async () => {
    const page = await operator.get('/tenders?mode=_all_&descending=1&opt_fields=status');
    return page.body.data.find((row: Json) => row.id === id)?.status === 'unsuccessful';
  });
  if (context.room !== undefined) await expectNoAuction(context.room, id);
  await story.expectGolden();
}

function errorDescription({ body }: { readonly body: Json }): unknown {
  return body.errors[0].description;
}
