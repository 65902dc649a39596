import type { ServerResponse } from 'node:http';
import { addMicros, formatLocalDate, type Instant } from '@procurement/contracts/reading/instant';
import type { Logger } from '@procurement/kit/runtime/log';
import { mineOf } from '../domain/mine.ts';
import { publicState } from '../domain/public-document.ts';
import type { SeenAuction } from '../store/auctions.store.ts';
import { eventFrame } from './frames.ts';

/** One open stream. */
export interface Watcher {
  readonly response: ServerResponse;
  readonly bidder?: Bidder;
}

/** Of a session. */
export interface Bidder {
  readonly bid: string;
  readonly id: string;
  /** Of the link that opened it: a renewed link ends it. */
  readonly generation: number;
}

/** Everybody who watches an auction at this replica. */
export interface Hub {
  /** Sends the present state unless the browser has it, and every change from now on. */
  add(auctionId: string, watcher: Watcher, seen: SeenAuction, lastSeq: number | undefined): void;
  /** An auction changed, here or at another replica. */
  publish(seen: SeenAuction): void;
  /** The state that those who watch an auction here were sent last; undefined when nobody does. */
  seen(auctionId: string): SeenAuction | undefined;
  watched(): readonly { readonly auctionId: string; readonly seq: number; readonly aheadMicros: number }[];
  /** Streams of watchers, or of bidders. */
  count(who?: 'bidders'): number;
  devices(auctionId: string, bid: string): number;
  /** Streams of one session. */
  streamsOf(auctionId: string, sessionId: string): number;
  /** Ends all streams with `bye`, a part at a time: not all come back at once. */
  close(overMs: number): Promise<void>;
}

export interface HubDeps {
  readonly now: () => Instant;
  readonly log: Logger;
}

interface Audience {
  seen: SeenAuction;
  readonly watchers: Set<Watcher>;
  /** What each bidder was sent last. */
  readonly mine: Map<string, string>;
}

/** A reader that slow comes back and gets the present state. */
const UNSENT_BYTES_MAX = 256 * 1024;
const TIME_MS = 5_000;
/** Watchers get the time with every third frame of bidders. */
const WATCHERS_EVERY = 3;
const CLOSE_STEPS = 20;

export function makeHub({ now, log }: HubDeps): Hub {
  const audiences = new Map<string, Audience>();
  // Read at each connection: a count of all streams then would take as long as there are streams.
  const counts = { watchers: 0, bidders: 0 };
  let beats = 0;

  function send({ response }: Watcher, frame: Buffer): void {
    if (response.destroyed || response.writableEnded) return;
    if (response.writableLength > UNSENT_BYTES_MAX) response.destroy();
    else response.write(frame);
  }

  function stateFrame({ auction, aheadMicros }: SeenAuction): Buffer {
    return eventFrame('state', publicState(auction, addMicros(now(), aheadMicros)), auction.publicSeq);
  }

  function sendMine(audience: Audience, bid: string, only?: Watcher): void {
    const mine = JSON.stringify(mineOf(audience.seen.auction, bid));
    if (only === undefined && audience.mine.get(bid) === mine) return;
    audience.mine.set(bid, mine);
    const frame = eventFrame('mine', mine);
    for (const watcher of only === undefined ? audience.watchers : [only])
      if (watcher.bidder?.bid === bid) send(watcher, frame);
  }

  function sendTime(): void {
    beats += 1;
    for (const { seen, watchers } of audiences.values()) {
      const frame = eventFrame('time', { now: formatLocalDate(addMicros(now(), seen.aheadMicros)) });
      for (const watcher of watchers)
        if (watcher.bidder !== undefined || beats % WATCHERS_EVERY === 0) send(watcher, frame);
    }
  }
  const timer = setInterval(sendTime, TIME_MS);
  timer.unref();

  const everybody = (): readonly Watcher[] => [...audiences.values()].flatMap(({ watchers }) => [...watchers]);

  /** A leaked link must show nothing from the moment at which it was renewed. */
  function endRenewed({ seen, watchers }: Audience): void {
    for (const { response, bidder } of watchers) {
      if (bidder !== undefined && generationOf(seen, bidder.bid) !== bidder.generation) {
        response.end(eventFrame('bye', {}));
      }
    }
  }

  function publish(seen: SeenAuction): void {
    const audience = audiences.get(seen.auction.plan.id);
    if (audience === undefined) return;
    const before = audience.seen;
    // News of two ways may overtake each other.
    if (seen.auction.seq < before.auction.seq) return;
    audience.seen = seen;
    endRenewed(audience);
    const isMoved = seen.aheadMicros !== before.aheadMicros;
    if (seen.auction.publicSeq !== before.auction.publicSeq || isMoved) {
      const frame = stateFrame(seen);
      for (const watcher of audience.watchers) send(watcher, frame);
    }
    if (seen.auction.seq === before.auction.seq) return;
    for (const bid of new Set([...audience.watchers].flatMap(({ bidder }) => bidder?.bid ?? [])))
      sendMine(audience, bid);
  }

  return {
    publish,
    add(auctionId, watcher, seen, lastSeq) {
      // Closed while its auction was read: no event would remove it.
      if (watcher.response.destroyed) return;
      const audience = audiences.get(auctionId) ?? { seen, watchers: new Set(), mine: new Map() };
      audiences.set(auctionId, audience);
      audience.watchers.add(watcher);
      const kind = watcher.bidder === undefined ? 'watchers' : 'bidders';
      counts[kind] += 1;
      watcher.response.once('close', () => {
        counts[kind] -= 1;
        audience.watchers.delete(watcher);
        if (audience.watchers.size === 0) audiences.delete(auctionId);
      });
      if (audience.seen.auction.seq < seen.auction.seq) publish(seen);
      if (lastSeq !== audience.seen.auction.publicSeq) send(watcher, stateFrame(audience.seen));
      // The link may have been renewed after the session was checked.
      endRenewed(audience);
      if (watcher.bidder !== undefined) sendMine(audience, watcher.bidder.bid, watcher);
    },
    seen: (auctionId) => audiences.get(auctionId)?.seen,
    watched: () =>
      [...audiences].map(([auctionId, { seen }]) => ({
        auctionId,
        seq: seen.auction.seq,
        aheadMicros: seen.aheadMicros,
      })),
    count: (who) => counts[who ?? 'watchers'],
    devices: (auctionId, bid) =>
      [...(audiences.get(auctionId)?.watchers ?? [])].filter(({ bidder }) => bidder?.bid === bid).length,
    streamsOf: (auctionId, sessionId) =>
      [...(audiences.get(auctionId)?.watchers ?? [])].filter(({ bidder }) => bidder?.id === sessionId).length,
    async close(overMs) {
      clearInterval(timer);
      const rest = [...everybody()];
      const step = Math.max(Math.ceil(rest.length / CLOSE_STEPS), 1);
      log.info({ streams: rest.length }, 'streams are closed');
      while (rest.length > 0) {
        for (const { response } of rest.splice(0, step)) response.end(eventFrame('bye', {}));
        if (rest.length > 0) await new Promise((resolve) => setTimeout(resolve, overMs / CLOSE_STEPS));
      }
    },
  };
}

function generationOf({ auction }: SeenAuction, bid: string): number | undefined {
  return auction.bids.find(({ id }) => id === bid)?.generation;
}
