import type { Logger } from '@procurement/kit/runtime/log';
import { makeSignal } from '@procurement/kit/runtime/signal';
import { CatchUp, type CatchUpDeps } from './catch-up.ts';
import { behindFrame, heartbeatFrame } from './domain/stream-frames.ts';
import { ReaderGroups } from './reader-groups.ts';
import { maxBigint, StreamLog, type ReadRevisions } from './stream-log.ts';
import { framesFor, type StreamReader } from './stream-reader.ts';

export interface StreamHubDeps extends CatchUpDeps {
  readonly log: Logger;
}

const TICK_ROWS_MAX = 500;
const POLL_MS = 250;
const PAUSE_MS_MIN = 20;
const PAUSE_MS_MAX = 500;
/** Ticks take at most a quarter of the time, at any number of readers: latency gives way first. */
const PAUSE_PER_TICK = 3;
/** The follower moves the position every 5 s, also while nothing is published, as long as the owner answers. */
const STANDING_MS_MAX = 15_000;

/** Sends changes to all open streams of this process. */
export class StreamHub {
  readonly #deps: StreamHubDeps;
  readonly #groups = new ReaderGroups();
  readonly #log: StreamLog;
  readonly #catchUp: CatchUp;
  readonly #wake = makeSignal();
  #isRunning = false;
  #isStopped = false;

  constructor(deps: StreamHubDeps) {
    this.#deps = deps;
    this.#log = new StreamLog(deps.store, deps.nowMs);
    this.#catchUp = new CatchUp(deps, this.#log, this.#groups);
  }

  get readers(): number {
    return this.#groups.readers;
  }

  /** Number of readers whose notices have whole tenders. */
  get expanded(): number {
    return this.#groups.expanded().length;
  }

  /** Bytes of tenders that are in memory for those readers. */
  get textBytes(): number {
    return this.#catchUp.textBytes;
  }

  /** Groups of readers with equal filters. */
  get groups(): number {
    return this.#groups.groups.size;
  }

  /** The position of the newest tick, while there are readers. */
  get position(): bigint | undefined {
    return this.#log.position;
  }

  hasGroup(key: string): boolean {
    return this.#groups.groups.has(key);
  }

  /** The brokers with streams of whole tenders. */
  brokers(): ReadonlySet<string> {
    return new Set(this.#groups.expanded().flatMap(({ expandedFor = [] }) => expandedFor));
  }

  /** Starts sending to a reader; `hello` was written. */
  add(reader: StreamReader): void {
    reader.onClose(() => this.#groups.leave(reader));
    reader.writtenAtMs = this.#deps.nowMs();
    this.#catchUp.begin(reader);
    this.#startCatchingUp(reader);
    if (this.#isRunning) return;
    this.#isRunning = true;
    void this.#run();
  }

  /** Ends the streams of whole tenders of a broker: one of its keys was revoked. */
  endOf(broker: string): void {
    for (const reader of this.#groups.expanded()) if (reader.expandedFor === broker) reader.end('key');
  }

  /** The revisions of this database have changed. */
  wake(): void {
    this.#wake.notify();
  }

  /** Ends all streams. */
  stop(): void {
    this.#isStopped = true;
    for (const reader of this.#groups.all()) reader.end('shutdown');
  }

  async #run(): Promise<void> {
    const { nowMs } = this.#deps;
    while (!this.#isStopped && this.#groups.readers > 0) {
      const began = nowMs();
      const sent = await this.#tick().catch((error: unknown) => {
        this.#deps.log.warn({ err: error }, 'changes not read for streams');
        return 0;
      });
      this.#endAndSendHeartbeats();
      this.#catchUp.wake();
      const pauseMs = Math.min(Math.max(PAUSE_PER_TICK * (nowMs() - began), PAUSE_MS_MIN), PAUSE_MS_MAX);
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
      if (sent < TICK_ROWS_MAX) await this.#wake.wait(POLL_MS);
    }
    this.#isRunning = false;
    this.#log.forget();
  }

  /** Reads what is new and sends it to every group. Returns the number of revisions. */
  async #tick(): Promise<number> {
    const read = await this.#log.read(TICK_ROWS_MAX, () => {
      for (const reader of this.#groups.all()) this.#catchUp.resetIfVoid(reader);
    });
    if (read === undefined) return 0;
    for (const group of this.#groups.groups.values()) this.#sendToGroup(group, read);
    return read.revisions.length;
  }

  /** One text for all readers of a group. */
  #sendToGroup(group: ReadonlySet<StreamReader>, { revisions, position }: ReadRevisions): void {
    const [first] = group;
    if (first === undefined) return;
    const text = framesFor(first.filter, revisions);
    const frames = text === '' ? undefined : Buffer.from(text);
    for (const reader of group) {
      reader.position = maxBigint(reader.position, position);
      if (frames === undefined) continue;
      reader.write(frames, this.#deps.nowMs());
      if (reader.isSlow()) this.#startCatchingUp(reader);
    }
  }

  #endAndSendHeartbeats(): void {
    const now = this.#deps.nowMs();
    const standingMs = this.#log.standingMs();
    for (const reader of this.#groups.all()) {
      if (now >= reader.endsAtMs) reader.end('age');
      else if (now - reader.writtenAtMs >= reader.heartbeatMs && !reader.isSlow())
        reader.write(
          standingMs > STANDING_MS_MAX ? behindFrame(standingMs / 1_000) : heartbeatFrame(reader.position),
          now,
        );
    }
  }

  #startCatchingUp(reader: StreamReader): void {
    this.#groups.catchUp(reader);
    this.#catchUp.run(reader).catch((error: unknown) => {
      this.#deps.log.warn({ err: error }, 'changes not read for a stream');
      reader.end('shutdown');
    });
  }
}
