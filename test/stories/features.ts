import { expect } from 'vitest';
import type { Broker, Json } from '../support/broker.ts';
import { toNextCheck } from '../support/sandbox.ts';
import { plainTender } from '../support/tender.ts';
import { publish } from '../support/tender-file.ts';
import { unrecorded, type World } from '../support/world.ts';
import { castOf } from './cast.ts';
import { TENDERER_X, TENDERER_Y } from './parties.ts';
import { untilPlanned } from './waiting.ts';

const option = (value: number, title: string): Json => ({ value, title });

const [AIR, YEARS] = ['OCDS-123454-AIR-INTAKE', 'OCDS-123454-YEARS'];

const features = [
  {
    code: AIR,
    featureOf: 'item',
    relatedItem: 'cases',
    title: 'Потужність всмоктування',
    enum: [option(0.1, 'До 1000 Вт'), option(0.15, 'Більше 1000 Вт')],
  },
  {
    code: YEARS,
    featureOf: 'tenderer',
    title: 'Років на ринку',
    enum: [option(0.05, 'До 3 років'), option(0.1, 'Більше 3 років'), option(0.15, 'Більше 5 років')],
  },
];

/** Answers to as many features as there are values. */
const answers = (...values: readonly number[]): Json =>
  values.length === 0 ? {} : { parameters: values.map((value, n) => ({ code: [AIR, YEARS][n], value })) };

/** Criteria beside the price: the dearer bid wins by its parameters, the cheaper by the auction (bids-awards-auction.md 6.6). */
export async function playFeatures(world: World): Promise<void> {
  const story = world.recorder('2.5/features');
  story.note('Criteria beside the price: the bid that answers them worse wins by what it offers in the auction.');
  expect(await awardOf(world, story, [364, 409])).toEqual(['x', 364]);
  await story.matches();
  // The same up to the results, so it is not recorded again.
  expect(await awardOf(world, unrecorded('2.5/features'), [469, 479])).toEqual(['y', 479]);
  expect(await awardOf(world, unrecorded('2.5/features'), [459, 459])).toEqual(['y', 459]);
}

/** Who is awarded, and at what price, when the auction ends with these amounts. */
async function awardOf(world: World, story: Story, results: readonly number[]): Promise<Json> {
  const { buyer, first, second, auction, operator } = castOf(world, story);

  const { id, path } = await publish(buyer, plainTender({ features }));
  story.note('The enquiry period ends.');
  await toNextCheck(operator, id);
  await refusedParameters(first, path);
  const bid = (tenderer: unknown, amount: number, ...values: readonly number[]): Json => ({
    tenderers: [tenderer],
    value: { amount },
    ...answers(...values),
  });
  const [x, y] = [
    (await first.post(`${path}/bids`, bid(TENDERER_X, 469, 0.1, 0.1))).body.data,
    (await second.post(`${path}/bids`, bid(TENDERER_Y, 479, 0.15, 0.15))).body.data,
  ];

  story.note(
    'The tendering period ends; then the auction is held: best is the lowest price divided by 1 + v / (1 - V).',
  );
  await untilPlanned(operator, path);
  await toNextCheck(operator, id);
  const record = (await auction.get(`${path}/auction`)).body.data;
  expect([record.features, record.bids.map((one: Json) => one.parameters)]).toEqual([
    features,
    [answers(0.1, 0.1).parameters, answers(0.15, 0.15).parameters],
  ]);
  await toNextCheck(operator, id);
  const bids = results.map((amount) => ({ value: { amount } }));
  const { awards } = (await auction.post(`${path}/auction`, { bids })).body.data;
  return [awards[0].bid_id === x.id ? 'x' : awards[0].bid_id === y.id ? 'y' : '?', awards[0].value.amount];
}

type Story = ReturnType<World['recorder']>;

/** No answers, one too few, and one that is not among the options. */
async function refusedParameters(seller: Broker, path: string): Promise<void> {
  const texts = [];
  for (const values of [[], [0.1], [0.1, 0.2]]) {
    const bid = { tenderers: [TENDERER_X], value: { amount: 469 }, ...answers(...values) };
    const refused = await seller.post(`${path}/bids`, bid);
    texts.push([refused.status, refused.body.errors[0].name, refused.body.errors[0].description[0]]);
  }
  expect(texts).toEqual([
    [422, 'parameters', 'This field is required.'],
    [422, 'parameters', 'All features parameters is required.'],
    [422, 'parameters', { value: ['value should be one of feature value.'] }],
  ]);
}
