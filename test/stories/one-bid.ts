import { expect } from 'vitest';
import { toNextCheck, moveClock } from '../support/sandbox.ts';
import { plainTender } from '../support/tender.ts';
import { publish, TENDERER } from '../support/tender-file.ts';
import type { World } from '../support/world.ts';

/** One bid, no auction, a contract that completes the tender (bids-awards-auction.md 6.3). */
export async function playOneBid(world: World): Promise<void> {
  const buyer = world.broker('broker1');
  const seller = world.broker('broker2');
  const anyone = world.broker(undefined);

  const { id, path, owned } = await publish(
    buyer,
    plainTender({ procurementMethodDetails: 'quick, accelerator=1440' }),
  );
  await toNextCheck(buyer, id);
  const bid = await seller.post(`${path}/bids`, { tenderers: [TENDERER], value: { amount: 469 } });
  expect(bid.status).toBe(201);
  const qualification = await toNextCheck(buyer, id);
  expect(qualification).toMatchObject({ status: 'active.qualification', numberOfBids: 1 });
  expect(qualification.bids[0]).toMatchObject({ id: bid.body.data.id, value: { amount: 469 } });
  const [award] = qualification.awards;
  expect(award).toMatchObject({ status: 'pending', bid_id: bid.body.data.id, value: { amount: 469 } });
  expect(qualification.auctionPeriod?.startDate).toBeUndefined();
  const late = await world.broker('auction').get(`${path}/auction`);
  expect([late.status, late.body.errors[0].description]).toEqual([
    403,
    "Can't get auction info in current (active.qualification) tender status",
  ]);

  const decided = await buyer.patch(`${path}/awards/${award.id}${owned}`, { status: 'active' });
  expect([decided.status, decided.body.data.status]).toEqual([200, 'active']);
  const awarded = (await anyone.get(path)).body.data;
  expect(awarded).toMatchObject({ status: 'active.awarded', contracts: [{ status: 'pending', awardID: award.id }] });
  const [contract] = awarded.contracts;
  const early = await buyer.patch(`${path}/contracts/${contract.id}${owned}`, { status: 'active' });
  expect(early.body.errors[0].description).toMatch(/^Can't sign contract before stand-still period end/);
  await moveClock(buyer, id, { advance: 'PT3M' });
  const signed = await buyer.patch(`${path}/contracts/${contract.id}${owned}`, { status: 'active' });
  expect([signed.status, signed.body.data.status]).toEqual([200, 'active']);
  expect((await anyone.get(path)).body.data.status).toBe('complete');
}
