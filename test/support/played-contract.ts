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
  const tender = await publish(
    buyer,
    minimalTender({ procurementMethodDetails: 'quick, accelerator=1440', ...overrides }),
  );
  const { id, path, tokenQuery } = tender;
  await moveToNextCheck(buyer, id);
  await seller.post(`${path}/bids`, { tenderers: [TENDERER], value: { amount: 400 } });
  const [award] = (await moveToNextCheck(buyer, id)).awards;
  const decided = await buyer.patch(`${path}/awards/${award.id}${tokenQuery}`, { status: 'active' });
  if (decided.status !== 200) throw new Error(`not awarded: ${decided.text}`);
  const [contract] = (await buyer.get(`${path}/contracts`)).body.data;
  return { ...tender, contract };
}

/** Signs a contract after its stand-still, which completes its tender. Throws when it is refused. */
export async function signContract(buyer: Broker, { id, path, tokenQuery, contract }: PlayedContract): Promise<void> {
  await moveClock(buyer, id, { advance: 'PT21M' });
  const signed = await buyer.patch(`${path}/contracts/${contract.id}${tokenQuery}`, { status: 'active' });
  if (signed.status !== 200) throw new Error(`not signed: ${signed.text}`);
}
