import { monotonicMs } from './clock.ts';
import type { TraceContext } from './trace-context.ts';

/** The request on whose behalf a service asks another one. A Fastify request of `buildServer` is one. */
export interface Caller {
  readonly trace: TraceContext;
  /** Time by the monotonic clock until which the sender of the request waits for its answer, less `ANSWER_MS`. */
  readonly deadlineMs: number;
}

/** Request header: milliseconds that the sender waits for the answer. A duration, because clocks of hosts differ. */
export const TIMEOUT_HEADER = 'x-timeout-ms';

/** Kept back from the deadline, so that a refusal reaches the sender before it gives up. */
const ANSWER_MS = 1_000;
/** Applies to requests without the header. */
const DEFAULT_TIMEOUT_MS = 10_000;
const TIMEOUT_MS_MAX = 60_000;

/** The deadline of a request that has just arrived, by its header. */
export function parseDeadline(header: string | readonly string[] | undefined): number {
  const given = typeof header === 'string' && /^\d{1,9}$/.test(header) ? Number(header) : DEFAULT_TIMEOUT_MS;
  return monotonicMs() + Math.max(0, Math.min(given, TIMEOUT_MS_MAX) - ANSWER_MS);
}

/** Milliseconds for which a request to another service may wait; at least one, so that a prompt answer still counts. */
export function remainingMs({ deadlineMs }: Pick<Caller, 'deadlineMs'>): number {
  return Math.max(1, Math.floor(deadlineMs - monotonicMs()));
}
