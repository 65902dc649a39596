import { createClient, type BidItem, type ProcurementClient, type TenderInput } from '@procurement/client';
import { startStack } from '@procurement/local-stack/stack';
import { startTestRoom } from '../../test/support/auction-room.ts';
import { until } from '../../test/support/broker.ts';
import { PATIENCE } from '../../test/support/patience.ts';
import { playInRoom } from '../../test/support/play-in-room.ts';
import type { Page } from 'playwright-core';
import type { Picture } from './shoot.ts';

const WIDE = { width: 1280, height: 960 } as const;

/** Starts the whole system and an auction room, and calls `take` for pictures of their pages while they are as they should be seen. */
export async function stackPictures(take: (picture: Picture) => Promise<void>): Promise<void> {
  const stack = await startStack({ durable: false, env: PATIENCE });
  try {
    const { gatewayUrl } = stack;
    await take({ name: 'guide', url: `${gatewayUrl}/docs/guides/first-procedure`, ...WIDE });
    await take({ name: 'reference', url: `${gatewayUrl}/docs`, ...WIDE, height: 1400, first: openOperation });
    // Turns are as long as in life: only this program moves the clock.
    const room = await startTestRoom(gatewayUrl, { SANDBOX_ACCELERATES_STAGES: 'off' });
    try {
      await auctionPictures(gatewayUrl, room.url, take);
    } finally {
      await room.stop();
    }
  } finally {
    await stack.stop();
  }
}

const openOperation = async (page: Page): Promise<void> => {
  await page.locator('.opblock-tag').first().waitFor();
  await page.locator('.opblock-tag').first().click();
  await page.locator('.opblock-summary-control').first().click();
  await page.locator('.opblock-summary-control').first().blur();
};

const ADDRESS = { countryName: 'Україна', region: 'Рівненська область', locality: 'Рівне' } as const;
const CONTACT = { name: 'Ірина Марчук', telephone: '+380362000000' } as const;

/** Names are invented: no company has a number that begins with 9. */
const BIDDERS = [
  { key: 'broker1', name: 'ТОВ «Рівнебудмонтаж»', id: '97650124', amount: 1_455_000, offers: [1_402_000, 1_371_500] },
  { key: 'broker2', name: 'ПП «Полісся-Буд»', id: '94118206', amount: 1_449_000, offers: [1_388_000, 1_359_900] },
  { key: 'broker3', name: 'ТОВ «Захід Інжиніринг»', id: '92350771', amount: 1_438_500, offers: [1_379_000, 1_344_000] },
] as const;

/** A turn of the second round, where one of three bidders has made its offer. */
const SHOWN_STAGE = 6;

async function auctionPictures(
  gatewayUrl: string,
  roomUrl: string,
  take: (picture: Picture) => Promise<void>,
): Promise<void> {
  const { id, links } = await tenderInAuction(gatewayUrl);
  const picture = { url: `${roomUrl}/tenders/${id}?lang=en`, ...WIDE } as const;
  const room = {
    url: roomUrl,
    async beforeMove(stage: number) {
      if (stage === SHOWN_STAGE) await take({ name: 'auction-running', ...picture });
    },
  };
  const offersOf = (n: number, round: number): readonly number[] => [BIDDERS[n]?.offers[round] ?? []].flat();
  const bidders = links.map((link, n) => ({ link, offers: (round: number) => offersOf(n, round) }));
  await playInRoom(room, [{ id, bidders }]);
  await take({ name: 'auction-finished', ...picture });
}

/** Publishes a tender with three bids, and waits until its auction may begin. Answers the links of the bidders. */
async function tenderInAuction(url: string): Promise<{ readonly id: string; readonly links: readonly string[] }> {
  const makeClient = (key: string): ProcurementClient => createClient({ url, key });
  const buyer = makeClient('broker1');
  const { id } = await buyer.createTender(tenderBody());
  await buyer.moveClock(id, { to: 'next_check' });
  const bids: BidItem[] = [];
  for (const { key, name, id: number, amount } of BIDDERS) {
    const client = makeClient(key);
    const tenderers = [
      { name, identifier: { scheme: 'UA-EDR', id: number }, address: ADDRESS, contactPoint: CONTACT },
    ] as const;
    const { id: bid } = await client.tender(id).bids.create({ tenderers, value: { amount } });
    bids.push(client.tender(id).bid(bid));
  }
  await until('the planned auction', async () => (await buyer.tender(id).get()).auctionPeriod?.startDate);
  await buyer.moveClock(id, { to: 'next_check' });
  const awaitLink = async (bid: BidItem): Promise<string> =>
    until('the link of a bidder', async () => (await bid.get()).participationUrl);
  return { id, links: await Promise.all(bids.map(awaitLink)) };
}

const DAY_MS = 86_400_000;

function tenderBody(): TenderInput {
  const inDays = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString();
  const uah = (amount: number) => ({ amount, currency: 'UAH' });
  return {
    mode: 'test',
    title: 'Облаштування укриття в школі на 420 осіб',
    title_en: 'Shelter in a school for 420 people: building works',
    procuringEntity: {
      name: 'Ліцей № 27 міста Рівного',
      name_en: 'Lyceum No. 27, Rivne',
      kind: 'general',
      identifier: { scheme: 'UA-EDR', id: '95733061' },
      address: ADDRESS,
      contactPoint: CONTACT,
    },
    value: uah(1_480_000),
    minimalStep: uah(14_800),
    enquiryPeriod: { endDate: inDays(5) },
    tenderPeriod: { endDate: inDays(12) },
    items: [
      {
        description: 'Роботи з облаштування укриття',
        description_en: 'Building works of the shelter',
        classification: { scheme: 'CPV', id: '45262600-7', description: 'Спеціалізовані будівельні роботи' },
        unit: { name: 'послуга', name_en: 'service', code: 'E48' },
        quantity: 1,
        deliveryDate: { endDate: inDays(90) },
        deliveryAddress: ADDRESS,
      },
    ],
  };
}
