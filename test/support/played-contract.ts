import type { Broker, Json } from './broker.ts';
import { publish, TENDERER, type PublishedTender } from './published-tender.ts';
import { minimalTender } from './request-bodies.ts';
import { moveClock, moveToNextCheck } from './sandbox.ts';

/** A tender whose only award is active, with its pending contract. */
export interface PlayedContract extends PublishedTender {
  readonly contract: Json;
}

/** Plays a tender of a sandbox with one bid to its contract. Throws when a step is refused. */
export async function playToContract(buyer: Broker, seller: Broker, overrides: object = {}): Promise<PlayedContract> {
  const [played] = await playToContracts(buyer, seller, overrides, { value: { amount: 400 } });
  if (played === undefined) throw new Error('no contract');
  return played;
}

/** Plays a tender with so many lots, each with an item and a bid, to their contracts. Throws when a step is refused. */
export async function playLotsToContracts(
  buyer: Broker,
  seller: Broker,
  count: number,
): Promise<readonly PlayedContract[]> {
  const ids = Array.from({ length: count }, (_, n) => `${n + 1}`.padStart(32, '0'));
  const item = { description: 'Коробки', classification: { scheme: 'CPV', id: '44617100-9', description: 'Cartons' } };
  const lots = {
    lots: ids.map((id) => ({ id, title: `Лот ${id}`, value: { amount: 500 }, minimalStep: { amount: 35 } })),
    items: ids.map((id) => ({ ...item, id, relatedLot: id })),
  };
  return playToContracts(buyer, seller, lots, {
    lotValues: ids.map((relatedLot) => ({ relatedLot, value: { amount: 400 } })),
  });
}

async function playToContracts(
  buyer: Broker,
  seller: Broker,
  overrides: object,
  bid: object,
): Promise<readonly PlayedContract[]> {
  const tender = await publish(
    buyer,
    minimalTender({ procurementMethodDetails: 'quick, accelerator=1440', ...overrides }),
  );
  const { id, path, tokenQuery } = tender;
  await moveToNextCheck(buyer, id);
  const offered = await seller.post(`${path}/bids`, { tenderers: [TENDERER], ...bid });
  if (offered.status !== 201) throw new Error(`not bid: ${offered.text}`);
  for (const award of (await moveToNextCheck(buyer, id)).awards) {
    const decided = await buyer.patch(`${path}/awards/${award.id}${tokenQuery}`, { status: 'active' });
    if (decided.status !== 200) throw new Error(`not awarded: ${decided.text}`);
  }
  const contracts: readonly Json[] = (await buyer.get(`${path}/contracts`)).body.data;
  return contracts.map((contract) => ({ ...tender, contract }));
}

/** Signs a contract after its stand-still, which completes its tender. Throws when it is refused. */
export async function signContract(buyer: Broker, { id, path, tokenQuery, contract }: PlayedContract): Promise<void> {
  await moveClock(buyer, id, { advance: 'PT21M' });
  const signed = await buyer.patch(`${path}/contracts/${contract.id}${tokenQuery}`, { status: 'active' });
  if (signed.status !== 200) throw new Error(`not signed: ${signed.text}`);
}
