import type { Json } from '../support/broker.ts';

/** An answer with its whole body. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Traces of the inside: files, stack traces, the database and its statements. */
const INTERNAL = /node_modules|\bat \S+ \(.*:\d+:\d+\)|prisma|postgres|ECONNREFUSED|syntax error at or near|violates/i;

/** What is wrong with an answer, whatever was asked. */
export function findFaults(method: string, { status, headers, text }: Answer): string[] {
  const isRefusal = status >= 400;
  const faults = [
    isRefusal && status >= 500 && !(status === 503 && headers.has('retry-after')) && `status ${status}`,
    isRefusal && method !== 'HEAD' && !hasErrorShape(headers, text) && 'the body has not the shape of errors',
    isRefusal && INTERNAL.test(text) && 'the body shows the inside',
    !isRefusal && method !== 'HEAD' && isJson(headers) && parsed(text) === undefined && 'the body is not JSON',
  ];
  return faults.filter((fault) => fault !== false);
}

function isJson(headers: Headers): boolean {
  return (headers.get('content-type') ?? '').startsWith('application/json');
}

/** http.md 4.1 */
function hasErrorShape(headers: Headers, text: string): boolean {
  const body = isJson(headers) ? parsed(text) : undefined;
  return (
    body?.status === 'error' &&
    Array.isArray(body.errors) &&
    body.errors.length > 0 &&
    body.errors.every(
      ({ location, name, description }: Json) =>
        typeof location === 'string' && typeof name === 'string' && description !== undefined,
    )
  );
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
