import { expect } from 'vitest';
import { toNextCheck } from '../support/sandbox.ts';
import { plainTender } from '../support/tender.ts';
import { publish, TENDERER } from '../support/tender-file.ts';
import type { World } from '../support/world.ts';

/** A cancellation in the middle of the auction: the bids are erased, and nothing is accepted after it (bids-awards-auction.md 6.5). */
export async function playAuctionCancelled(world: World): Promise<void> {
  const buyer = world.broker('broker1');
  const seller = world.broker('broker2');
  const auction = world.broker('auction');
  const anyone = world.broker(undefined);

  const { id, path, owned } = await publish(buyer, plainTender());
  await toNextCheck(buyer, id);
  const bids = [];
  for (const amount of [400, 410]) {
    bids.push((await seller.post(`${path}/bids`, { tenderers: [TENDERER], value: { amount } })).body);
  }
  await toNextCheck(buyer, id);
  const waiting = await buyer.post(`${path}/cancellations${owned}`, { reason: 'Потреба відпала' });
  expect((await auction.get(`${path}/auction`)).status).toBe(200);
  const active = await buyer.patch(`${path}/cancellations/${waiting.body.data.id}${owned}`, { status: 'active' });
  expect(active.status).toBe(200);
  expect((await anyone.get(path)).body.data.status).toBe('cancelled');
  const texts = [
    (await auction.get(`${path}/auction`)).body.errors[0].description,
    (await auction.post(`${path}/auction`, { bids: [{}, {}] })).body.errors[0].description,
  ];
  expect(texts).toEqual([
    "Can't get auction info in current (cancelled) tender status",
    "Can't report auction results in current (cancelled) tender status",
  ]);
  const [x] = bids;
  const mine = await seller.get(`${path}/bids/${x.data.id}?acc_token=${x.access.token}`);
  expect([mine.status, mine.body.errors[0].name]).toEqual([404, 'bid_id']);
  expect((await anyone.get(`${path}/bids`)).body).toEqual({ data: [] });
}
