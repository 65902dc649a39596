import { expect } from 'vitest';
import type { Broker, Json } from '../../support/broker.ts';
import { minimalTender } from '../../support/request-bodies.ts';
import { publish, TENDERER, type PublishedTender } from '../../support/published-tender.ts';

export const LOT_IDS = ['1', '2'].map((digit) => digit.repeat(32));

/** A tender with two lots, an item in each. */
export async function publishTenderWithLots(buyer: Broker): Promise<PublishedTender> {
  return publish(buyer, tenderWithLots({ amount: 35 }));
}

/** Its body. Without a step it is one of a tender without auction. */
export function tenderWithLots(minimalStep?: Json): Json {
  const item = { classification: { scheme: 'CPV', id: '44617100-9', description: 'Cartons' } };
  return minimalTender({
    procurementMethodDetails: 'quick, accelerator=144',
    ...(minimalStep === undefined ? { minimalStep } : {}),
    lots: LOT_IDS.map((id, n) => ({ id, title: `Лот ${n + 1}`, value: { amount: 500 }, minimalStep })),
    items: LOT_IDS.map((relatedLot, n) => ({
      ...item,
      id: `item-${n}`,
      description: `Коробки ${n + 1}`,
      relatedLot,
    })),
  });
}

/** A bid with an amount for each lot; undefined for a lot without a bid. */
export async function bidForLots(
  seller: Broker,
  path: string,
  ...amounts: readonly (number | undefined)[]
): Promise<Json> {
  const lotValues = amounts.flatMap((amount, n) =>
    amount === undefined ? [] : [{ relatedLot: LOT_IDS[n], value: { amount } }],
  );
  return postBid(seller, path, { tenderers: [TENDERER], lotValues });
}

export async function postBid(seller: Broker, path: string, bid: unknown): Promise<Json> {
  const answer = await seller.post(`${path}/bids`, bid);
  expect(answer.status).toBe(201);
  return answer.body;
}

/** Results of one lot only. */
export function resultsOfLot(lot: number, ...amounts: readonly number[]): Json {
  return {
    bids: amounts.map((amount) => ({ lotValues: LOT_IDS.map((_, n) => (n === lot ? { value: { amount } } : {})) })),
  };
}
