import { expect } from 'vitest';
import { until, type Json } from '../support/broker.ts';
import { toNextCheck, moveClock } from '../support/sandbox.ts';
import { AUTHOR, TENDERER } from '../support/tender-file.ts';
import { bidForLots, LOTS, publishLotted, resultsOfLot } from './lots.ts';
import type { World } from '../support/world.ts';

const LONG = 'Вимога відповідає стандарту ДСТУ';

/** Two lots, each auctioned, awarded, complained of and signed by itself (bids-awards-auction.md 6.2). */
export async function playTwoLots(world: World): Promise<void> {
  const buyer = world.broker('broker1');
  const [first, second] = [world.broker('broker2'), world.broker('broker3')];
  const auction = world.broker('auction');
  const anyone = world.broker(undefined);

  const { id, path, owned } = await publishLotted(buyer);
  await toNextCheck(buyer, id);
  const whole = await first.post(`${path}/bids`, { tenderers: [TENDERER], value: { amount: 5 } });
  expect(whole.body.errors.map((error: Json) => error.name)).toEqual(['value', 'lotValues']);
  const x = await bidForLots(first, path, 480, 470);
  await bidForLots(second, path, 490, 460);
  await until('two places in the plan', async () => {
    const { lots } = (await anyone.get(path)).body.data;
    return lots.every((lot: Json) => lot.auctionPeriod?.startDate !== undefined);
  });
  expect((await toNextCheck(buyer, id)).status).toBe('active.auction');
  const auctionUrl = 'https://auction.example.org/1';
  const wrong = await auction.patch(`${path}/auction`, { auctionUrl });
  expect([wrong.status, wrong.body.errors[0].name]).toEqual([422, 'auctionUrl']);
  const lots = LOTS.map((_, n) => (n === 0 ? { auctionUrl } : {}));
  expect((await auction.patch(`${path}/auction/${LOTS[0]}`, { lots, bids: [{}, {}] })).status).toBe(200);

  const one = await auction.post(`${path}/auction/${LOTS[0]}`, resultsOfLot(0, 400, 410));
  expect([one.status, one.body.data.status, one.body.data.bids]).toEqual([200, 'active.auction', undefined]);
  expect(one.body.data.lots[0].auctionPeriod.endDate).toBeDefined();
  expect((await anyone.get(`${path}/bids`)).status).toBe(403);
  const both = await auction.post(`${path}/auction/${LOTS[1]}`, resultsOfLot(1, 420, 380));
  expect([both.status, both.body.data.status]).toEqual([200, 'active.qualification']);
  const [a1, a2] = both.body.data.awards;
  expect([a1.lotID, a1.value.amount, a2.lotID, a2.value.amount]).toEqual([LOTS[0], 400, LOTS[1], 380]);

  const lost = await buyer.patch(`${path}/awards/${a1.id}${owned}`, { status: 'unsuccessful' });
  const a3 = lost.headers.get('location')?.split('/').at(-1);
  await buyer.patch(`${path}/awards/${a3}${owned}`, { status: 'active' });
  expect((await anyone.get(path)).body.data.status).toBe('active.qualification');
  await buyer.patch(`${path}/awards/${a2.id}${owned}`, { status: 'active' });
  const awarded = (await anyone.get(path)).body.data;
  expect([awarded.status, awarded.contracts.length]).toEqual(['active.awarded', 2]);
  const contractOf = (award: string | undefined): string =>
    `${path}/contracts/${awarded.contracts.find((one_: Json) => one_.awardID === award).id}${owned}`;

  const token = `?acc_token=${x.access.token}`;
  const claim = await first.post(`${path}/awards/${a1.id}/complaints${token}`, {
    author: AUTHOR,
    title: 'x',
    status: 'claim',
  });
  expect([claim.status, claim.body.data.relatedLot]).toEqual([201, LOTS[0]]);
  const complaint = `${path}/awards/${a1.id}/complaints/${claim.body.data.id}`;
  await buyer.patch(`${complaint}${owned}`, { status: 'answered', resolutionType: 'declined', resolution: LONG });
  await moveClock(buyer, id, { advance: 'PT2M10S' });
  expect((await buyer.patch(contractOf(a2.id), { status: 'active' })).status).toBe(200);
  const half = (await anyone.get(path)).body.data;
  expect([half.status, half.lots.map((lot: Json) => lot.status)]).toEqual(['active.awarded', ['active', 'complete']]);
  const blocked = await buyer.patch(contractOf(a3), { status: 'active' });
  expect(blocked.body.errors[0].description).toBe("Can't sign contract before reviewing all complaints");
  const resolution = { status: 'resolved', satisfied: true };
  expect((await first.patch(`${complaint}?acc_token=${claim.body.access.token}`, resolution)).status).toBe(200);
  expect((await buyer.patch(contractOf(a3), { status: 'active' })).status).toBe(200);
  const done = (await anyone.get(path)).body.data;
  expect([done.status, done.lots.map((lot: Json) => lot.status)]).toEqual(['complete', ['complete', 'complete']]);
}
