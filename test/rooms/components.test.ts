import { startStack, type Stack } from '@procurement/local-stack/stack';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  auctionComponent,
  type AuctionPlace,
  type ComponentGeneration,
  type Offers,
  type PlannedAuction,
} from '../support/auction-component.ts';
import { roomState, startTestRoom, type TestRoom } from '../support/auction-room.ts';
import { patientBroker, until, type Broker, type Json } from '../support/broker.ts';
import { PATIENCE } from '../support/patience.ts';
import { playInRoom } from '../support/play-in-room.ts';
import { SLOW_TURNS, stopBoth } from '../support/room-system.ts';
import { moveToNextCheck } from '../support/sandbox.ts';
import { tenderInAuction } from '../support/tender-in-auction.ts';
import { linksOfBids, ownBid, type OwnBid } from '../e2e/stories/links-of-bids.ts';
import { bidForLots, LOT_IDS, publishTenderWithLots } from '../e2e/stories/lots.ts';
import { untilAuctionsPlanned, untilTender } from '../e2e/stories/wait-for-tender.ts';

let stack: Stack;
let gatewayUrl: string;
let operator: Broker;
const GENERATIONS: readonly ComponentGeneration[] = ['old', 'new'];

/** A tender whose auctions wait for their start. */
interface Prepared {
  readonly id: string;
  readonly path: string;
  /** A tender without lots has one auction, whose entry is `undefined`. */
  readonly lots: readonly (string | undefined)[];
  /** Links of the auction at this place of `lots`, once they are published. */
  links(at: number): Promise<readonly string[]>;
}

/** The same tender every time, and what its bidders do. */
interface Shape {
  prepare(): Promise<Prepared>;
  readonly offers: Offers;
  /** Amounts of the bids at the end, and of the awards. */
  readonly results: readonly (readonly number[])[];
  readonly awards: readonly number[];
}

/**
 * Bids of 469, 479 and 489, and a step of 35. An offer above the limit, one that is replaced, one that is withdrawn, and two equal
 * amounts, of which the earlier one wins.
 */
const THREE_BIDDERS: readonly (readonly (readonly number[])[])[] = [
  [[434], [399], []],
  [[460, 444, 440], [399], [365]],
  [[454, -1], [420, 430], []],
];
const LOTS: readonly (readonly (readonly number[])[])[] = [
  [[400], [], [360]],
  [[455, 420], [385, -1], [350]],
];
const fromTable =
  (table: readonly (readonly (readonly number[])[])[]): Offers =>
  (place, round) =>
    table[place]?.[round] ?? [];

const SHAPES: Readonly<Record<string, Shape>> = {
  'three bidders': {
    async prepare() {
      const { id, path, links } = await tenderInAuction(gatewayUrl, ['broker2', 'broker3', 'broker2']);
      return { id, path, lots: [undefined], links: async () => links() };
    },
    offers: fromTable(THREE_BIDDERS),
    results: [[399], [399], [430]],
    awards: [399],
  },
  'two lots': {
    async prepare() {
      const tender = await publishTenderWithLots(operator);
      await moveToNextCheck(operator, tender.id);
      const bidders = ['broker2', 'broker3'].map((key) => patientBroker(gatewayUrl, key, '2.5'));
      const bids: OwnBid[] = [];
      for (const [n, client] of bidders.entries())
        bids.push(ownBid(client, tender.path, await bidForLots(client, tender.path, 480 + 10 * n, 470 - 10 * n)));
      await untilAuctionsPlanned(operator, tender.path);
      await moveToNextCheck(operator, tender.id);
      return { ...tender, lots: LOT_IDS, links: async (at) => linksOfBids(bids, at) };
    },
    offers: fromTable(LOTS),
    results: [
      [360, 360],
      [350, 350],
    ],
    awards: [350, 350],
  },
};

/** Moves the clock to the start of the auction. It stays before all auctions of lots: their order depends on the plan of the day. */
async function toStart({ id, lots }: Prepared): Promise<void> {
  if (lots.length === 1) await moveToNextCheck(operator, id);
}

async function planAll(generation: ComponentGeneration, { id, lots }: Prepared): Promise<readonly PlannedAuction[]> {
  const component = auctionComponent(gatewayUrl, generation);
  const planned: PlannedAuction[] = [];
  for (const lot of lots) planned.push(await component.plan(buildPlace(id, lot)));
  return planned;
}

function buildPlace(id: string, lot: string | undefined): AuctionPlace {
  return { id, ...(lot === undefined ? {} : { lot }) };
}

/** The tender with the awards. */
async function awaitAwards({ path, lots }: Prepared): Promise<Json> {
  return untilTender(
    operator,
    path,
    'the awards and the records of the auctions',
    (tender) => tender.status === 'active.qualification' && listRecords(tender).length === lots.length,
  );
}

/** Title and author of the records, of which a tender shows every version. */
function listRecords({ documents = [] }: Json): readonly string[] {
  return [...new Set<string>(documents.map(({ title, author }: Json) => `${title} by ${author}`))].toSorted();
}

/** What a tender shows, without what differs between two plays: times, addresses, and ids, which are numbered. */
function comparable(tender: Json): Json {
  const ids: string[] = [];
  const numberId = (id: string): string => {
    if (!ids.includes(id)) ids.push(id);
    return `id ${ids.indexOf(id)}`;
  };
  const text = JSON.stringify({ ...tender, documents: listRecords(tender), tenderID: '' }, (_key, value: unknown) => {
    if (typeof value !== 'string') return value;
    if (/^\d{4}-\d\d-\d\dT/.test(value)) return 'a time';
    if (/^https?:/.test(value)) return 'an address';
    return value.replaceAll(/[0-9a-f]{32}/g, numberId);
  });
  return JSON.parse(text);
}

/** Played by components while no room runs: a room would publish its addresses first. */
const played = new Map<string, Json>();
let held: Prepared;
let heldByOther: readonly PlannedAuction[];
let room: TestRoom;

beforeAll(async () => {
  stack = await startStack({ durable: false, env: PATIENCE });
  ({ gatewayUrl } = stack);
  operator = patientBroker(gatewayUrl, 'broker1', '2.5');
  const plays = Object.entries(SHAPES).flatMap(([name, shape]) =>
    GENERATIONS.map(async (generation) => {
      const tender = await shape.prepare();
      const auctions = await planAll(generation, tender);
      await toStart(tender);
      for (const auction of auctions) await auction.hold(shape.offers);
      played.set(`${name}, ${generation}`, await awaitAwards(tender));
    }),
  );
  held = await prepared('three bidders');
  heldByOther = await planAll('new', held);
  await Promise.all(plays);
  room = await startTestRoom(gatewayUrl, SLOW_TURNS);
});
afterAll(async () => stopBoth(room, stack));

function requireShape(name: string): Shape {
  const shape = SHAPES[name];
  if (shape === undefined) throw new Error(`no shape ${name}`);
  return shape;
}

async function prepared(name: string): Promise<Prepared> {
  return requireShape(name).prepare();
}

const amountsOf = ({ bids }: Json): Json =>
  bids.map(({ value, lotValues }: Json) => (lotValues ?? [{ value }]).map((one: Json) => one.value.amount));

describe('the hand-off of an auction (A51)', () => {
  it.each(Object.keys(SHAPES))('has one result with the room and with components that are not: %s', async (name) => {
    const { offers, results, awards } = requireShape(name);
    const tender = await prepared(name);
    const auctions = tender.lots.map(async (lot, at) => {
      const links = await tender.links(at);
      const bidders = links.map((link, place) => ({ link, offers: (round: number) => offers(place, round) }));
      return { id: lot === undefined ? tender.id : `${tender.id}_${lot}`, bidders };
    });
    await playInRoom(room, await Promise.all(auctions));
    const byRoom = await awaitAwards(tender);
    expect(amountsOf(byRoom)).toEqual(results);
    expect(byRoom.awards.map(({ value }: Json) => value.amount)).toEqual(awards);
    for (const generation of GENERATIONS)
      expect(comparable(played.get(`${name}, ${generation}`)), generation).toEqual(comparable(byRoom));
  });
});

describe('the room and another component at once (A54)', () => {
  it('leaves a tender to the component that published its addresses first', async () => {
    // The room reads the feed in order: once it holds a later tender, it has read the earlier one.
    const later = await prepared('three bidders');
    await later.links(0);
    expect(await roomState(room.url, held.id)).toBeUndefined();
    await toStart(held);
    for (const auction of heldByOther) await auction.hold(requireShape('three bidders').offers);
    expect(amountsOf(await awaitAwards(held))).toEqual(requireShape('three bidders').results);
  });

  it('has one result, that of the first report, when both hold one tender', async () => {
    const tender = await prepared('three bidders');
    await tender.links(0);
    // Its addresses replace those of the room.
    const auctions = await planAll('new', tender);
    await toStart(tender);
    const offers: Offers = (place, round) => (place === 2 && round === 0 ? [300] : []);
    for (const auction of auctions) await auction.hold(offers);
    await until('the end of the auction in the room', async () => {
      const { phase } = await roomState(room.url, tender.id);
      return phase === 'conflict' || phase === 'cancelled';
    });
    const end = await awaitAwards(tender);
    expect(amountsOf(end)).toEqual([[469], [479], [300]]);
    expect(end.awards.map(({ value }: Json) => value.amount)).toEqual([300]);
  });
});
