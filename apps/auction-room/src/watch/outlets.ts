import type { ServerResponse } from 'node:http';
import { formatLocalDate, type Instant } from '@procurement/contracts/reading/instant';
import type { WebSocket } from '@fastify/websocket';
import { publicDocument, publicState } from '../domain/public-document.ts';
import type { SeenAuction } from '../store/auctions.store.ts';
import { eventFrame } from './frames.ts';

/** How something is written to readers of one kind. `now` is the time of the auction. */
export interface Format {
  readonly state: (seen: SeenAuction, now: Instant) => Buffer;
  readonly time: (now: Instant) => Buffer;
  /** Watchers get the time with every so many beats, bidders with each. */
  readonly timeEvery: number;
}

/** Where one reader is written to. */
export interface Outlet {
  readonly format: Format;
  isClosed(): boolean;
  /** What the reader has not taken yet. */
  unsentBytes(): number;
  write(frame: Buffer): void;
  /** Ends it in order: the reader comes back. */
  end(): void;
  /** Ends it at once. */
  cut(): void;
  onClose(listener: () => void): void;
}

/** Server-sent events: the part of the document that changes (auction-room.md 8.1). */
const EVENTS: Format = {
  state: ({ auction }, now) => eventFrame('state', publicState(auction, now), auction.publicSeq),
  time: (now) => eventFrame('time', { now: formatLocalDate(now) }),
  timeEvery: 3,
};

/** Sockets of front ends of another component: the whole document, and a text that keeps them open (auction-room.md 8.3). */
const TEXTS: Format = {
  state: ({ auction }, now) => Buffer.from(JSON.stringify(publicDocument(auction, now))),
  time: () => Buffer.from('PING'),
  timeEvery: 1,
};

/** Close code of the WebSocket protocol: the server goes away. */
const GOING_AWAY = 1_001;
/** Time for the other end to confirm that a socket is closed. */
const CLOSE_MS = 1_000;

export function outletOfEvents(response: ServerResponse): Outlet {
  return {
    format: EVENTS,
    isClosed: () => response.destroyed || response.writableEnded,
    unsentBytes: () => response.writableLength,
    write: (frame) => void response.write(frame),
    end: () => void response.end(eventFrame('bye', {})),
    cut: () => void response.destroy(),
    onClose: (listener) => void response.once('close', listener),
  };
}

export function outletOfSocket(socket: WebSocket): Outlet {
  return {
    format: TEXTS,
    isClosed: () => socket.readyState !== socket.OPEN,
    unsentBytes: () => socket.bufferedAmount,
    write: (frame) => socket.send(frame, { binary: false }),
    end() {
      socket.close(GOING_AWAY);
      setTimeout(() => socket.terminate(), CLOSE_MS).unref();
    },
    cut: () => socket.terminate(),
    onClose: (listener) => void socket.once('close', listener),
  };
}
