import { expect } from 'vitest';
import { type Json } from '../support/broker.ts';
import { toNextCheck } from '../support/sandbox.ts';
import { plainTender } from '../support/tender.ts';
import { publish, TENDERER } from '../support/tender-file.ts';
import type { World } from '../support/world.ts';

const option = (value: number): Json => ({ value, title: `${value}` });

const [AIR, YEARS] = ['OCDS-123454-AIR-INTAKE', 'OCDS-123454-YEARS'];

const features = [
  { code: AIR, featureOf: 'item', relatedItem: 'cases', title: 'x', enum: [option(0.1), option(0.15)] },
  { code: YEARS, featureOf: 'tenderer', title: 'y', enum: [option(0.05), option(0.1), option(0.15)] },
];

/** Criteria beside the price: the dearer bid wins by its parameters, the cheaper by the auction (bids-awards-auction.md 6.6). */
export async function playFeatures(world: World): Promise<void> {
  const buyer = world.broker('broker1');
  const seller = world.broker('broker2');
  const auction = world.broker('auction');

  const award = async (results: readonly number[]): Promise<Json> => {
    const { id, path } = await publish(buyer, plainTender({ features }));
    await toNextCheck(buyer, id);
    const bid = (amount: number, ...values: readonly number[]): Json => ({
      tenderers: [TENDERER],
      value: { amount },
      ...(values.length === 0 ? {} : { parameters: values.map((value, n) => ({ code: [AIR, YEARS][n], value })) }),
    });
    const refusals = [bid(469), bid(469, 0.1), bid(469, 0.1, 0.2)];
    const texts = [];
    for (const wish of refusals) texts.push((await seller.post(`${path}/bids`, wish)).body.errors[0].description[0]);
    expect(texts).toEqual([
      'This field is required.',
      'All features parameters is required.',
      { value: ['value should be one of feature value.'] },
    ]);
    const [x, y] = [
      (await seller.post(`${path}/bids`, bid(469, 0.1, 0.1))).body.data,
      (await seller.post(`${path}/bids`, bid(479, 0.15, 0.15))).body.data,
    ];
    await toNextCheck(buyer, id);
    const record = (await auction.get(`${path}/auction`)).body.data;
    expect([record.features.length, record.bids[0].parameters.length]).toEqual([2, 2]);
    const bids = results.map((amount) => ({ value: { amount } }));
    const { awards } = (await auction.post(`${path}/auction`, { bids })).body.data;
    return [awards[0].bid_id === x.id ? 'x' : awards[0].bid_id === y.id ? 'y' : '?', awards[0].value.amount];
  };
  expect(await award([364, 409])).toEqual(['x', 364]);
  expect(await award([469, 479])).toEqual(['y', 479]);
  expect(await award([459, 459])).toEqual(['y', 459]);
}
