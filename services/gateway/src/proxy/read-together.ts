import {
  encodeReads,
  FrameReader,
  READS_PATH,
  type Frame,
  type Read,
  type ReadAnswer,
} from '@procurement/kit/http/read-frames';
import { toError } from '@procurement/kit/runtime/to-error';
import type { Dispatcher } from 'undici';
import { TooManyBytesError, UNCOUNTED_BYTES_MAX } from './kept-answer.ts';
import { mayRetry } from './upstream-problem.ts';

/** A client that waits for an answer. Either callback is called once, unless the reader leaves before. */
export interface Reader {
  onAnswer(answer: ReadAnswer): void;
  onFailure(error: Error): void;
  /** Takes bytes of a long answer into the budget of the client; false when they do not fit. */
  keeps(bytes: number): boolean;
}

/** Where reads are sent. */
export interface ReadsService {
  readonly pool: Pick<Dispatcher, 'dispatch'>;
  readonly headers: () => Record<string, string>;
}

/**
 * Reads for a client, in one request to the service with all other reads of this turn of the event loop. Readers of equal `key` in one turn
 * share a read; a read without a key is not shared. No read begins before its readers have come, and nothing is kept, so that no answer is
 * older than its request: a client that was told of a change sees that change (decision 0011).
 */
export type ReadTogether = (key: string | undefined, read: Read, reader: Reader) => PendingRead;

/** Answers of more reads, sent in one turn of the event loop, would make others wait. */
const READS_MAX = 64;

export function makeReadTogether(service: ReadsService): ReadTogether {
  let waiting: PendingRead[] = [];
  let byKey = new Map<string, PendingRead>();
  const send = (): void => {
    sendBatch(service, waiting, 0);
    waiting = [];
    byKey = new Map();
  };
  return (key, read, reader) => {
    const before = key === undefined ? undefined : byKey.get(key);
    if (before !== undefined) return before.join(reader);
    if (waiting.length === READS_MAX) send();
    if (waiting.length === 0) setImmediate(send);
    const pending = new PendingRead(read).join(reader);
    waiting.push(pending);
    if (key !== undefined) byKey.set(key, pending);
    return pending;
  };
}

/** A read, and who waits for its answer. */
export class PendingRead {
  readonly read: Read;
  /** Called when nobody waits any more. */
  onUnwanted: (() => void) | undefined;
  #readers: readonly Reader[] = [];
  #chunks: Buffer[] = [];
  #size = 0;

  constructor(read: Read) {
    this.read = read;
  }

  get isWanted(): boolean {
    return this.#readers.length > 0;
  }

  /** True while no byte of the answer has come. */
  get mayBeginAgain(): boolean {
    return this.#size === 0;
  }

  join(reader: Reader): this {
    this.#readers = [...this.#readers, reader];
    return this;
  }

  leave(reader: Reader): void {
    if (!this.isWanted) return;
    this.#readers = this.#readers.filter((other) => other !== reader);
    if (!this.isWanted) this.onUnwanted?.();
  }

  take(bytes: Buffer): void {
    if (!this.isWanted) return;
    this.#chunks.push(bytes);
    this.#size += bytes.length;
    if (this.#size <= UNCOUNTED_BYTES_MAX) return;
    for (const reader of this.#readers) {
      if (reader.keeps(bytes.length)) continue;
      this.leave(reader);
      reader.onFailure(new TooManyBytesError());
    }
  }

  answer({ status, revision, retryAfter }: Frame): void {
    const [chunk] = this.#chunks;
    const bytes = this.#chunks.length === 1 && chunk !== undefined ? chunk : Buffer.concat(this.#chunks, this.#size);
    for (const reader of this.#end()) {
      try {
        reader.onAnswer({ status, revision, retryAfter, bytes });
      } catch (error) {
        // A client whose answer cannot be sent must not take theirs from the others.
        reader.onFailure(toError(error));
      }
    }
  }

  fail(error: Error): void {
    for (const reader of this.#end()) reader.onFailure(error);
  }

  /** Keeps nothing of what has ended. */
  #end(): readonly Reader[] {
    const readers = this.#readers;
    this.#readers = [];
    this.#chunks = [];
    this.onUnwanted = undefined;
    return readers;
  }
}

function sendBatch(service: ReadsService, reads: readonly PendingRead[], attempt: number): void {
  const wanted = reads.filter(({ isWanted }) => isWanted);
  if (wanted.length > 0) new Batch(service, wanted, attempt).send();
}

/** One request with reads. */
class Batch implements Dispatcher.DispatchHandler {
  readonly #service: ReadsService;
  readonly #reads: readonly PendingRead[];
  readonly #attempt: number;
  readonly #frames: FrameReader;
  #controller: Dispatcher.DispatchController | undefined;
  #status = 0;

  constructor(service: ReadsService, reads: readonly PendingRead[], attempt: number) {
    this.#service = service;
    this.#reads = reads;
    this.#attempt = attempt;
    this.#frames = new FrameReader((frame, bytes, isEnd) => this.#onBytes(frame, bytes, isEnd));
  }

  send(): void {
    const abort = (): void => this.#abortUnlessWanted();
    for (const read of this.#reads) read.onUnwanted = abort;
    const body = encodeReads(this.#reads.map(({ read }) => read));
    try {
      this.#service.pool.dispatch({ path: READS_PATH, method: 'POST', headers: this.#service.headers(), body }, this);
    } catch (error) {
      // Nobody else catches it: the turn of the event loop is that of no request.
      this.#end(toError(error));
    }
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    this.#abortUnlessWanted();
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number): void {
    this.#status = status;
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#status === 200) this.#frames.read(chunk);
  }

  onResponseEnd(): void {
    if (!this.#reads.some(({ isWanted }) => isWanted)) return;
    // A service that is closing refuses the request with 503: the reads go to another connection once more. Anything else is a fault.
    const code = this.#status === 503 ? 'UND_ERR_CLOSED' : 'NOT_ANSWERED';
    this.#end(Object.assign(new Error(`reads were not answered: ${this.#status}`), { code }));
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#end(error);
  }

  #onBytes(frame: Frame, bytes: Buffer, isEnd: boolean): void {
    const read = this.#reads[frame.index];
    if (bytes.length > 0) read?.take(bytes);
    if (isEnd && frame.isLast) read?.answer(frame);
  }

  /** Those that have no answer yet are read once more, or fail. */
  #end(error: Error): void {
    for (const read of this.#reads) {
      if (!read.mayBeginAgain || !mayRetry('GET', this.#attempt, error)) read.fail(error);
    }
    sendBatch(this.#service, this.#reads, this.#attempt + 1);
  }

  #abortUnlessWanted(): void {
    if (!this.#reads.some(({ isWanted }) => isWanted)) this.#controller?.abort(new Error('client disconnected'));
  }
}
