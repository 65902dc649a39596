import { describe, expect, inject, it } from 'vitest';
import { patientBroker } from '../../support/broker.ts';
import { moveToNextCheck } from '../../support/sandbox.ts';
import { publish, TENDERER } from '../../support/published-tender.ts';
import { minimalTender } from '../../support/request-bodies.ts';
import { playOneBid } from '../stories/one-bid.ts';
import { storyContextAt } from '../../support/story-context.ts';

const url = inject('gatewayUrl');
const buyer = patientBroker(url, 'broker1', '2.5');
const seller = patientBroker(url, 'broker2', '2.5');
const anyone = patientBroker(url, undefined, '2.5');

/** A quick tender with one bid, and its pending award. */
async function playToAward() {
  const { id, path, tokenQuery } = await publish(
    buyer,
    minimalTender({ procurementMethodDetails: 'quick, accelerator=1440' }),
  );
  await moveToNextCheck(buyer, id);
  await seller.post(`${path}/bids`, { tenderers: [TENDERER], value: { amount: 469 } });
  const [award] = (await moveToNextCheck(buyer, id)).awards;
  return { id, path, tokenQuery, award };
}

describe('a tender with one bid (bids-awards-auction.md 6.3)', () => {
  it('goes to qualification without an auction, and its contract completes it', async () => {
    await playOneBid(storyContextAt(url));
  });

  it('becomes unsuccessful after a disqualification, when the time for complaints has passed', async () => {
    const { id, path, tokenQuery, award } = await playToAward();
    const decided = await buyer.patch(`${path}/awards/${award.id}${tokenQuery}`, { status: 'unsuccessful' });
    expect([decided.status, decided.headers.get('location')]).toEqual([200, null]);
    const awarded = (await anyone.get(path)).body.data;
    expect([awarded.status, awarded.next_check]).toEqual(['active.awarded', decided.body.data.complaintPeriod.endDate]);
    expect((await moveToNextCheck(buyer, id)).status).toBe('unsuccessful');
  });

  it.each(['2.5', '2.3'])('shows its contract on %s at an address of its own (rulings R34)', async (segment) => {
    const { id, path, tokenQuery, award } = await playToAward();
    await buyer.patch(`${path}/awards/${award.id}${tokenQuery}`, { status: 'active' });
    const [contract] = (await anyone.get(`${path}/contracts`)).body.data;
    const shown = await patientBroker(url, undefined, segment).get(`/contracts/${contract.id}`);
    expect([shown.status, shown.body.data]).toMatchObject([200, { id: contract.id, tender_id: id, owner: 'broker1' }]);
    const own = await patientBroker(url, 'broker1', segment).patch(
      `/contracts/${contract.id}/credentials${tokenQuery}`,
      {},
    );
    expect([own.status, own.body.access.token]).toEqual([200, expect.any(String)]);
  });
});
