import { describe, expect, inject, it } from 'vitest';
import { patientBroker, type Json } from '../../support/broker.ts';
import { moveToNextCheck } from '../../support/sandbox.ts';
import { bidForLots, LOT_IDS, publishTenderWithLots, resultsOfLot } from '../stories/lots.ts';
import { playTwoLots } from '../stories/two-lots.ts';
import { storyContextAt } from '../../support/story-context.ts';

const url = inject('gatewayUrl');
const buyer = patientBroker(url, 'broker1', '2.5');
const [firstBidder, secondBidder] = [patientBroker(url, 'broker2', '2.5'), patientBroker(url, 'broker3', '2.5')];
const auction = patientBroker(url, 'auction', '2.5');
describe('two lots (bids-awards-auction.md 6.2)', () => {
  it('have separate auctions, awards, complaints and contracts', async () => {
    await playTwoLots(storyContextAt(url));
  });

  it('one bid for the second lot: it has no auction, and both awards follow the first auction (variant of 6.2)', async () => {
    const { id, path } = await publishTenderWithLots(buyer);
    await moveToNextCheck(buyer, id);
    await bidForLots(firstBidder, path, 480, 470);
    await bidForLots(secondBidder, path, 490);
    const closed = await moveToNextCheck(buyer, id);
    expect([closed.status, closed.lots[1].auctionPeriod]).toEqual(['active.auction', undefined]);
    const bids = [{ lotValues: [{ value: { amount: 400 } }, {}] }, { lotValues: [{ value: { amount: 410 } }] }];
    const reported = await auction.post(`${path}/auction/${LOT_IDS[0]}`, { bids });
    expect([reported.status, reported.body.data.awards.map((award: Json) => award.lotID)]).toEqual([200, LOT_IDS]);
  });

  it('no bid for the second lot: it is unsuccessful when tendering ends (variant of 6.2)', async () => {
    const { id, path } = await publishTenderWithLots(buyer);
    await moveToNextCheck(buyer, id);
    await bidForLots(firstBidder, path, 480);
    const closed = await moveToNextCheck(buyer, id);
    expect([closed.status, closed.lots[1].status]).toEqual(['active.qualification', 'unsuccessful']);
  });

  it('the first lot is cancelled in the auction: its results are refused, and only the second is awarded (variant of 6.2)', async () => {
    const { id, path, tokenQuery } = await publishTenderWithLots(buyer);
    await moveToNextCheck(buyer, id);
    await bidForLots(firstBidder, path, 480, 470);
    await bidForLots(secondBidder, path, 490, 460);
    await moveToNextCheck(buyer, id);
    const cancellation = { reason: 'x', status: 'active', cancellationOf: 'lot', relatedLot: LOT_IDS[0] };
    expect((await buyer.post(`${path}/cancellations${tokenQuery}`, cancellation)).status).toBe(201);
    const refused = await auction.post(`${path}/auction/${LOT_IDS[0]}`, resultsOfLot(0, 400, 410));
    expect(refused.body.errors[0].description).toBe('Can report auction results only in active lot status');
    const reported = await auction.post(`${path}/auction/${LOT_IDS[1]}`, resultsOfLot(1, 420, 380));
    expect([reported.body.data.status, reported.body.data.awards.length]).toEqual(['active.qualification', 1]);
  });
});
