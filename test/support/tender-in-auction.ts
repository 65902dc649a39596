import { patientBroker, until, type Json } from './broker.ts';
import { publish, TENDERER } from './published-tender.ts';
import { minimalTender } from './request-bodies.ts';
import { moveToNextCheck } from './sandbox.ts';

/** A tender in its auction, which waits for its start. */
export interface TenderInAuction {
  readonly id: string;
  readonly path: string;
  /** `?acc_token=` of the owner. */
  readonly tokenQuery: string;
  /** Waits for the links of the bidders, in the order of the bids. */
  links(): Promise<readonly string[]>;
}

const FIRST_AMOUNT = 469;
const STEP = 10;

/** Bids of 469, 479 and so on, one for each key. */
export async function tenderInAuction(
  gatewayUrl: string,
  keys: readonly string[],
  more: Json = {},
): Promise<TenderInAuction> {
  const buyer = patientBroker(gatewayUrl, 'broker1', '2.5');
  const { id, path, tokenQuery } = await publish(
    buyer,
    minimalTender({ procurementMethodDetails: 'quick, accelerator=1440', ...more }),
  );
  await moveToNextCheck(buyer, id);
  const bids: (() => Promise<string>)[] = [];
  for (const [n, key] of keys.entries()) {
    const bidder = patientBroker(gatewayUrl, key, '2.5');
    const made = await bidder.post(`${path}/bids`, {
      tenderers: [TENDERER],
      value: { amount: FIRST_AMOUNT + STEP * n },
    });
    if (made.status !== 201) throw new Error(`no bid: ${made.text}`);
    const own = `${path}/bids/${made.body.data.id}?acc_token=${made.body.access.token}`;
    bids.push(async () =>
      until('the link of the bidder', async () => (await bidder.get(own)).body.data.participationUrl),
    );
  }
  await until('the planned auction', async () => (await buyer.get(path)).body.data.auctionPeriod?.startDate);
  await moveToNextCheck(buyer, id);
  return { id, path, tokenQuery, links: async () => Promise.all(bids.map(async (link) => link())) };
}
