import { describe, expect, inject, it } from 'vitest';
import { broker, type Json } from '../../support/broker.ts';
import { toNextCheck } from '../../support/sandbox.ts';
import { bidForLots, LOTS, publishLotted, resultsOfLot } from '../../stories/lots.ts';
import { playTwoLots } from '../../stories/two-lots.ts';
import { worldAt } from '../../support/world.ts';

const url = inject('gatewayUrl');
const buyer = broker(url, 'broker1', '2.5');
const [first, second] = [broker(url, 'broker2', '2.5'), broker(url, 'broker3', '2.5')];
const auction = broker(url, 'auction', '2.5');
describe('two lots (bids-awards-auction.md 6.2)', () => {
  it('are auctioned, awarded, complained of and signed each by itself', async () => {
    await playTwoLots(worldAt(url));
  });

  it('one bid for the second: no auction for it, and both awards after the first (variant of 6.2)', async () => {
    const { id, path } = await publishLotted(buyer);
    await toNextCheck(buyer, id);
    await bidForLots(first, path, 480, 470);
    await bidForLots(second, path, 490);
    const closed = await toNextCheck(buyer, id);
    expect([closed.status, closed.lots[1].auctionPeriod]).toEqual(['active.auction', undefined]);
    const bids = [{ lotValues: [{ value: { amount: 400 } }, {}] }, { lotValues: [{ value: { amount: 410 } }] }];
    const reported = await auction.post(`${path}/auction/${LOTS[0]}`, { bids });
    expect([reported.status, reported.body.data.awards.map((award: Json) => award.lotID)]).toEqual([200, LOTS]);
  });

  it('nobody bids for the second: it is unsuccessful when tendering ends (variant of 6.2)', async () => {
    const { id, path } = await publishLotted(buyer);
    await toNextCheck(buyer, id);
    await bidForLots(first, path, 480);
    const closed = await toNextCheck(buyer, id);
    expect([closed.status, closed.lots[1].status]).toEqual(['active.qualification', 'unsuccessful']);
  });

  it('the first is cancelled in the auction: its results are refused, and only the second is awarded (variant of 6.2)', async () => {
    const { id, path, owned } = await publishLotted(buyer);
    await toNextCheck(buyer, id);
    await bidForLots(first, path, 480, 470);
    await bidForLots(second, path, 490, 460);
    await toNextCheck(buyer, id);
    const cancellation = { reason: 'x', status: 'active', cancellationOf: 'lot', relatedLot: LOTS[0] };
    expect((await buyer.post(`${path}/cancellations${owned}`, cancellation)).status).toBe(201);
    const refused = await auction.post(`${path}/auction/${LOTS[0]}`, resultsOfLot(0, 400, 410));
    expect(refused.body.errors[0].description).toBe('Can report auction results only in active lot status');
    const reported = await auction.post(`${path}/auction/${LOTS[1]}`, resultsOfLot(1, 420, 380));
    expect([reported.body.data.status, reported.body.data.awards.length]).toEqual(['active.qualification', 1]);
  });
});
