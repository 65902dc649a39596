import { problem } from '@procurement/contracts/problems/problems';
import { ProblemError } from '@procurement/kit/http/problem-error';
import { monotonicMs } from '@procurement/kit/runtime/clock';
import type { Readable } from 'node:stream';

/** How long an upload may take. */
export interface StreamTimeouts {
  /** Without a byte from the client. */
  readonly idleMs: number;
  /** From the first byte to the last. */
  readonly totalMs: number;
}

/**
 * The bytes of a stream, one after the other: the next is only asked for when somebody wants it, which is what holds a sender
 * back. Throws 408 `request.timeout` when the sender stalls, 400 `request.bad` when it has gone. Never ends the stream itself:
 * its socket still has to carry the answer. Time in which nobody asks does not count as idle.
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
    // Lets go of the stream, so that others can read what is left. Not waited for: a sender that stalls would be.
    void chunks.return?.().catch(() => undefined);
  }
}

async function within<T>(step: Promise<T>, ms: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new ProblemError(problem('request.timeout', {}, CLOSE_CONNECTION))),
      Math.max(ms, 0),
    );
    step
      .then(resolve, (error: unknown) => reject(error instanceof ProblemError ? error : senderGone(error)))
      .finally(() => clearTimeout(timer));
  });
}

// What such a sender sends later is no request.
const CLOSE_CONNECTION = { connection: 'close' } as const;

/** The client has gone in the middle: it hears nothing any more, and it is no fault of ours. */
function senderGone(cause: unknown): ProblemError {
  return Object.assign(new ProblemError(problem('request.bad')), { cause });
}
