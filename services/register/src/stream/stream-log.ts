import type { StreamedRevision } from '../revisions/domain/change-notice.ts';
import type { StreamHead, StreamStore, VoidRange } from '../revisions/stream.store.ts';
import { makeStreamRing } from './stream-ring.ts';

/** What became known by one read. */
export interface ReadRevisions {
  readonly revisions: readonly StreamedRevision[];
  /** No revision at or before it can come any more. */
  readonly position: bigint;
}

/** How far this process has read the revisions, and the newest of them. */
export class StreamLog {
  readonly #store: StreamStore;
  readonly #nowMs: () => number;
  readonly #ring = makeStreamRing();
  #head: StreamHead | undefined;
  #voids: readonly VoidRange[] = [];
  #movedAtMs = 0;

  constructor(store: StreamStore, nowMs: () => number) {
    this.#store = store;
    this.#nowMs = nowMs;
  }

  /** Undefined before the first read. */
  get position(): bigint | undefined {
    return this.#head?.position;
  }

  /** Time since the position last moved, in milliseconds. */
  standingMs(): number {
    return this.#nowMs() - this.#movedAtMs;
  }

  /** Reads at most so many revisions. `onRestore` runs before them when a restore has voided positions since the last read. */
  async read(rowsMax: number, onRestore: () => void): Promise<ReadRevisions | undefined> {
    const now = await this.#store.head();
    if (now === undefined) return undefined;
    if (now.restores !== this.#head?.restores) {
      this.#voids = await this.#store.voidRanges();
      if (this.#goBehindRestore()) onRestore();
    }
    const from = this.#head?.position ?? now.position;
    if (this.#head === undefined) {
      // Together: a reader that comes while the revisions are read must find out that the ring has nothing before them.
      this.#head = now;
      this.#ring.restart(from);
    }
    const revisions = await this.#store.revisions(from, now.position, rowsMax);
    const last = revisions.length < rowsMax ? now.position : (revisions.at(-1)?.position ?? from);
    if (last > this.#head.position || this.#movedAtMs === 0) this.#movedAtMs = this.#nowMs();
    const position = maxBigint(this.#head.position, last);
    this.#head = { ...now, position };
    this.#ring.add(revisions);
    return { revisions, position };
  }

  /** False when nothing was read before, or nothing is void. */
  #goBehindRestore(): boolean {
    const newest = this.#voids.at(-1);
    if (this.#head === undefined || newest === undefined) return false;
    this.#head = { ...this.#head, position: maxBigint(this.#head.position, newest.began) };
    this.#ring.restart(this.#head.position);
    return true;
  }

  /** The restore that has voided a position: its readers must read those tenders again (register.md 4.6). */
  restoreAfter(position: bigint): VoidRange | undefined {
    return this.#voids.find(({ restoredTo, began }) => position > restoredTo && position < began);
  }

  /** Whether the newest revisions begin at or before a position, and it is not ahead of what was read. */
  covers(position: bigint): boolean {
    return this.#head !== undefined && position <= this.#head.position && this.#ring.covers(position);
  }

  after(position: bigint): readonly StreamedRevision[] {
    return this.#ring.after(position);
  }

  /** Nobody reads: the next read begins at the position of that time. */
  forget(): void {
    this.#head = undefined;
    this.#movedAtMs = 0;
    this.#ring.restart(0n);
  }
}

export function maxBigint(one: bigint, other: bigint): bigint {
  return one > other ? one : other;
}
