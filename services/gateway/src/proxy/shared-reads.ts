import type { Dispatcher } from 'undici';
import { TooManyBytesError, UNCOUNTED_BYTES_MAX } from './kept-answer.ts';
import { mayRetry } from './upstream-problem.ts';

/** A GET of a service. */
export interface UpstreamRead {
  readonly pool: Pick<Dispatcher, 'dispatch'>;
  /** Canonical path with query. */
  readonly target: string;
  /** Called once the read is sent. */
  readonly headers: () => Record<string, string>;
}

export interface UpstreamAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: Buffer;
}

/** A client that waits for an answer. Either callback is called once, unless the reader leaves before. */
export interface Reader {
  onAnswer(answer: UpstreamAnswer): void;
  onFailure(error: Error): void;
  /** Takes bytes of a long answer into the budget of the client; false when they do not fit. */
  keeps(bytes: number): boolean;
}

/**
 * Reads for a client. Readers of equal `key` share a read that begins after all of them have come; a read without a key is not shared.
 * Returns a function by which the reader leaves.
 */
export type SharedReads = (key: string | undefined, read: UpstreamRead, reader: Reader) => () => void;

/** Longest wait for the read before. A service that hangs must not hold the readers that came after. */
const WAIT_MS_MAX = 50;
/** Answers that are sent in one turn of the event loop; others would wait too long for it. */
const READERS_MAX = 64;

interface Flight {
  readonly read: UpstreamRead;
  readonly readers: Set<Reader>;
  controller?: Dispatcher.DispatchController;
  /** The next read, for readers that came after this one had begun. */
  next?: Flight;
  timer?: NodeJS.Timeout;
}

/**
 * Runs at most one read of a key, unless it takes long. A reader that comes while it runs waits for the next one, because what it reads
 * may be older than the request: a client that was told of a change sees that change (decision 0148).
 */
export function makeSharedReads(): SharedReads {
  const running = new Map<string, Flight>();

  function start(key: string | undefined, flight: Flight): void {
    if (key !== undefined) running.set(key, flight);
    dispatch(flight, () => startNext(key, flight));
  }

  function startNext(key: string | undefined, flight: Flight): void {
    if (key === undefined) return;
    const { next } = flight;
    clearTimeout(flight.timer);
    delete flight.next;
    if (next !== undefined && next.readers.size > 0) start(key, next);
    else if (running.get(key) === flight) running.delete(key);
  }

  return (ofAll, read, reader) => {
    const first = ofAll === undefined ? undefined : running.get(ofAll);
    const isFull = (first?.next?.readers.size ?? 0) >= READERS_MAX;
    const [key, before] = isFull ? [] : [ofAll, first];
    const flight = before?.next ?? { read, readers: new Set<Reader>() };
    flight.readers.add(reader);
    if (before === undefined) start(key, flight);
    else if (before.next === undefined) {
      before.next = flight;
      before.timer = setTimeout(() => startNext(key, before), WAIT_MS_MAX);
    }
    return () => {
      flight.readers.delete(reader);
      if (flight.readers.size === 0) flight.controller?.abort(new Error('client disconnected'));
    };
  };
}

/** `onEnd` is called once, before the readers get the answer: the service works on the next read while this one is sent. */
function dispatch(flight: Flight, onEnd: () => void, retries = 0): void {
  const { read, readers } = flight;
  const chunks: Buffer[] = [];
  let size = 0;
  let status = 0;
  let headers: UpstreamAnswer['headers'] = {};
  const fail = (error: Error): void => {
    onEnd();
    for (const reader of readers) reader.onFailure(error);
  };
  let sent: Record<string, string>;
  try {
    sent = read.headers();
  } catch (error) {
    // Here nobody else catches it: a read that waited begins by a timer.
    fail(errorOf(error));
    return;
  }
  read.pool.dispatch(
    { path: read.target, method: 'GET', headers: sent },
    {
      onRequestStart: (controller) => {
        flight.controller = controller;
        if (readers.size === 0) controller.abort(new Error('client disconnected'));
      },
      onResponseStart: (_controller, code, given) => {
        if (code < 200) return;
        status = code;
        headers = given;
      },
      onResponseData: (controller, chunk) => {
        chunks.push(chunk);
        size += chunk.length;
        if (size <= UNCOUNTED_BYTES_MAX) return;
        for (const reader of readers) {
          if (reader.keeps(chunk.length)) continue;
          readers.delete(reader);
          reader.onFailure(new TooManyBytesError());
        }
        if (readers.size === 0) controller.abort(new TooManyBytesError());
      },
      onResponseEnd: () => {
        onEnd();
        const body = chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks, size);
        for (const reader of readers) give(reader, { status, headers, body });
      },
      onResponseError: (_controller, error) => {
        if (readers.size > 0 && status === 0 && mayRetry('GET', retries, error)) dispatch(flight, onEnd, retries + 1);
        else fail(error);
      },
    },
  );
}

/** A client whose answer cannot be sent must not take it from the others. */
function give(reader: Reader, answer: UpstreamAnswer): void {
  try {
    reader.onAnswer(answer);
  } catch (error) {
    reader.onFailure(errorOf(error));
  }
}

function errorOf(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
