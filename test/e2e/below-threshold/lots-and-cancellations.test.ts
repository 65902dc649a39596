import { describe, expect, inject, it } from 'vitest';
import { patientBroker, until, type Json } from '../../support/broker.ts';
import { recorder } from '../../support/recorder.ts';
import { moveToNextCheck } from '../../support/sandbox.ts';
import { publish, TENDERER } from '../../support/published-tender.ts';
import { minimalTender } from '../../support/request-bodies.ts';
import { untilTender } from '../stories/wait-for-tender.ts';

const url = inject('gatewayUrl');
const LOT_BODY = { title: 'Лот', value: { amount: 500 }, minimalStep: { amount: 35 } };

describe('lots and cancellations (tenders.md 6.3, 14)', () => {
  it('adds lots, items and bids, plans auctions, and cancels one lot before and one in its auction', async () => {
    const story = recorder('2.5/lots-and-cancellations');
    const buyer = story.recordAs('buyer', patientBroker(url, 'broker1', '2.5'));
    const sellers = [patientBroker(url, 'broker2', '2.5'), patientBroker(url, 'broker3', '2.5')] as const;
    const anyone = patientBroker(url, undefined, '2.5');
    // Not recorded: the time of the planner differs from run to run.
    const operator = patientBroker(url, 'broker1', '2.5');
    const { id, path, tokenQuery } = await publish(buyer, minimalTender({ items: threeItems() }));

    const lots: string[] = [];
    for (let n = 0; n < 3; n += 1) lots.push((await buyer.post(`${path}/lots${tokenQuery}`, LOT_BODY)).body.data.id);
    const filled = await buyer.patch(`${path}${tokenQuery}`, { items: lots.map((relatedLot) => ({ relatedLot })) });
    expect(filled.body.data.value.amount).toBe(1_500);
    const used = await buyer.request('DELETE', `${path}/lots/${lots[0]}${tokenQuery}`);
    expect([used.status, used.body.errors[0].name]).toEqual([422, 'items']);
    expect((await buyer.patch(`${path}/lots/${lots[0]}${tokenQuery}`, { value: { amount: 600 } })).status).toBe(200);

    const ofLot = (relatedLot: string | undefined) => ({
      reason: 'Лот втратив актуальність',
      status: 'active',
      cancellationOf: 'lot',
      relatedLot,
    });
    expect((await buyer.post(`${path}/cancellations${tokenQuery}`, ofLot(lots[2]))).status).toBe(201);

    const tendering = await moveToNextCheck(operator, id);
    expect(tendering.lots.map((lot: Json) => lot.auctionPeriod?.shouldStartAfter !== undefined)).toEqual([
      true,
      true,
      false,
    ]);
    for (const [n, seller] of sellers.entries()) {
      const lotValues = lots.slice(0, 2).map((relatedLot) => ({ relatedLot, value: { amount: 400 + n } }));
      expect((await seller.post(`${path}/bids`, { tenderers: [TENDERER], lotValues })).status).toBe(201);
    }
    await until('a place in the plan for both lots', async () => {
      const { data } = (await anyone.get(path)).body;
      return data.lots.filter((lot: Json) => lot.auctionPeriod?.startDate !== undefined).length === 2;
    });

    const auction = await moveToNextCheck(operator, id);
    expect(auction.status).toBe('active.auction');
    expect(auction).not.toHaveProperty('bids');
    for (const lot of auction.lots.slice(0, 2))
      expect(lot.auctionPeriod.startDate > auction.tenderPeriod.endDate).toBe(true);

    const pending = await buyer.post(`${path}/cancellations${tokenQuery}`, { reason: 'Потреба відпала' });
    expect(pending.body.data.status).toBe('pending');
    const done = await buyer.patch(`${path}/cancellations/${pending.body.data.id}${tokenQuery}`, { status: 'active' });
    expect(done.body.data.status).toBe('active');
    const data = await untilTender(anyone, path, 'nothing of the bids', ({ numberOfBids }) => numberOfBids === 0);
    expect([data.status, data.next_check]).toEqual(['cancelled', undefined]);
    expect((await anyone.get(`${path}/bids`)).body).toEqual({ data: [] });
    await story.expectGolden();
  });

  it('accepts no bid after the answer to a cancellation', async () => {
    const buyer = patientBroker(url, 'broker1', '2.5');
    const seller = patientBroker(url, 'broker2', '2.5');
    const { id, path, tokenQuery } = await publish(buyer, minimalTender());
    await moveToNextCheck(buyer, id);
    const bid = { tenderers: [TENDERER], value: { amount: 400 } };
    expect((await seller.post(`${path}/bids`, bid)).status).toBe(201);
    expect((await buyer.post(`${path}/cancellations${tokenQuery}`, { reason: 'x', status: 'active' })).status).toBe(
      201,
    );
    const late = await seller.post(`${path}/bids`, bid);
    expect([late.status, late.body.errors[0].description]).toEqual([
      403,
      "Can't add bid in current (cancelled) tender status",
    ]);
  });
});

function threeItems(): readonly unknown[] {
  const item = { description: 'футляри', classification: { scheme: 'CPV', id: '44617100-9', description: 'Cartons' } };
  return ['first', 'second', 'third'].map((id) => ({ ...item, id }));
}
