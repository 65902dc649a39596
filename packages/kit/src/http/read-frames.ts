import { z } from 'zod';

/** Path at which a service answers many reads in one request: `encodeReads` in its body, frames in its answer (decision 0011). */
export const READS_PATH = '/reads';

/**
 * Longest body of such a request. A client's line and headers have at most 16 KiB, the path is in the identity again, and both may be
 * percent-encoded, three bytes for one: 64 such reads take half of this. With less, one client would break off the reads of others.
 */
export const READS_BYTES_MAX = 16 * 1024 * 1024;

/** A GET that travels with others. */
export interface Read {
  /** Path with query, as the service has it. */
  readonly target: string;
  /** The signed identity of its caller. */
  readonly identity: string;
  readonly requestId: string;
  readonly traceparent: string;
  readonly tracestate?: string | undefined;
  readonly ifNoneMatch?: string | undefined;
}

/** The answer to a read: JSON, and the two headers that such answers have. */
export interface ReadAnswer {
  readonly status: number;
  readonly bytes: Buffer;
  /** Public revision of the object, which makes its ETag; 0 when the answer has none. */
  readonly revision: number;
  /** `Retry-After` in seconds; 0 when the answer has none. */
  readonly retryAfter: number;
}

/** Reads are lists of texts. An empty identity is that of the read before: nearly all reads have one of a few. */
const Reads = z.array(z.tuple([z.string(), z.string(), z.string(), z.string(), z.string(), z.string()])).min(1);

export function encodeReads(reads: readonly Read[]): string {
  let before = '';
  const rows = reads.map(({ target, identity, requestId, traceparent, tracestate = '', ifNoneMatch = '' }) => {
    const sent = identity === before ? '' : identity;
    before = identity;
    return [target, sent, requestId, traceparent, tracestate, ifNoneMatch];
  });
  return JSON.stringify(rows);
}

/** Undefined when the body is not that of `encodeReads`. */
export function decodeReads(body: Buffer): readonly Read[] | undefined {
  let rows: z.infer<typeof Reads>;
  try {
    rows = Reads.parse(JSON.parse(body.toString()));
  } catch {
    return undefined;
  }
  let before = '';
  return rows.map(([target, sent, requestId, traceparent, tracestate, ifNoneMatch]) => {
    const identity = sent === '' ? before : sent;
    before = identity;
    return {
      target,
      identity,
      requestId,
      traceparent,
      tracestate: tracestate === '' ? undefined : tracestate,
      ifNoneMatch: ifNoneMatch === '' ? undefined : ifNoneMatch,
    };
  });
}

/** A piece of an answer. */
export interface Frame extends Omit<ReadAnswer, 'bytes'> {
  /** Position of the read in the request. */
  readonly index: number;
  readonly isLast: boolean;
  readonly length: number;
}

const HEAD_BYTES = 16;

/** Seconds; a frame has one byte for them. */
export const RETRY_AFTER_MAX = 255;

/** The bytes before those of a piece. */
export function encodeHead({ index, isLast, retryAfter, status, revision, length }: Frame): Buffer {
  const head = Buffer.allocUnsafe(HEAD_BYTES);
  head.writeUInt16BE(index, 0);
  head.writeUInt8(isLast ? 1 : 0, 2);
  head.writeUInt8(retryAfter, 3);
  head.writeUInt16BE(status, 4);
  head.writeUIntBE(revision, 6, 6);
  head.writeUInt32BE(length, 12);
  return head;
}

function decodeHead(head: Buffer): Frame {
  return {
    index: head.readUInt16BE(0),
    isLast: head.readUInt8(2) === 1,
    retryAfter: head.readUInt8(3),
    status: head.readUInt16BE(4),
    revision: head.readUIntBE(6, 6),
    length: head.readUInt32BE(12),
  };
}

/** Reads frames from a stream of bytes. */
export class FrameReader {
  readonly #onBytes: (frame: Frame, bytes: Buffer, isEnd: boolean) => void;
  readonly #head = Buffer.allocUnsafe(HEAD_BYTES);
  #headBytes = 0;
  #frame: Frame | undefined;
  #missing = 0;

  /** `onBytes`: called with bytes of a frame as they come; `isEnd` with its last ones. */
  constructor(onBytes: (frame: Frame, bytes: Buffer, isEnd: boolean) => void) {
    this.#onBytes = onBytes;
  }

  read(chunk: Buffer): void {
    for (let at = 0; at < chunk.length;) {
      if (this.#frame === undefined) {
        const copied = chunk.copy(this.#head, this.#headBytes, at, at + HEAD_BYTES - this.#headBytes);
        at += copied;
        this.#headBytes += copied;
        if (this.#headBytes < HEAD_BYTES) return;
        this.#headBytes = 0;
        this.#frame = decodeHead(this.#head);
        this.#missing = this.#frame.length;
      }
      const frame = this.#frame;
      const bytes = chunk.subarray(at, at + this.#missing);
      at += bytes.length;
      this.#missing -= bytes.length;
      const isEnd = this.#missing === 0;
      if (isEnd) this.#frame = undefined;
      this.#onBytes(frame, bytes, isEnd);
    }
  }
}
