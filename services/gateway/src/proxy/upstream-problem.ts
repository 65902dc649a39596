import { problem, type Problem, unavailable } from '@procurement/contracts/problems/problems';
import { sendProblem } from '@procurement/kit/http/server';
import type { FastifyReply } from 'fastify';

/** No connection: the request had no effect. */
const NOT_CONNECTED: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_CLOSED',
  'UND_ERR_DESTROYED',
]);
/** The connection broke: an idle one that the service had just closed, or the service died. */
const CONNECTION_LOST: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);
const TIMED_OUT: ReadonlySet<string> = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT']);

/** Pause before the one retry of a read: a service that is restarting needs a moment to listen again. */
const RETRY_MS = 50;

/** The problem for a failed request to a service: 503 not reached, 504 too slow, 502 broken (http.md 7). */
export function upstreamProblem(error: unknown): Problem {
  const code = errorCodeOf(error);
  if (NOT_CONNECTED.has(code)) return unavailable(5);
  return problem(TIMED_OUT.has(code) ? 'service.timeout' : 'service.bad-gateway');
}

/** Sends the problem for a failed request. Typed for the `onError` of `@fastify/reply-from`. */
export function sendUpstreamProblem(reply: unknown, { error }: { readonly error: Error }): void {
  // The types of the plugin allow any server; ours is HTTP/1.
  void sendProblem(reply as FastifyReply, upstreamProblem(error));
}

/** Milliseconds until a read is retried, null for no retry. For `retryDelay` of `@fastify/reply-from`. */
export function retryDelayMs(method: string, attempt: number, error: unknown): number | null {
  return mayRetry(method, attempt, error) ? RETRY_MS : null;
}

/** True when a read may be retried: it is the first attempt, and no response can have been sent. */
export function mayRetry(method: string, attempt: number, error: unknown): boolean {
  const code = errorCodeOf(error);
  return (
    attempt === 0 && (method === 'GET' || method === 'HEAD') && (NOT_CONNECTED.has(code) || CONNECTION_LOST.has(code))
  );
}

/** `code` of the innermost cause that is an error. */
function errorCodeOf(error: unknown): string {
  if (!(error instanceof Error)) return '';
  if (error.cause instanceof Error) return errorCodeOf(error.cause);
  return 'code' in error && typeof error.code === 'string' ? error.code : '';
}
