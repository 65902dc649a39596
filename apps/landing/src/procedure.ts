import type { Bid, ProcurementClient, Tender, TenderInput } from '@procurement/client';

/** Who takes part, each with the client of its own key. */
export interface Players {
  readonly buyer: ProcurementClient;
  readonly bidders: readonly ProcurementClient[];
  readonly auction: ProcurementClient;
  readonly anyone: ProcurementClient;
}

/** Shows a step that is done, and the path of what it made. */
export type ShowStep = (text: string, path: string) => void;

const COMPANY = { scheme: 'UA-EDR', id: '00037256' } as const;
const ADDRESS = { countryName: 'Україна', locality: 'Київ', streetAddress: 'вул. Банкова, 11' } as const;
const CONTACT = { name: 'Закупівлі', telephone: '+380440000000' } as const;
const TENDERER = { name: 'ТОВ «Пасіка»', identifier: COMPANY, address: ADDRESS, contactPoint: CONTACT };
const ASK_MS = 200;
const WAIT_MS_MAX = 30_000;

/** Plays a tender from publication to the signed contract, in a sandbox. */
export async function playProcedure(players: Players, show: ShowStep): Promise<void> {
  const { buyer, bidders, anyone } = players;
  const { id } = await buyer.createTender(tenderOfDays());
  const path = `/tenders/${id}`;
  show('A tender is published', path);
  const question = await bidders[0]?.tender(id).questions.create({ author: TENDERER, title: 'Який мед?' });
  if (question !== undefined) await buyer.tender(id).question(question.id).patch({ answer: 'Липовий.' });
  show('A bidder asked, the buyer answered', `${path}/questions`);
  await buyer.moveClock(id, { to: 'next_check' });
  const bids: Bid[] = [];
  for (const [n, bidder] of bidders.entries()) {
    bids.push(await bidder.tender(id).bids.create({ tenderers: [TENDERER], value: { amount: 480 - 10 * n } }));
  }
  show(`${bids.length} bids are in, sealed until the end of tendering`, path);
  await until(async () => (await anyone.tender(id).get()).auctionPeriod?.startDate !== undefined);
  await buyer.moveClock(id, { to: 'next_check' });
  await holdAuction(players, id, bids);
  show('The auction is over, the bids are open', `${path}/bids`);
  const [award] = await anyone.tender(id).awards.list();
  await buyer
    .tender(id)
    .award(award?.id ?? '')
    .patch({ status: 'active' });
  show('The lowest bid has the award', `${path}/awards`);
  // The stand-still of ten days, 1,440 times as fast.
  await buyer.moveClock(id, { advance: 'PT12M' });
  const [contract] = await anyone.tender(id).contracts.list();
  await buyer
    .tender(id)
    .contract(contract?.id ?? '')
    .patch({ status: 'active' });
  const { status }: Tender = await anyone.tender(id).get();
  show(`The contract is signed, the tender is ${status}`, path);
}

/** A tender with periods of days that last minutes. `procurementMethodDetails` exists in a sandbox only, so the API does not describe it. */
function tenderOfDays(): TenderInput & { readonly procurementMethodDetails: string } {
  const inMinutes = (minutes: number): string => new Date(Date.now() + minutes * 60_000).toISOString();
  return {
    title: 'Мед',
    procuringEntity: {
      name: 'Школа № 1',
      kind: 'general',
      identifier: COMPANY,
      address: ADDRESS,
      contactPoint: CONTACT,
    },
    value: { amount: 500, currency: 'UAH' },
    minimalStep: { amount: 10, currency: 'UAH' },
    items: [
      {
        description: 'Мед у відрах',
        classification: { scheme: 'CPV', id: '03142100-9', description: 'Натуральний мед' },
        additionalClassifications: [{ scheme: 'ДКПП', id: '01.49.21', description: 'Мед натуральний' }],
        unit: { name: 'кг', code: 'KGM' },
        quantity: 50,
        deliveryAddress: ADDRESS,
        deliveryDate: { endDate: inMinutes(100_000) },
      },
    ],
    enquiryPeriod: { endDate: inMinutes(10) },
    tenderPeriod: { endDate: inMinutes(20) },
    procurementMethodDetails: 'quick, accelerator=1440',
  };
}

/** Does what an auction component does: reads the bids, gives addresses, reports the result. */
async function holdAuction({ buyer, auction }: Players, id: string, bids: readonly Bid[]): Promise<void> {
  const room = auction.tender(id).auction;
  await room.get();
  const auctionUrl = `${location.origin}/auctions/${id}`;
  await room.patch({
    auctionUrl,
    bids: bids.map((bid) => ({ id: bid.id, participationUrl: `${auctionUrl}?b=${bid.id}` })),
  });
  await buyer.moveClock(id, { to: 'next_check' });
  await room.report({ bids: bids.map((bid, n) => ({ id: bid.id, value: { amount: 400 - 10 * n } })) });
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + WAIT_MS_MAX;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error('the auction was not planned in time');
    await new Promise((resolve) => setTimeout(resolve, ASK_MS));
  }
}
