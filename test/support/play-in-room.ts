import { enterRoom, roomState, toNextStage, type RoomBidder } from './auction-room.ts';
import { until, type Json } from './broker.ts';

/** An auction room that holds the auctions of a story. */
export interface StoryRoom {
  readonly url: string;
  /** Runs before the clock of an auction moves on, while the stage is open. */
  readonly beforeMove?: (stage: number) => Promise<void>;
}

/** A bidder and what it offers. */
export interface BidderInRoom {
  readonly link: string;
  /** Amount of its offer in its first turn, which has to be accepted. A bidder without an amount offers nothing. */
  readonly amount?: number | undefined;
  /** Replaces `amount` by its offers in a round (0 to 2), in this order; -1 withdraws. Refused offers are part of the play. */
  readonly offers?: (round: number) => readonly number[];
}

export interface AuctionInRoom {
  readonly id: string;
  readonly bidders: readonly BidderInRoom[];
}

type Seat = RoomBidder & BidderInRoom;

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
  const played = new Set<string>();
  for (;;) {
    const states = await Promise.all(tables.map(async ({ id }) => awaitState(room, id)));
    for (const [n, { seats }] of tables.entries()) await offerInTurn(states[n], seats, played);
    const open = states.filter(({ phase }) => OPEN.has(phase));
    if (open.length === 0) return;
    // After the last boundary only the tender service is awaited.
    const [next] = open
      .filter(({ phase, timer, now }) => phase !== 'finished' || Date.parse(timer) > Date.parse(now))
      .toSorted((one, other) => Date.parse(one.timer) - Date.parse(other.timer));
    if (next === undefined) {
      await until('the results', async () => (await awaitState(room, open[0].id)).phase === 'announced');
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
  const seats = bidders.map(async (bidder) => ({ ...(await enterRoom(bidder.link)), ...bidder }));
  return { id, seats: await Promise.all(seats) };
}

async function offerInTurn(state: Json, seats: readonly Seat[], played: Set<string>): Promise<void> {
  const turn = `${state.id} ${state.current_stage}`;
  const stage = state.phase === 'running' ? state.stages[state.current_stage] : undefined;
  const seat = seats.find(({ bid }) => bid === stage?.bidder_id);
  if (seat === undefined || played.has(turn)) return;
  // A pause and a turn of each bidder.
  const round = Math.floor((state.current_stage - 1) / (seats.length + 1));
  const player = `${state.id} ${seat.bid}`;
  const { amount, offers = () => (amount === undefined || played.has(player) ? [] : [amount]) } = seat;
  for (const one of offers(round)) {
    const { status, body } = await seat.offer(one === -1 ? null : one);
    const isPlayed = status === 200 || (status === 422 && seat.offers !== undefined);
    if (!isPlayed) throw new Error(`no offer of ${one}: ${status} ${JSON.stringify(body)}`);
  }
  played.add(turn).add(player);
}

async function awaitState(room: StoryRoom, auctionId: string): Promise<Json> {
  return until(`the auction ${auctionId}`, async () => roomState(room.url, auctionId).catch(() => undefined));
}

/** The room never knew an auction of the tender. */
export async function expectNoAuction({ url }: StoryRoom, tenderId: string): Promise<void> {
  const answer = await fetch(`${url}/tenders/${tenderId}/state`);
  if (answer.status !== 404) throw new Error(`the room holds an auction: ${answer.status} ${await answer.text()}`);
}
