import { isProblem, type Period, type ProcurementClient, type TenderInput } from '@procurement/client';
import type { Player } from './keys.ts';
import type { Run } from './run.ts';

/** The clients of a step, and how it waits for what the system does by itself. */
export interface Stage {
  readonly clients: Readonly<Record<Player, ProcurementClient>>;
  readonly waitFor: (what: (client: ProcurementClient) => Promise<boolean>) => Promise<void>;
}

interface Step {
  readonly name: string;
  /** Sends the requests of the step; answers what later ones need to know. Throws when a request is refused. */
  readonly play: (stage: Stage, run: Run) => Promise<Partial<Run>>;
}

const ADDRESS = { countryName: 'Україна', region: 'Рівненська область', locality: 'Рівне' } as const;
const CONTACT = { name: 'Олена Приклад', telephone: '+380360000000' } as const;
const SELLER = { address: ADDRESS, contactPoint: CONTACT } as const;
const SELLER_1 = { ...SELLER, name: 'ТОВ «Папір Плюс»', identifier: { scheme: 'UA-EDR', id: '23456702' } } as const;
const SELLER_2 = { ...SELLER, name: 'ПП «Білий аркуш»', identifier: { scheme: 'UA-EDR', id: '34567803' } } as const;
const OFFERS = [
  { player: 'seller1', tenderers: [SELLER_1], value: { amount: 96_000 }, final: { amount: 92_500 } },
  { player: 'seller2', tenderers: [SELLER_2], value: { amount: 95_000 }, final: { amount: 91_000 } },
] as const;
const DAY_MS = 86_400_000;

/** A procedure from publication to the signed contract. The order is that of the page. */
export const STEPS = [
  {
    name: 'publish',
    async play({ clients: { buyer } }, run) {
      const { id, tenderID: number } = await buyer.createTender(buildTender(run.at));
      return { tender: { id, number, token: await readToken(buyer, id) } };
    },
  },
  {
    name: 'question',
    async play({ clients: { buyer, seller1 } }, run) {
      const id = tenderOfRun(run);
      const question = await seller1.tender(id).questions.create({
        author: SELLER_1,
        title: 'Щільність паперу',
        description: 'Чи підійде папір щільністю 75 г/м²?',
      });
      await buyer.tender(id).question(question.id).patch({ answer: 'Ні, лише 80 г/м².' });
      return {};
    },
  },
  { name: 'tendering', play: toNextCheck },
  {
    name: 'bids',
    async play({ clients }, run) {
      const bids = [];
      for (const { player, tenderers, value } of OFFERS) {
        const { id } = await clients[player].tender(tenderOfRun(run)).bids.create({ tenderers, value });
        bids.push({ id, token: await readToken(clients[player], id) });
      }
      return { bids };
    },
  },
  {
    name: 'sealed',
    async play({ clients: { buyer, seller2 } }, run) {
      const id = tenderOfRun(run);
      const [first] = run.bids;
      await expectRefusal(async () =>
        seller2
          .tender(id)
          .bid(first?.id ?? '')
          .get({ as: run.bids[1]?.id ?? '' }),
      );
      await expectRefusal(async () => buyer.tender(id).bids.list());
      return {};
    },
  },
  {
    name: 'auction',
    async play(stage, run) {
      const id = tenderOfRun(run);
      await stage.waitFor(async (client) => (await client.tender(id).get()).auctionPeriod?.startDate !== undefined);
      return toNextCheck(stage, run);
    },
  },
  {
    name: 'results',
    async play(stage, run) {
      const { auction } = stage.clients.auction.tender(tenderOfRun(run));
      await auction.get();
      await toNextCheck(stage, run);
      await auction.report({ bids: run.bids.map(({ id }, n) => ({ id, value: OFFERS[n]?.final ?? { amount: 0 } })) });
      return {};
    },
  },
  {
    name: 'award',
    async play({ clients: { anyone, buyer } }, run) {
      const id = tenderOfRun(run);
      const [award] = await anyone.tender(id).awards.list();
      await buyer
        .tender(id)
        .award(award?.id ?? '')
        .patch({ status: 'active' });
      return { award: award?.id };
    },
  },
  {
    name: 'standstill',
    async play({ clients: { anyone, buyer } }, run) {
      const id = tenderOfRun(run);
      const { complaintPeriod } = await anyone
        .tender(id)
        .award(run.award ?? '')
        .get();
      await buyer.moveClock(id, { advance: formatDuration(complaintPeriod) });
      return {};
    },
  },
  {
    name: 'contract',
    async play({ clients: { anyone, buyer } }, run) {
      const id = tenderOfRun(run);
      const contracts = await anyone.tender(id).contracts.list();
      const contract = contracts.find(({ awardID }) => awardID === run.award) ?? contracts[0];
      await buyer
        .tender(id)
        .contract(contract?.id ?? '')
        .patch({ status: 'active' });
      return {};
    },
  },
] as const satisfies readonly Step[];

export type StepName = (typeof STEPS)[number]['name'];

/** Moves the clock of the tender to what happens next by itself. */
async function toNextCheck({ clients: { buyer } }: Stage, run: Run): Promise<Partial<Run>> {
  await buyer.moveClock(tenderOfRun(run), { to: 'next_check' });
  return {};
}

/** The length of a period that has begun: two working days may last for four days. */
function formatDuration({ startDate = '', endDate = '' }: Period = {}): string {
  return `PT${Math.ceil((Date.parse(endDate) - Date.parse(startDate)) / 1_000)}S`;
}

function tenderOfRun({ tender }: Run): string {
  if (tender === undefined) throw new Error('the run has no tender');
  return tender.id;
}

async function readToken({ tokens }: ProcurementClient, id: string): Promise<string> {
  return (await tokens.get(id))?.token ?? '';
}

/** The step shows that the API refuses; anything else is a failure. */
async function expectRefusal(request: () => Promise<unknown>): Promise<void> {
  try {
    await request();
  } catch (error) {
    if (isProblem(error, 'forbidden')) return;
    throw error;
  }
  throw new Error('a sealed bid was shown');
}

/** Published with the mark of tests; with periods of days, as in life. */
function buildTender(at: string): TenderInput & { readonly mode: 'test' } {
  const inDays = (days: number): string => new Date(Date.parse(at) + days * DAY_MS).toISOString();
  return {
    mode: 'test',
    title: 'Папір офісний А4, 80 г/м²',
    title_en: 'Office paper A4, 80 g/m²',
    procuringEntity: {
      name: 'Ліцей № 27',
      kind: 'general',
      identifier: { scheme: 'UA-EDR', id: '25733061', legalName: 'Ліцей № 27' },
      address: ADDRESS,
      contactPoint: CONTACT,
    },
    value: { amount: 100_000, currency: 'UAH' },
    minimalStep: { amount: 1000, currency: 'UAH' },
    enquiryPeriod: { endDate: inDays(5) },
    tenderPeriod: { endDate: inDays(12) },
    items: [
      {
        description: 'Папір офісний білий, А4, 80 г/м², 500 аркушів у пачці',
        description_en: 'White office paper, A4, 80 g/m², packs of 500 sheets',
        classification: { scheme: 'CPV', id: '30197630-1', description: 'Папір для друку' },
        unit: { name: 'пачка', code: 'PK' },
        quantity: 500,
        deliveryDate: { endDate: inDays(60) },
        deliveryAddress: ADDRESS,
      },
    ],
  };
}
