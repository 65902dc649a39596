import { addMicros, type Instant } from '@procurement/contracts/reading/instant';
import type { Logger } from '@procurement/kit/runtime/log';
import type { Entrant } from '../domain/commands.ts';
import { bidderView } from '../domain/bidder-view.ts';
import { isEntrant } from '../domain/offer.rules.ts';
import type { SeenAuction } from '../store/auctions.store.ts';
import { eventFrame } from './frames.ts';
import type { Format, Outlet } from './outlets.ts';

/** One open stream or socket. */
export interface Watcher {
  readonly outlet: Outlet;
  readonly bidder?: Entrant;
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
  /** Streams of a bidder. */
  devices(auctionId: string, bid: string): number;
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
const CLOSE_STEPS = 20;

export function makeHub({ now, log }: HubDeps): Hub {
  const audiences = new Map<string, Audience>();
  // Read at each connection: a count of all streams then would take as long as there are streams.
  const counts = { watchers: 0, bidders: 0 };
  let beats = 0;

  function send({ outlet }: Watcher, frame: Buffer): void {
    if (outlet.isClosed()) return;
    if (outlet.unsentBytes() > UNSENT_BYTES_MAX) outlet.cut();
    else outlet.write(frame);
  }

  const timeOf = ({ aheadMicros }: SeenAuction): Instant => addMicros(now(), aheadMicros);

  /** One frame of each format for all watchers. */
  function sendAll(watchers: Iterable<Watcher>, frameIn: (format: Format) => Buffer): void {
    const frames = new Map<Format, Buffer>();
    for (const watcher of watchers) {
      const { format } = watcher.outlet;
      const frame = frames.get(format) ?? frameIn(format);
      frames.set(format, frame);
      send(watcher, frame);
    }
  }

  function sendMine(audience: Audience, bid: string, only?: Watcher): void {
    const mine = JSON.stringify(bidderView(audience.seen.auction, bid));
    if (only === undefined && audience.mine.get(bid) === mine) return;
    audience.mine.set(bid, mine);
    const frame = eventFrame('mine', mine);
    for (const watcher of only === undefined ? audience.watchers : [only])
      if (watcher.bidder?.bid === bid) send(watcher, frame);
  }

  function sendTime(): void {
    beats += 1;
    for (const { seen, watchers } of audiences.values()) {
      const due = [...watchers].filter(
        ({ bidder, outlet }) => bidder !== undefined || beats % outlet.format.timeEvery === 0,
      );
      sendAll(due, ({ time }) => time(timeOf(seen)));
    }
  }
  const timer = setInterval(sendTime, TIME_MS);
  timer.unref();

  const everybody = (): readonly Watcher[] => [...audiences.values()].flatMap(({ watchers }) => [...watchers]);

  /** A leaked link must show nothing from the moment at which it was renewed, or newer sessions ended this one. */
  function endOver({ seen, watchers }: Audience): void {
    for (const { outlet, bidder } of watchers) {
      if (bidder !== undefined && !isEntrant(seen.auction, bidder)) outlet.end();
    }
  }

  function publish(seen: SeenAuction): void {
    const audience = audiences.get(seen.auction.plan.id);
    if (audience === undefined) return;
    const before = audience.seen;
    // News of two ways may overtake each other.
    if (seen.auction.seq < before.auction.seq) return;
    audience.seen = seen;
    endOver(audience);
    const isMoved = seen.aheadMicros !== before.aheadMicros;
    if (seen.auction.publicSeq !== before.auction.publicSeq || isMoved) {
      sendAll(audience.watchers, ({ state }) => state(seen, timeOf(seen)));
    }
    if (seen.auction.seq === before.auction.seq) return;
    for (const bid of new Set([...audience.watchers].flatMap(({ bidder }) => bidder?.bid ?? [])))
      sendMine(audience, bid);
  }

  return {
    publish,
    add(auctionId, watcher, seen, lastSeq) {
      // Closed while its auction was read: no event would remove it.
      if (watcher.outlet.isClosed()) return;
      const audience = audiences.get(auctionId) ?? { seen, watchers: new Set(), mine: new Map() };
      audiences.set(auctionId, audience);
      audience.watchers.add(watcher);
      const kind = watcher.bidder === undefined ? 'watchers' : 'bidders';
      counts[kind] += 1;
      watcher.outlet.onClose(() => {
        counts[kind] -= 1;
        audience.watchers.delete(watcher);
        if (audience.watchers.size === 0) audiences.delete(auctionId);
      });
      if (audience.seen.auction.seq < seen.auction.seq) publish(seen);
      if (lastSeq !== audience.seen.auction.publicSeq) {
        sendAll([watcher], ({ state }) => state(audience.seen, timeOf(audience.seen)));
      }
      // The session may have ended after it was checked.
      endOver(audience);
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
    async close(overMs) {
      clearInterval(timer);
      const rest = [...everybody()];
      const step = Math.max(Math.ceil(rest.length / CLOSE_STEPS), 1);
      log.info({ streams: rest.length }, 'streams are closed');
      while (rest.length > 0) {
        for (const { outlet } of rest.splice(0, step)) outlet.end();
        if (rest.length > 0) await new Promise((resolve) => setTimeout(resolve, overMs / CLOSE_STEPS));
      }
    },
  };
}
