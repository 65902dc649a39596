import { DAY } from '@procurement/contracts/reading/instant';
import type { Clock } from '@procurement/kit/runtime/clock';
import { isFiltered } from '../requests/domain/filters.ts';
import type { StreamedRevision } from '../revisions/domain/change-notice.ts';
import type { TextPlace } from '../revisions/history.store.ts';
import type { StreamStore } from '../revisions/stream.store.ts';
import { expandedPage } from './domain/expanded-page.ts';
import { expandedFrame, farBehindFrame, heartbeatFrame, noticeFrame, resetFrame } from './domain/stream-frames.ts';
import { makePageSlots } from './page-slots.ts';
import type { ReaderGroups } from './reader-groups.ts';
import { makeSharedTexts } from './shared-texts.ts';
import type { StreamLog } from './stream-log.ts';
import { framesFor, type StreamReader } from './stream-reader.ts';

export interface CatchUpDeps {
  readonly store: StreamStore;
  /** Public texts of revisions. */
  readonly textsAt: (places: readonly TextPlace[]) => Promise<ReadonlyMap<bigint, string>>;
  readonly clock: Clock;
  readonly nowMs: () => number;
}

/** Texts of tenders that are in memory for all readers, from reading until the sockets have taken them. */
const TEXT_BYTES_MAX = 32_000_000;
/** Texts that a reader is sent at once, of which the first may be larger. */
const EXPANDED_PAGE_BYTES = 1_000_000;
const TEXT_READS_AT_ONCE = 4;
const PAGE_ROWS = 500;
const FILTERED_PAGE_ROWS = 5_000;
const PAGES_AT_ONCE = 8;
/** Revisions that every reader may ask for; of earlier ones it gets the last state of each tender (register.md 4.5). */
const WINDOW = 7 * DAY;

/** Sends readers what is before the newest revisions, each at the pace of its socket, until it can join its group. */
export class CatchUp {
  readonly #deps: CatchUpDeps;
  readonly #log: StreamLog;
  readonly #groups: ReaderGroups;
  readonly #pages = makePageSlots(PAGES_AT_ONCE);
  readonly #texts: ReturnType<typeof makeSharedTexts>;
  /** Position from which a reader gets every revision. Fixed when the reader comes: with time it would move away from the reader. */
  readonly #windowStarts = new WeakMap<StreamReader, bigint>();
  #ticked = makeTicked();

  constructor(deps: CatchUpDeps, log: StreamLog, groups: ReaderGroups) {
    this.#deps = deps;
    this.#log = log;
    this.#groups = groups;
    this.#texts = makeSharedTexts({ read: deps.textsAt, bytesMax: TEXT_BYTES_MAX, readsMax: TEXT_READS_AT_ONCE });
  }

  /** Bytes of tenders that are in memory. */
  get textBytes(): number {
    return this.#texts.bytes;
  }

  /** A reader has come. */
  begin(reader: StreamReader): void {
    const window = BigInt(this.#deps.clock.now() - WINDOW);
    this.#windowStarts.set(reader, window);
    if (reader.position < window) reader.write(farBehindFrame(reader.position, window), this.#deps.nowMs());
  }

  /** The log was read: who waits for it goes on. */
  wake(): void {
    this.#ticked.notify();
    this.#ticked = makeTicked();
    this.#pages.wakeWaiting();
  }

  /** Resolves when the reader has joined its group, or is closed. */
  async run(reader: StreamReader): Promise<void> {
    while (reader.isOpen()) {
      await reader.drained();
      // It may move the reader ahead of the log, for which it then waits.
      this.resetIfVoid(reader);
      const { position } = this.#log;
      const isEarly = position === undefined || reader.position > position;
      const hasRing = this.#log.covers(reader.position);
      if (isEarly) await this.#ticked.wait();
      else if (!hasRing && this.#pages.isFull) await this.#pages.wait();
      else if (reader.expandedFor !== undefined) await this.#sendExpanded(reader, hasRing);
      else if (this.#joinFromRing(reader)) return;
      else await this.#sendPage(reader);
    }
  }

  /** Tells a reader that a restore has voided its position. */
  resetIfVoid(reader: StreamReader): void {
    const range = this.#log.restoreAfter(reader.position);
    if (range === undefined) return;
    reader.write(resetFrame(range.restoredTo, range.began), this.#deps.nowMs());
    reader.position = range.began;
  }

  /**
   * Whole tenders are sent to each reader by itself, also what is new: the next page is read when its socket has taken the last one, and
   * the texts are shared with all readers that send them at that moment.
   */
  async #sendExpanded(reader: StreamReader, hasRing: boolean): Promise<void> {
    const { nowMs } = this.#deps;
    const from = reader.position;
    if (hasRing && from === this.#log.position) {
      await this.#ticked.wait();
      return;
    }
    const isWanted = (): boolean => reader.isOpen() && reader.position === from;
    const { rows, end } = hasRing
      ? { rows: this.#log.after(from), end: this.#log.position ?? from }
      : await this.#readPage(reader);
    const { entries, upTo } = expandedPage(reader.filter, rows, end, EXPANDED_PAGE_BYTES);
    const wanted = entries.flatMap(({ hasText, revision: { tender, rev, position, bytes } }) =>
      hasText ? [{ tender: tender.id, rev, position, bytes }] : [],
    );
    const texts = await this.#texts.hold(wanted, isWanted).catch((error: unknown) => {
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
  #joinFromRing(reader: StreamReader): boolean {
    const { position } = this.#log;
    if (position === undefined || !this.#log.covers(reader.position)) return false;
    const text = framesFor(reader.filter, this.#log.after(reader.position));
    if (text !== '') reader.write(text, this.#deps.nowMs());
    reader.position = position;
    if (reader.isSlow()) return false;
    this.#groups.join(reader);
    return true;
  }

  /** The next revisions from the database, and the position that they reach. */
  async #readPage(reader: StreamReader): Promise<{ rows: readonly StreamedRevision[]; end: bigint }> {
    const { store } = this.#deps;
    const from = reader.position;
    const window = this.#windowStarts.get(reader) ?? 0n;
    const isFarBehind = from < window;
    const limit = isFiltered(reader.filter) ? FILTERED_PAGE_ROWS : PAGE_ROWS;
    const end = isFarBehind ? window : (this.#log.position ?? from);
    const rows = await this.#pages.read(async () =>
      isFarBehind ? store.newest(from, end, limit) : store.revisions(from, end, limit),
    );
    const reached = rows.length < limit ? end : (rows.at(-1)?.position ?? end);
    return { rows: isFarBehind ? rows.map(lastState) : rows, end: reached };
  }

  async #sendPage(reader: StreamReader): Promise<void> {
    const from = reader.position;
    const { rows, end } = await this.#readPage(reader);
    // A restore has moved the reader meanwhile.
    if (reader.position !== from) return;
    reader.position = end;
    const text = framesFor(reader.filter, rows);
    reader.write(text === '' ? heartbeatFrame(end) : text, this.#deps.nowMs());
  }
}

/** Far behind a tender is only shown as it is: with a filter only if it matches now. */
function lastState({ before: _before, changed: _changed, ...revision }: StreamedRevision): StreamedRevision {
  return { ...revision, before: revision.tender };
}

/** Everybody who waits goes on at the next tick. */
function makeTicked(): { wait(): Promise<void>; notify(): void } {
  let notify = (): void => undefined;
  const promise = new Promise<void>((resolve) => (notify = resolve));
  return { wait: async () => promise, notify };
}
