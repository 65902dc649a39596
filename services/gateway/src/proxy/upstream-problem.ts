import { problem, type Problem } from '@procurement/contracts/problems/problems';

/** Nobody was reached: the request had no effect, and may be repeated whatever it was. */
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
/** The connection broke: a kept one that the other side had just closed, or a service that died. */
const CONNECTION_LOST: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);
const TIMED_OUT: ReadonlySet<string> = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT']);

const RETRY_AFTER = { 'retry-after': '5' } as const;

/** What a client is told when a service could not be asked: 503 not reached, 504 too slow, 502 broken (http.md 7). */
export function upstreamProblem(error: unknown): Problem {
  const code = errorCodeOf(error);
  if (NOT_CONNECTED.has(code)) return problem('service.unavailable', {}, RETRY_AFTER);
  return problem(TIMED_OUT.has(code) ? 'service.timeout' : 'service.bad-gateway');
}

/** True when a read may be tried once more: it cannot have been answered yet. */
export function mayRetry(method: string, attempt: number, error: unknown): boolean {
  const code = errorCodeOf(error);
  return (
    attempt === 0 && (method === 'GET' || method === 'HEAD') && (NOT_CONNECTED.has(code) || CONNECTION_LOST.has(code))
  );
}

/** The machine's word for what happened, of the error itself or of what it was made from. */
function errorCodeOf(error: unknown): string {
  if (!(error instanceof Error)) return '';
  if (error.cause instanceof Error) return errorCodeOf(error.cause);
  return 'code' in error && typeof error.code === 'string' ? error.code : '';
}
