import { expect } from 'vitest';
import type { Broker, Json } from '../../support/broker.ts';
import { playInRoom, type StoryRoom } from '../../support/play-in-room.ts';
import { moveToNextCheck } from '../../support/sandbox.ts';
import { minimalTender } from '../../support/request-bodies.ts';
import { publish } from '../../support/published-tender.ts';
import { noRecorder, type StoryContext } from '../../support/story-context.ts';
import { linksOfBids, ownBid } from './links-of-bids.ts';
import { makeParticipants } from './participants.ts';
import { TENDERER_X, TENDERER_Y } from './tenderers.ts';
import { untilAuctionsPlanned, untilTender } from './wait-for-tender.ts';

const featureOption = (value: number, title: string): Json => ({ value, title });

const [AIR, YEARS] = ['OCDS-123454-AIR-INTAKE', 'OCDS-123454-YEARS'];

const FEATURES = [
  {
    code: AIR,
    featureOf: 'item',
    relatedItem: 'cases',
    title: 'Потужність всмоктування',
    enum: [featureOption(0.1, 'До 1000 Вт'), featureOption(0.15, 'Більше 1000 Вт')],
  },
  {
    code: YEARS,
    featureOf: 'tenderer',
    title: 'Років на ринку',
    enum: [
      featureOption(0.05, 'До 3 років'),
      featureOption(0.1, 'Більше 3 років'),
      featureOption(0.15, 'Більше 5 років'),
    ],
  },
];

/** Parameters: one for each value. */
const buildParameters = (...values: readonly number[]): Json =>
  values.length === 0 ? {} : { parameters: values.map((value, n) => ({ code: [AIR, YEARS][n], value })) };

/** Features: the dearer bid wins by its parameters, the cheaper by the auction (bids-awards-auction.md 6.6). */
export async function playFeatures(context: StoryContext): Promise<void> {
  const story = context.recorder('2.5/features');
  story.note('Criteria beside the price: the bid that answers them worse wins by what it offers in the auction.');
  expect(await awardAfterAuction(context, story, [364, 409])).toEqual(['x', 364]);
  await story.expectGolden();
  // Equal to the recorded part up to the results, so it is not recorded.
  expect(await awardAfterAuction(context, noRecorder('2.5/features'), [469, 479])).toEqual(['y', 479]);
  expect(await awardAfterAuction(context, noRecorder('2.5/features'), [420, 420])).toEqual(['y', 420]);
}

/** The awarded bid and its amount after an auction with these results. */
async function awardAfterAuction(context: StoryContext, story: Story, results: readonly number[]): Promise<Json> {
  const { buyer, firstBidder, secondBidder, auction, operator } = makeParticipants(context, story);

  const { id, path } = await publish(buyer, minimalTender({ features: FEATURES }));
  story.note('The enquiry period ends.');
  await moveToNextCheck(operator, id);
  await expectParametersRefused(firstBidder, path);
  const bid = (tenderer: unknown, amount: number, ...values: readonly number[]): Json => ({
    tenderers: [tenderer],
    value: { amount },
    ...buildParameters(...values),
  });
  const [x, y] = [
    (await firstBidder.post(`${path}/bids`, bid(TENDERER_X, 469, 0.1, 0.1))).body,
    (await secondBidder.post(`${path}/bids`, bid(TENDERER_Y, 479, 0.15, 0.15))).body,
  ];

  story.note(
    'The tendering period ends; then the auction is held: best is the lowest price divided by 1 + v / (1 - V).',
  );
  await untilAuctionsPlanned(operator, path);
  await moveToNextCheck(operator, id);
  const record = (await auction.get(`${path}/auction`)).body.data;
  expect([record.features, record.bids.map((one: Json) => one.parameters)]).toEqual([
    FEATURES,
    [buildParameters(0.1, 0.1).parameters, buildParameters(0.15, 0.15).parameters],
  ]);
  const { room } = context;
  const report = async (): Promise<Json> => {
    await moveToNextCheck(operator, id);
    const bids = results.map((amount) => ({ value: { amount } }));
    return (await auction.post(`${path}/auction`, { bids })).body.data;
  };
  const hold = async (inRoom: StoryRoom): Promise<Json> => {
    const links = await linksOfBids([
      ownBid(context.broker('broker2'), path, x),
      ownBid(context.broker('broker3'), path, y),
    ]);
    // Who keeps its price offers nothing.
    const offers = results.map((amount, n) => (amount === [x, y][n].data.value.amount ? undefined : amount));
    await playInRoom(inRoom, [{ id, bidders: links.map((link, n) => ({ link, amount: offers[n] })) }]);
    return untilTender(operator, path, 'the awards', ({ status }) => status === 'active.qualification');
  };
  const { awards } = await (room === undefined ? report() : hold(room));
  const winner = [x, y].findIndex(({ data }) => data.id === awards[0].bid_id);
  return [['x', 'y'][winner], awards[0].value.amount];
}

type Story = ReturnType<StoryContext['recorder']>;

/** No parameters, one too few, and a value that is no option. */
async function expectParametersRefused(seller: Broker, path: string): Promise<void> {
  const refusals = [];
  for (const values of [[], [0.1], [0.1, 0.2]]) {
    const bid = { tenderers: [TENDERER_X], value: { amount: 469 }, ...buildParameters(...values) };
    const refused = await seller.post(`${path}/bids`, bid);
    refusals.push([refused.status, refused.body.errors[0].name, refused.body.errors[0].description[0]]);
  }
  expect(refusals).toEqual([
    [422, 'parameters', 'This field is required.'],
    [422, 'parameters', 'All features parameters is required.'],
    [422, 'parameters', { value: ['value should be one of feature value.'] }],
  ]);
}
