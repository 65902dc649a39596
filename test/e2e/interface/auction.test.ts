import { describe, expect, inject, it } from 'vitest';
import type { Json } from '../../support/broker.ts';
import { EARLIEST, MIDDLE, LEGACY_GENERATIONS, type Generation } from '../../support/generations.ts';
import { bidBody, publishTender, generationClient } from '../../support/generation-client.ts';

const gatewayUrl = inject('gatewayUrl');

/** A tender with bids of these amounts, and its tender period on the generation's segment. */
async function publishTenderWithBids(
  generation: Generation,
  sums: readonly number[],
): Promise<{ path: string; data: Json }> {
  const { path, data } = await publishTender(gatewayUrl, generation);
  const bidder = generationClient(gatewayUrl, generation, 'broker2');
  for (const sum of sums) {
    expect((await bidder.post(`${path}/${generation.names.bids}`, bidBody(generation, sum))).status).toBe(201);
  }
  return { path, data };
}

/** The record that interface.md shows. The step is that of the tender, or one percent where it has none (generations.md 5.6). */
function expectedRecord(generation: Generation, tender: Json, sums: readonly number[]): Json {
  const { names, auctionBidShown, auctionStart } = generation;
  return {
    [names.modified]: tender[names.modified],
    bids: sums.map((sum) => auctionBidShown(sum)),
    minimalStep: { amount: tender.minimalStep?.amount ?? 5, currency: 'UAH' },
    [auctionStart]: { startDate: '2031-05-10T00:00:00+03:00' },
  };
}

describe.each(LEGACY_GENERATIONS)('the auction record of interface.md, generation $name', (generation) => {
  const { names, auctionBid, auctionStart } = generation;
  const auction = generationClient(gatewayUrl, generation, 'auction');
  const anyone = generationClient(gatewayUrl, generation);

  it('GET answers bids, step and start', async () => {
    const { path, data } = await publishTenderWithBids(generation, [489, 470]);
    const answer = await anyone.get(`${path}/auction`);
    expect(answer.status).toBe(200);
    const expected = expectedRecord(generation, data, [489, 470]);
    expect(answer.body.data).toMatchObject(expected);
    expect(answer.body.data.minimalStep).toEqual(expected.minimalStep);
    expect(answer.body.data[auctionStart]).toEqual(expected[auctionStart]);
    expect(answer.text).toContain('"amount":489.0');
  });

  it('PATCH answers the reported amounts', async () => {
    const { path, data } = await publishTenderWithBids(generation, [489, 470]);
    const results = { [names.modified]: data[names.modified], bids: [400, 380].map((sum) => auctionBid(sum)) };
    const answer = await auction.patch(`${path}/auction`, results);
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body.data).toMatchObject(expectedRecord(generation, data, [400, 380]));
  });

  it('PATCH is refused to everyone but the auction component', async () => {
    const { path } = await publishTenderWithBids(generation, [489]);
    const results = { bids: [auctionBid(400)] };
    expect((await anyone.patch(`${path}/auction`, results)).status).toBe(401);
    expect((await generationClient(gatewayUrl, generation, 'broker2').patch(`${path}/auction`, results)).status).toBe(
      403,
    );
  });
});

describe.each([MIDDLE, EARLIEST])('the auction record of generation $name', (generation) => {
  it('has only the members of interface.md', async () => {
    const { path, data } = await publishTenderWithBids(generation, [489]);
    const { body } = await generationClient(gatewayUrl, generation).get(`${path}/auction`);
    expect(body).toEqual({ data: expectedRecord(generation, data, [489]) });
  });

  it('recognises the generation by the form of the results (generations.md 2)', async () => {
    const { path, data } = await publishTenderWithBids(generation, [489]);
    const unmarkedClient = generationClient(gatewayUrl, MIDDLE, 'auction');
    const answer = await unmarkedClient.patch(`${path}/auction`, { bids: [generation.auctionBid(400)] });
    expect([answer.status, answer.body]).toEqual([200, { data: expectedRecord(generation, data, [400]) }]);
  });
});
