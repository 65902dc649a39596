import { DAY } from '@procurement/contracts/reading/instant';
import type { Clock } from '@procurement/kit/runtime/clock';
import type { Logger } from '@procurement/kit/runtime/log';
import { makeSignal } from '@procurement/kit/runtime/signal';
import type { StreamedRevision } from '../revisions/domain/change-notice.ts';
import { expandedPage } from './domain/expanded-page.ts';
import { isFiltered } from '../requests/domain/filters.ts';
import {
  behindFrame,
  expandedFrame,
  farBehindFrame,
  heartbeatFrame,
  noticeFrame,
  resetFrame,
} from './domain/stream-frames.ts';
import type { TextPlace } from '../revisions/history.store.ts';
import type { StreamHead, StreamStore, VoidRange } from '../revisions/stream.store.ts';
import { makeSharedTexts } from './shared-texts.ts';
import { makePageSlots } from './page-slots.ts';
import { framesFor, type StreamReader } from './stream-reader.ts';
import { makeStreamRing } from './stream-ring.ts';

export interface StreamHubDeps {
  readonly store: StreamStore;
  /** Public texts of revisions. */
  readonly textsAt: (places: readonly TextPlace[]) => Promise<ReadonlyMap<bigint, string>>;
  readonly log: Logger;
  readonly clock: Clock;
  readonly nowMs: () => number;
}

/** Sends changes to all open streams of this process. */
export interface StreamHub {
  readonly readers: number;
  /** Number of readers whose notices have whole tenders. */
  readonly expanded: number;
  /** Bytes of tenders that are in memory for those readers. */
  readonly textBytes: number;
  /** Groups of readers with equal filters. */
  readonly groups: number;
  /** The position of the newest tick, while there are readers. */
  readonly position: bigint | undefined;
  hasGroup(key: string): boolean;
  /** Starts sending to a reader; `hello` was written. */
  add(reader: StreamReader): void;
  /** The brokers with streams of whole tenders. */
  brokers(): ReadonlySet<string>;
  /** Ends the streams of whole tenders of a broker: one of its keys was revoked. */
  endOf(broker: string): void;
  /** The revisions of this database have changed. */
  wake(): void;
  /** Ends all streams. */
  stop(): void;
}

/** Texts of tenders that are in memory for all readers, from reading until the sockets have taken them. */
const TEXT_BYTES_MAX = 32_000_000;
/** Texts that a reader is sent at once, of which the first may be larger. */
const EXPANDED_PAGE_BYTES = 1_000_000;
const TEXT_READS_AT_ONCE = 4;
const TICK_ROWS_MAX = 500;
const PAGE_ROWS = 500;
const FILTERED_PAGE_ROWS = 5_000;
const PAGES_AT_ONCE = 8;
const POLL_MS = 250;
const PAUSE_MS_MIN = 20;
const PAUSE_MS_MAX = 500;
/** Ticks take at most a quarter of the time, at any number of readers: latency gives way first. */
const PAUSE_PER_TICK = 3;
/** The follower moves the position every 5 s, also while nothing is published, as long as the owner answers. */
const STANDING_MS_MAX = 15_000;
/** Revisions that every reader may ask for; of earlier ones it gets the last state of each tender (register.md 4.5). */
const WINDOW = 7 * DAY;

export function makeStreamHub({ store, textsAt, log, clock, nowMs }: StreamHubDeps): StreamHub {
  const live = new Map<string, Set<StreamReader>>();
  const catchingUp = new Set<StreamReader>();
  /** Position from which a reader gets every revision. Fixed when the reader comes: with time it would move away from the reader. */
  const windowStarts = new WeakMap<StreamReader, bigint>();
  const wake = makeSignal();
  const ring = makeStreamRing();
  const sharedTexts = makeSharedTexts({
    read: textsAt,
    bytesMax: TEXT_BYTES_MAX,
    readsMax: TEXT_READS_AT_ONCE,
  });
  let head: StreamHead | undefined;
  let voids: readonly VoidRange[] = [];
  let movedAtMs = 0;
  let isRunning = false;
  let isStopped = false;
  const pages = makePageSlots(PAGES_AT_ONCE);
  let ticked = makeTicked();

  const allReaders = (): StreamReader[] => [...catchingUp, ...[...live.values()].flatMap((group) => [...group])];
  const expandedReaders = (): StreamReader[] => [...catchingUp].filter((one) => one.expandedFor !== undefined);
  const count = (): number => {
    let readers = catchingUp.size;
    for (const group of live.values()) readers += group.size;
    return readers;
  };

  function leave(reader: StreamReader): void {
    catchingUp.delete(reader);
    const group = live.get(reader.key);
    group?.delete(reader);
    if (group?.size === 0) live.delete(reader.key);
  }

  function join(reader: StreamReader): void {
    catchingUp.delete(reader);
    const group = live.get(reader.key) ?? new Set();
    live.set(reader.key, group.add(reader));
  }

  async function run(): Promise<void> {
    while (!isStopped && count() > 0) {
      const began = nowMs();
      const sent = await tick().catch((error: unknown) => {
        log.warn({ err: error }, 'changes not read for streams');
        return 0;
      });
      endAndBeat();
      ticked.notify();
      ticked = makeTicked();
      pages.wakeWaiting();
      const pauseMs = Math.min(Math.max(PAUSE_PER_TICK * (nowMs() - began), PAUSE_MS_MIN), PAUSE_MS_MAX);
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
      if (sent < TICK_ROWS_MAX) await wake.wait(POLL_MS);
    }
    isRunning = false;
    head = undefined;
    movedAtMs = 0;
    ring.restart(0n);
  }

  /** Reads what is new and sends it to every group. Returns the number of revisions. */
  async function tick(): Promise<number> {
    const now = await store.head();
    if (now === undefined) return 0;
    if (head === undefined || now.restores !== head.restores) await readVoids(head !== undefined);
    const from = head?.position ?? now.position;
    if (head === undefined) {
      // Together: a reader that comes while the revisions are read must find out that the ring has nothing before them.
      head = now;
      ring.restart(from);
    }
    const revisions = await store.revisions(from, now.position, TICK_ROWS_MAX);
    const last = revisions.length < TICK_ROWS_MAX ? now.position : (revisions.at(-1)?.position ?? from);
    if (last > head.position || movedAtMs === 0) movedAtMs = nowMs();
    head = { ...now, position: maxOf(head.position, last) };
    ring.add(revisions);
    for (const group of live.values()) sendToGroup(group, revisions, head.position);
    return revisions.length;
  }

  /** One text for all readers of a group. */
  function sendToGroup(
    group: ReadonlySet<StreamReader>,
    revisions: readonly StreamedRevision[],
    position: bigint,
  ): void {
    const [first] = group;
    if (first === undefined) return;
    const text = framesFor(first.filter, revisions);
    const frames = text === '' ? undefined : Buffer.from(text);
    for (const reader of group) {
      reader.position = maxOf(reader.position, position);
      if (frames === undefined) continue;
      reader.write(frames, nowMs());
      if (reader.isSlow()) startCatchingUp(reader);
    }
  }

  /** A restore voids positions: readers that have them must read those tenders again (register.md 4.6). */
  async function readVoids(isNew: boolean): Promise<void> {
    voids = await store.voidRanges();
    const newest = voids.at(-1);
    if (!isNew || newest === undefined || head === undefined) return;
    head = { ...head, position: maxOf(head.position, newest.began) };
    ring.restart(head.position);
    for (const reader of allReaders()) resetIfVoid(reader);
  }

  function resetIfVoid(reader: StreamReader): void {
    const range = voids.find(({ restoredTo, began }) => reader.position > restoredTo && reader.position < began);
    if (range === undefined) return;
    reader.write(resetFrame(range.restoredTo, range.began), nowMs());
    reader.position = range.began;
  }

  function endAndBeat(): void {
    const now = nowMs();
    const standingMs = now - movedAtMs;
    for (const reader of allReaders()) {
      if (now >= reader.endsAtMs) reader.end('age');
      else if (now - reader.writtenAtMs >= reader.heartbeatMs && !reader.isSlow())
        reader.write(
          standingMs > STANDING_MS_MAX ? behindFrame(standingMs / 1_000) : heartbeatFrame(reader.position),
          now,
        );
    }
  }

  function startCatchingUp(reader: StreamReader): void {
    leave(reader);
    catchingUp.add(reader);
    catchUp(reader).catch((error: unknown) => {
      log.warn({ err: error }, 'changes not read for a stream');
      reader.end('shutdown');
    });
  }

  async function catchUp(reader: StreamReader): Promise<void> {
    while (reader.isOpen()) {
      await reader.drained();
      // It may move the reader ahead of the head, for which it then waits.
      if (head !== undefined) resetIfVoid(reader);
      const isEarly = head === undefined || reader.position > head.position;
      const hasRing = !isEarly && ring.covers(reader.position);
      if (isEarly) await ticked.wait();
      else if (!hasRing && pages.isFull) await pages.wait();
      else if (reader.expandedFor !== undefined) await sendExpanded(reader, hasRing);
      else if (joinFromRing(reader)) return;
      else await sendPage(reader);
    }
  }

  /**
   * Whole tenders are sent to each reader by itself, also what is new: the next page is read when its socket has taken the last one, and
   * the texts are shared with all readers that send them at that moment.
   */
  async function sendExpanded(reader: StreamReader, hasRing: boolean): Promise<void> {
    const from = reader.position;
    if (hasRing && from === head?.position) {
      await ticked.wait();
      return;
    }
    const isWanted = (): boolean => reader.isOpen() && reader.position === from;
    const { rows, end } = hasRing ? { rows: ring.after(from), end: head?.position ?? from } : await readPage(reader);
    const { entries, upTo } = expandedPage(reader.filter, rows, end, EXPANDED_PAGE_BYTES);
    const wanted = entries.flatMap(({ hasText, revision: { tender, rev, position, bytes } }) =>
      hasText ? [{ tender: tender.id, rev, position, bytes }] : [],
    );
    const texts = await sharedTexts.hold(wanted, isWanted).catch((error: unknown) => {
      // A restore has taken them back.
      if (!isWanted()) return undefined;
      throw error;
    });
    if (texts === undefined) return;
    try {
      if (!isWanted()) return;
      reader.position = upTo;
      const parts = entries.flatMap(({ notice, hasText, revision: { position } }) =>
        hasText ? expandedFrame(notice, texts.of(position)) : [noticeFrame(notice)],
      );
      if (parts.length > 0) reader.writeParts(parts, nowMs());
      else if (!hasRing) reader.write(heartbeatFrame(upTo), nowMs());
      await reader.drained();
    } finally {
      texts.release();
    }
  }

  /** Runs in one turn of the event loop, so that nothing comes between the ring and the group. */
  function joinFromRing(reader: StreamReader): boolean {
    if (head === undefined || !ring.covers(reader.position) || reader.position > head.position) return false;
    const text = framesFor(reader.filter, ring.after(reader.position));
    if (text !== '') reader.write(text, nowMs());
    reader.position = head.position;
    if (reader.isSlow()) return false;
    join(reader);
    return true;
  }

  /** The next revisions from the database, and the position that they reach. */
  async function readPage(reader: StreamReader): Promise<{ rows: readonly StreamedRevision[]; end: bigint }> {
    const from = reader.position;
    const window = windowStarts.get(reader) ?? 0n;
    const isFarBehind = from < window;
    const limit = isFiltered(reader.filter) ? FILTERED_PAGE_ROWS : PAGE_ROWS;
    const end = isFarBehind ? window : (head?.position ?? from);
    const rows = await pages.read(async () =>
      isFarBehind ? store.newest(from, end, limit) : store.revisions(from, end, limit),
    );
    const reached = rows.length < limit ? end : (rows.at(-1)?.position ?? end);
    return { rows: isFarBehind ? rows.map(lastState) : rows, end: reached };
  }

  async function sendPage(reader: StreamReader): Promise<void> {
    const from = reader.position;
    const { rows, end } = await readPage(reader);
    // A restore has moved the reader meanwhile.
    if (reader.position !== from) return;
    reader.position = end;
    const text = framesFor(reader.filter, rows);
    reader.write(text === '' ? heartbeatFrame(end) : text, nowMs());
  }

  return {
    get readers() {
      return count();
    },
    get expanded() {
      return expandedReaders().length;
    },
    get textBytes() {
      return sharedTexts.bytes;
    },
    get groups() {
      return live.size;
    },
    get position() {
      return head?.position;
    },
    hasGroup: (key) => live.has(key),
    add(reader) {
      reader.onClose(() => leave(reader));
      reader.writtenAtMs = nowMs();
      const window = BigInt(clock.now() - WINDOW);
      windowStarts.set(reader, window);
      if (reader.position < window) reader.write(farBehindFrame(reader.position, window), nowMs());
      startCatchingUp(reader);
      if (isRunning) return;
      isRunning = true;
      void run();
    },
    brokers: () => new Set(expandedReaders().flatMap(({ expandedFor = [] }) => expandedFor)),
    endOf(broker) {
      for (const reader of expandedReaders()) if (reader.expandedFor === broker) reader.end('key');
    },
    wake: () => wake.notify(),
    stop() {
      isStopped = true;
      for (const reader of allReaders()) reader.end('shutdown');
    },
  };
}

/** Far behind a tender is only shown as it is: with a filter only if it matches now. */
function lastState({ before: _before, changed: _changed, ...revision }: StreamedRevision): StreamedRevision {
  return { ...revision, before: revision.tender };
}

function maxOf(one: bigint, other: bigint): bigint {
  return one > other ? one : other;
}

/** Everybody who waits goes on at the next tick. */
function makeTicked(): { wait(): Promise<void>; notify(): void } {
  let notify = (): void => undefined;
  const promise = new Promise<void>((resolve) => (notify = resolve));
  return { wait: async () => promise, notify };
}
