import { enterRoom, roomState, toNextStage, type RoomBidder } from './auction-room.ts';
import { until, type Json } from './broker.ts';

/** An auction room that holds the auctions of a story. */
export interface StoryRoom {
  readonly url: string;
  /** Runs before the clock of an auction moves on, while the stage is open. */
  readonly beforeMove?: (stage: number) => Promise<void>;
}

/** One auction: the link of each bidder, and what it offers in its first turn; nothing without an amount. */
export interface AuctionInRoom {
  readonly id: string;
  readonly bidders: readonly { readonly link: string; readonly amount?: number | undefined }[];
}

interface Seat extends RoomBidder {
  readonly amount: number | undefined;
}

interface Table {
  readonly id: string;
  readonly seats: readonly Seat[];
}

const OPEN: ReadonlySet<string> = new Set(['planned', 'running', 'finished']);

/**
 * Plays auctions of one tender until the room has announced all of them. They share the clock of the tender, which goes from
 * one boundary to the next of any of them. The room may be away in between.
 */
export async function playInRoom(room: StoryRoom, auctions: readonly AuctionInRoom[]): Promise<void> {
  const tables = await Promise.all(auctions.map(async (auction) => sitDown(auction)));
  const offered = new Set<Seat>();
  for (;;) {
    const states = await Promise.all(tables.map(async ({ id }) => stateOf(room, id)));
    for (const [n, { seats }] of tables.entries()) await offerInTurn(states[n], seats, offered);
    const open = states.filter(({ phase }) => OPEN.has(phase));
    if (open.length === 0) return;
    // After the last boundary only the tender service is awaited.
    const [next] = open
      .filter(({ phase, timer, now }) => phase !== 'finished' || Date.parse(timer) > Date.parse(now))
      .toSorted((one, other) => Date.parse(one.timer) - Date.parse(other.timer));
    if (next === undefined) {
      await until('the results', async () => (await stateOf(room, open[0].id)).phase === 'announced');
      continue;
    }
    await room.beforeMove?.(next.current_stage);
    await until('the next stage', async () =>
      toNextStage(room.url, next.id).then(
        () => true,
        () => false,
      ),
    );
  }
}

/** Enters an auction with every link. */
async function sitDown({ id, bidders }: AuctionInRoom): Promise<Table> {
  const seats = bidders.map(async ({ link, amount }) => ({ ...(await enterRoom(link)), amount }));
  return { id, seats: await Promise.all(seats) };
}

async function offerInTurn(state: Json, seats: readonly Seat[], offered: Set<Seat>): Promise<void> {
  const stage = state.phase === 'running' ? state.stages[state.current_stage] : undefined;
  const seat = seats.find(({ bid }) => bid === stage?.bidder_id);
  if (seat?.amount === undefined || offered.has(seat)) return;
  const { status, body } = await seat.offer(seat.amount);
  if (status !== 200) throw new Error(`no offer of ${seat.amount}: ${status} ${JSON.stringify(body)}`);
  offered.add(seat);
}

async function stateOf(room: StoryRoom, auctionId: string): Promise<Json> {
  return until(`the auction ${auctionId}`, async () => roomState(room.url, auctionId).catch(() => undefined));
}

/** The room never knew an auction of the tender. */
export async function expectNoAuction({ url }: StoryRoom, tenderId: string): Promise<void> {
  const answer = await fetch(`${url}/tenders/${tenderId}/state`);
  if (answer.status !== 404) throw new Error(`the room holds an auction: ${answer.status} ${await answer.text()}`);
}
