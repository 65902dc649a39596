import { describe, expect, inject, it } from 'vitest';
import { patientBroker, type Json } from '../../support/broker.ts';
import { moveToNextCheck } from '../../support/sandbox.ts';
import { publish, TENDERER } from '../../support/published-tender.ts';
import { minimalTender } from '../../support/request-bodies.ts';

const url = inject('gatewayUrl');
const buyer = patientBroker(url, 'broker1', '2.5');
const seller = patientBroker(url, 'broker2', '2.5');

const MILESTONE = {
  title: 'deliveryOfGoods',
  type: 'financing',
  code: 'postpayment',
  percentage: 100,
  duration: { days: 10, type: 'banking' },
  sequenceNumber: 0,
};
const TERMS = { mainProcurementCategory: 'goods', milestones: [MILESTONE] };
const DECLARATIONS = { selfEligible: true, selfQualified: true, subcontractingDetails: 'ТОВ Доставка' };
const BIDDER = { ...TENDERER, scale: 'sme' };
const NEW_MEMBERS = [...Object.keys(TERMS), ...Object.keys(DECLARATIONS), 'scale'];

/** Whether a value has a member of the name at any depth. */
function hasMember(value: Json, name: string): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([member, inner]) => member === name || hasMember(inner, name));
}

describe('members of current clients of 2.5 (rulings R25)', () => {
  it('are shown on 2.5 from the tender to the contract, and never on older segments, whose writes keep them', async () => {
    const { id, path, tokenQuery } = await publish(
      buyer,
      minimalTender({ ...TERMS, procurementMethodDetails: 'quick, accelerator=1440' }),
    );
    for (const segment of ['2.3', '0']) {
      const older = patientBroker(url, 'broker1', segment);
      const shown = (await older.get(path)).body.data;
      const replaced = await older.put(`${path}${tokenQuery}`, { ...shown, description: `by ${segment}` });
      expect([replaced.status, replaced.body.data.description]).toEqual([200, `by ${segment}`]);
    }
    const changed = await patientBroker(url, 'broker1', '0.1').patch(`${path}${tokenQuery}`, {
      totalValue: { amount: 490 },
    });
    expect(changed.status).toBe(200);
    expect((await buyer.get(path)).body.data).toMatchObject({ ...TERMS, value: { amount: 490 }, description: 'by 0' });

    await moveToNextCheck(buyer, id);
    const bid = await seller.post(`${path}/bids`, { ...DECLARATIONS, tenderers: [BIDDER], value: { amount: 469 } });
    expect([bid.status, bid.body.data]).toMatchObject([201, { ...DECLARATIONS, tenderers: [BIDDER] }]);
    const bidPath = `${path}/bids/${bid.body.data.id}?acc_token=${bid.body.access.token}`;
    const cheaper = await patientBroker(url, 'broker2', '2.3').patch(bidPath, {
      value: { amount: 460 },
      tenderers: [{ address: { countryName: 'Україна', locality: 'Львів' } }],
    });
    expect([cheaper.status, NEW_MEMBERS.filter((name) => hasMember(cheaper.body, name))]).toEqual([200, []]);

    const [award] = (await moveToNextCheck(buyer, id)).awards;
    expect((await buyer.patch(`${path}/awards/${award.id}${tokenQuery}`, { status: 'active' })).status).toBe(200);
    const { data } = (await buyer.get(path)).body;
    const party = { name: BIDDER.name, scale: 'sme', address: { locality: 'Львів' } };
    expect(data).toMatchObject({
      ...TERMS,
      bids: [{ ...DECLARATIONS, tenderers: [party] }],
      awards: [{ suppliers: [party] }],
      contracts: [{ suppliers: [party] }],
    });
    const [contract] = data.contracts;
    const paths = [path, `${path}/bids`, `${path}/awards`, `${path}/contracts`, `${path}/contracts/${contract.id}`];
    const readers: readonly (readonly [string, string])[] = [
      ...['2.3', '0'].flatMap((segment) => paths.map((read) => [segment, read] as const)),
      ['2.3', `/contracts/${contract.id}`],
      ['2.3', `/tenders?opt_fields=${NEW_MEMBERS.join()}`],
      ['0.1', path],
      ['0.1', `${path}?generation=earliest`],
    ];
    for (const [segment, read] of readers) {
      const { status, body } = await patientBroker(url, undefined, segment).get(read);
      expect([segment, read, status, NEW_MEMBERS.filter((name) => hasMember(body, name))]).toEqual([
        segment,
        read,
        200,
        [],
      ]);
    }
  });
});
