import { expect } from 'vitest';
import { until, type Json } from '../support/broker.ts';
import { toNextCheck } from '../support/sandbox.ts';
import { plainTender } from '../support/tender.ts';
import type { World } from '../support/world.ts';

/** Nobody bids (bids-awards-auction.md 6.4). */
export async function playNoBids(world: World): Promise<void> {
  const buyer = world.broker('broker1');
  const seller = world.broker('broker2');
  const anyone = world.broker(undefined);

  const created = await buyer.post('/tenders', plainTender());
  expect(created.status).toBe(201);
  const { id } = created.body.data;
  const token = created.body.access.token;
  expect(created.body.data.next_check).toBe(created.body.data.tenderPeriod.startDate);

  const tendering = await toNextCheck(buyer, id);
  expect([tendering.status, tendering.next_check]).toEqual(['active.tendering', tendering.tenderPeriod.endDate]);
  expect(tendering.auctionPeriod.shouldStartAfter).toBeDefined();

  const over = await toNextCheck(buyer, id);
  expect(over.status).toBe('unsuccessful');
  expect(over.next_check).toBeUndefined();

  expect((await anyone.get(`/tenders/${id}/bids`)).body).toEqual({ data: [] });
  const late = await seller.post(`/tenders/${id}/cancellations?acc_token=${token}`, { reason: 'x' });
  expect(late.status).toBe(403);
  const refused = await buyer.post(`/tenders/${id}/cancellations?acc_token=${token}`, { reason: 'x' });
  expect(refused.body.errors[0].description).toBe("Can't add cancellation in current (unsuccessful) tender status");
  await until('the end to be in the feed', async () => {
    const page = await anyone.get('/tenders?mode=_all_&descending=1&opt_fields=status');
    return page.body.data.find((row: Json) => row.id === id)?.status === 'unsuccessful';
  });
}
