import { AUTHOR } from '@procurement/testing/bodies';
import { describe, expect, inject, it } from 'vitest';
import { patientBroker, until, type Broker, type Json } from '../support/broker.ts';
import { moveToNextCheck } from '../support/sandbox.ts';
import { publish, TENDERER } from '../support/published-tender.ts';
import { hoursAhead, interfaceTender, minimalTender, PARTY } from '../support/request-bodies.ts';

const url = inject('gatewayUrl');
const clientAt = (key: string | undefined, segment: string): Broker => patientBroker(url, key, segment);

/** A tender in the form of the two generations of 0.1 (interface.md, Differences in earlier generations). */
function earlyTender(): Json {
  return {
    procuringEntity: PARTY,
    totalValue: { amount: 500, currency: 'UAH' },
    itemsToBeProcured: [
      {
        description: 'футляри до державних нагород',
        primaryClassification: { scheme: 'CPV', id: '44617100-9', description: 'Cartons' },
        additionalClassification: [{ scheme: 'ДКПП', id: '17.21.1', description: 'папір' }],
        unitOfMeasure: 'item',
        quantity: 5,
      },
    ],
    tenderPeriod: { endDate: hoursAhead(96) },
    awardPeriod: { endDate: hoursAhead(200) },
  };
}

describe('the same tender in every generation (generations.md)', () => {
  it.each([
    ['2.5', minimalTender()],
    ['2.3', interfaceTender()],
    ['0', minimalTender()],
    ['0.1', earlyTender()],
  ])('created on %s it is read in all of them', async (segment, wish) => {
    const { id, path } = await publish(clientAt('broker1', segment), wish);
    for (const reader of ['2.5', '2.3', '0']) {
      const { data } = (await clientAt(undefined, reader).get(path)).body;
      expect(data).toMatchObject({ id, status: 'active.enquiries', value: { amount: 500, currency: 'UAH' } });
    }
    const middle = await clientAt(undefined, '0.1').get(path);
    expect(middle.headers.get('x-generation')).toBe('middle');
    expect(middle.body.data).toMatchObject({ id, totalValue: { amount: 500 }, itemsToBeProcured: [{ quantity: 5 }] });
    expect(middle.body.data).toHaveProperty('enquiryPeriod');
    const earliest = (await clientAt(undefined, '0.1').get(`${path}?generation=earliest`)).body.data;
    expect(earliest).toHaveProperty('clarificationPeriod');
    expect(earliest).not.toHaveProperty('minimalStep');
  });

  it('a change by an older generation keeps the members that it does not have', async () => {
    const { path, tokenQuery } = await publish(clientAt('broker1', '2.5'), interfaceTender());
    const before = (await clientAt(undefined, '2.5').get(path)).body.data;
    const changed = await clientAt('broker1', '0.1').patch(`${path}${tokenQuery}`, { totalValue: { amount: 600 } });
    expect([changed.status, changed.body.data.totalValue.amount]).toEqual([200, 600]);
    const after = (await clientAt(undefined, '2.5').get(path)).body.data;
    expect(after).toEqual({ ...before, value: { ...before.value, amount: 600 }, dateModified: after.dateModified });
  });

  it('bidders of the oldest generation are bids in all others', async () => {
    const { path } = await publish(clientAt('broker1', '0.1'), earlyTender());
    const bid = await clientAt('broker2', '0.1').post(`${path}/bidders`, {
      bidders: [PARTY],
      totalValue: { amount: 400 },
    });
    expect([bid.status, bid.headers.get('location')]).toEqual([
      201,
      `${url}/api/0.1${path}/bidders/${bid.body.data.id}`,
    ]);
    const read = await clientAt(undefined, '2.3').get(`${path}/bids/${bid.body.data.id}`);
    expect(read.body.data).toMatchObject({ status: 'registration', value: { amount: 400 }, tenderers: [PARTY] });
  });

  it('the feed of each generation contains the tender', async () => {
    const { id } = await publish(clientAt('broker1', '2.5'), minimalTender());
    for (const [segment, modified] of [
      ['2.5', 'dateModified'],
      ['2.3', 'dateModified'],
      ['0', 'dateModified'],
      ['0.1', 'modified'],
    ] as const) {
      const page = (await clientAt(undefined, segment).get('/tenders?mode=_all_&descending=1&limit=100')).body;
      const row = page.data.find((one: Json) => one.id === id);
      expect(Object.keys(row).sort()).toEqual([modified, 'id'].sort());
    }
  });

  it('segment 2.3 accepts a bid without parameters on a tender with features (interface.md)', async () => {
    const { path } = await publish(clientAt('broker1', '2.3'), interfaceTender());
    const bid = await clientAt('broker2', '2.3').post(`${path}/bids`, { tenderers: [PARTY], value: { amount: 400 } });
    expect([bid.status, bid.body.data.status]).toEqual([201, 'registration']);
  });
});

describe('the story of two bids with a generation for each client (generations.md; bids-awards-auction.md 6.1)', () => {
  it('buyer on 2.5, disqualified bidder with a complaint on 2.3, winner on 0.1', async () => {
    const buyer = clientAt('broker1', '2.5');
    const [loser, winner, auction] = [
      clientAt('broker2', '2.3'),
      clientAt('broker3', '0.1'),
      clientAt('auction', '2.5'),
    ];
    const { id, path, tokenQuery } = await publish(
      buyer,
      minimalTender({ procurementMethodDetails: 'quick, accelerator=144' }),
    );
    await moveToNextCheck(buyer, id);
    const lost = await loser.post(`${path}/bids`, { tenderers: [TENDERER], value: { amount: 469 } });
    const won = await winner.post(`${path}/bidders`, { bidders: [PARTY], totalValue: { amount: 479 } });
    expect([lost.status, won.status]).toEqual([201, 201]);
    const [ofLoser, ofWinner] = [`?acc_token=${lost.body.access.token}`, `?acc_token=${won.body.access.token}`];
    const lowered = await winner.patch(`${path}/bidders/${won.body.data.id}${ofWinner}`, {
      totalValue: { amount: 478 },
    });
    expect([lowered.status, lowered.body.data.totalValue.amount]).toEqual([200, 478]);
    await until('a place in the plan', async () => (await buyer.get(path)).body.data.auctionPeriod?.startDate);
    await moveToNextCheck(buyer, id);
    const reported = await auction.post(`${path}/auction`, {
      bids: [{ value: { amount: 390 } }, { value: { amount: 400 } }],
    });
    expect(reported.body.data.status).toBe('active.qualification');
    const [a1] = reported.body.data.awards;
    expect(a1.bid_id).toBe(lost.body.data.id);

    const disqualified = await buyer.patch(`${path}/awards/${a1.id}${tokenQuery}`, { status: 'unsuccessful' });
    const a2 = disqualified.headers.get('location')?.split('/').at(-1);
    expect((await buyer.patch(`${path}/awards/${a2}${tokenQuery}`, { status: 'active' })).status).toBe(200);
    const claim = await loser.post(`${path}/awards/${a1.id}/complaints${ofLoser}`, {
      author: AUTHOR,
      title: 'Оцінка',
      status: 'claim',
    });
    expect(claim.status).toBe(201);
    const complaint = `${path}/awards/${a1.id}/complaints/${claim.body.data.id}`;
    await buyer.patch(`${complaint}${tokenQuery}`, {
      status: 'answered',
      resolutionType: 'declined',
      resolution: 'Вимога відповідає стандарту ДСТУ',
    });
    await buyer.post(`/sandbox${path}/clock`, { advance: 'PT21M' });
    const [contract] = (await buyer.get(`${path}/contracts`)).body.data;
    const signing = `${path}/contracts/${contract.id}${tokenQuery}`;
    expect((await buyer.patch(signing, { status: 'active' })).body.errors[0].description).toBe(
      "Can't sign contract before reviewing all complaints",
    );
    const resolved = await loser.patch(`${complaint}?acc_token=${claim.body.access.token}`, {
      status: 'resolved',
      satisfied: true,
    });
    expect([resolved.status, resolved.body.data.status]).toEqual([200, 'resolved']);
    expect((await buyer.patch(signing, { status: 'active' })).status).toBe(200);
    for (const segment of ['2.5', '2.3', '0', '0.1']) {
      expect((await clientAt(undefined, segment).get(path)).body.data.status, segment).toBe('complete');
    }
    const bidder = await clientAt(undefined, '0.1').get(`${path}/bidders/${won.body.data.id}`);
    expect(bidder.body.data).toMatchObject({ totalValue: { amount: 400 }, bidders: [{ id: PARTY.id }] });
  });
});
