import { problem } from '@procurement/contracts/problems/problems';
import { ProblemError } from '@procurement/kit/runtime/problem-error';
import { monotonicMs } from '@procurement/kit/runtime/clock';
import type { Readable } from 'node:stream';

/** Time limits of an upload. */
export interface StreamTimeouts {
  /** Longest time without a byte from the client. */
  readonly idleMs: number;
  /** Longest time from the first byte to the last. */
  readonly totalMs: number;
}

/**
 * Yields the chunks of a stream on demand, which gives backpressure to the sender. Throws 408 `request.timeout` when the sender
 * stalls, 400 `request.bad` when it disconnects. Does not destroy the stream: its socket still has to carry the response. Time
 * in which the consumer requests no chunk does not count as idle.
 */
export async function* withTimeouts(source: Readable, { idleMs, totalMs }: StreamTimeouts): AsyncGenerator<Buffer> {
  const startedMs = monotonicMs();
  const chunks = source.iterator({ destroyOnReturn: false });
  try {
    for (;;) {
      const leftMs = totalMs - (monotonicMs() - startedMs);
      const step = await within(chunks.next(), Math.min(idleMs, leftMs));
      if (step.done === true) return;
      yield step.value;
    }
  } finally {
    // Releases the stream, so that the rest can be read elsewhere. Not awaited: a stalled sender would delay it.
    void chunks.return?.().catch(() => undefined);
  }
}

async function within<T>(step: Promise<T>, ms: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(stalled()), Math.max(ms, 0));
    step
      .then(resolve, (error: unknown) => reject(error instanceof ProblemError ? error : senderDisconnected(error)))
      .finally(() => clearTimeout(timer));
  });
}

/**
 * Calls `onStalled` with the same 408 once, for a stream that is piped and not iterated. Ends with the returned function: what comes
 * later is limited by whoever reads it.
 */
export function watchArrival(
  source: Readable,
  { idleMs, totalMs }: StreamTimeouts,
  onStalled: (refusal: ProblemError) => void,
): () => void {
  const refuse = (): void => {
    stop();
    onStalled(stalled());
  };
  const idleTimer = setTimeout(refuse, idleMs);
  const totalTimer = setTimeout(refuse, totalMs);
  const onData = (): void => void idleTimer.refresh();
  const stop = (): void => {
    clearTimeout(idleTimer);
    clearTimeout(totalTimer);
    source.off('data', onData);
  };
  source.on('data', onData);
  return stop;
}

function stalled(): ProblemError {
  return new ProblemError(problem('request.timeout', {}, CLOSE_CONNECTION));
}

// Bytes that such a sender sends later are no request.
const CLOSE_CONNECTION = { connection: 'close' } as const;

/** The client disconnected during the upload: a 400, so that it is not logged as an error of the service. */
function senderDisconnected(cause: unknown): ProblemError {
  return Object.assign(new ProblemError(problem('request.bad')), { cause });
}
