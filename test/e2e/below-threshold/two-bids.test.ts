import { describe, expect, inject, it } from 'vitest';
import { patientBroker } from '../../support/broker.ts';
import { moveToNextCheck } from '../../support/sandbox.ts';
import { publish, TENDERER } from '../../support/published-tender.ts';
import { minimalTender } from '../../support/request-bodies.ts';
import { playTwoBids } from '../stories/two-bids.ts';
import { storyContextAt } from '../../support/story-context.ts';

const url = inject('gatewayUrl');

describe('two bids, an auction, the first disqualified, the second awarded (bids-awards-auction.md 6.1)', () => {
  it('goes from the tender to the signed contract', async () => {
    await playTwoBids(storyContextAt(url));
  });

  it('awards a bidder again after a cancelled award, and disqualifies it (bids-awards-auction.md 6.1)', async () => {
    const { buyer, anyone, id, path, tokenQuery } = await tenderInQualification([400, 410]);
    const [a1] = (await anyone.get(path)).body.data.awards;
    await buyer.patch(`${path}/awards/${a1.id}${tokenQuery}`, { status: 'active' });
    const cancelled = await buyer.patch(`${path}/awards/${a1.id}${tokenQuery}`, { status: 'cancelled' });
    const a2 = cancelled.headers.get('location')?.split('/').at(-1);
    const again = (await anyone.get(path)).body.data;
    expect([again.status, again.contracts[0].status]).toEqual(['active.qualification', 'cancelled']);
    expect(again.awards[1]).toMatchObject({ id: a2, status: 'pending', bid_id: a1.bid_id });
    await buyer.patch(`${path}/awards/${a2}${tokenQuery}`, { status: 'unsuccessful' });
    const next = (await anyone.get(path)).body.data.awards.at(-1);
    await buyer.patch(`${path}/awards/${next.id}${tokenQuery}`, { status: 'unsuccessful' });
    expect((await anyone.get(path)).body.data.status).toBe('active.awarded');
    expect((await moveToNextCheck(buyer, id)).status).toBe('unsuccessful');
  });
});

/** A tender in qualification, after an auction without new amounts. */
async function tenderInQualification(amounts: readonly number[]) {
  const [buyer, seller, auction, anyone] = ['broker1', 'broker2', 'auction', undefined].map((key) =>
    patientBroker(url, key, '2.5'),
  );
  if (buyer === undefined || seller === undefined || auction === undefined || anyone === undefined)
    throw new Error('the tender has four requests');
  const tender = await publish(buyer, minimalTender({ procurementMethodDetails: 'quick, accelerator=1440' }));
  await moveToNextCheck(buyer, tender.id);
  for (const amount of amounts) await seller.post(`${tender.path}/bids`, { tenderers: [TENDERER], value: { amount } });
  await moveToNextCheck(buyer, tender.id);
  const reported = await auction.post(`${tender.path}/auction`, { bids: amounts.map(() => ({})) });
  if (reported.status !== 200) throw new Error(`no results: ${reported.text}`);
  return { buyer, seller, auction, anyone, ...tender };
}
