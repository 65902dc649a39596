import { describe, expect, inject, it } from 'vitest';
import { broker } from '../../support/broker.ts';
import { toNextCheck } from '../../support/sandbox.ts';
import { publish, TENDERER } from '../../support/tender-file.ts';
import { plainTender } from '../../support/tender.ts';
import { playOneBid } from '../../stories/one-bid.ts';
import { worldAt } from '../../support/world.ts';

const url = inject('gatewayUrl');
const buyer = broker(url, 'broker1', '2.5');
const seller = broker(url, 'broker2', '2.5');
const anyone = broker(url, undefined, '2.5');

describe('a tender with one bid (bids-awards-auction.md 6.3)', () => {
  it('goes straight to qualification, and its contract completes it', async () => {
    await playOneBid(worldAt(url));
  });

  it('disqualified, it is unsuccessful when nobody can complain any more', async () => {
    const { id, path, owned } = await publish(
      buyer,
      plainTender({ procurementMethodDetails: 'quick, accelerator=1440' }),
    );
    await toNextCheck(buyer, id);
    await seller.post(`${path}/bids`, { tenderers: [TENDERER], value: { amount: 469 } });
    const [award] = (await toNextCheck(buyer, id)).awards;
    const decided = await buyer.patch(`${path}/awards/${award.id}${owned}`, { status: 'unsuccessful' });
    expect([decided.status, decided.headers.get('location')]).toEqual([200, null]);
    const awarded = (await anyone.get(path)).body.data;
    expect([awarded.status, awarded.next_check]).toEqual(['active.awarded', decided.body.data.complaintPeriod.endDate]);
    expect((await toNextCheck(buyer, id)).status).toBe('unsuccessful');
  });
});
