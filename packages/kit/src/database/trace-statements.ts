import { AsyncResource } from 'node:async_hooks';
import type pg from 'pg';
import { openSpanBelow, type OpenSpan } from '../runtime/spans.ts';

type Callback = (error: unknown, result: unknown) => void;

/**
 * Makes a span of each statement that the work of a span sends through this pool. Only the name of the statement is recorded, or its
 * first word: never its text or its values.
 */
export function traceStatements(pool: pg.Pool): void {
  pool.on('connect', traceClient);
  const connect = pool.connect.bind(pool);
  // A statement that waits for a connection is sent when another one ends: the context must be that of the waiting one.
  // Safe cast: both overloads are kept.
  pool.connect = ((callback?: Parameters<typeof connect>[0]) =>
    callback === undefined ? connect() : connect(AsyncResource.bind(callback))) as typeof pool.connect;
}

function traceClient(client: pg.PoolClient): void {
  // Safe cast: arguments and result are passed through.
  const query = client.query.bind(client) as (...args: readonly unknown[]) => unknown;
  // Safe cast: every overload is passed through.
  client.query = ((...args: readonly unknown[]) => {
    const name = statementName(args[0]);
    const span = openSpanBelow({ kind: 'client', name, attributes: { 'db.system.name': 'postgresql' } });
    return span === undefined ? query(...args) : sendTraced(query, args, span);
  }) as typeof client.query;
}

/** `pg` answers by the last argument, if it is a function, else by a promise. */
function sendTraced(
  query: (...args: readonly unknown[]) => unknown,
  args: readonly unknown[],
  span: OpenSpan,
): unknown {
  const last = args.at(-1);
  if (typeof last === 'function') {
    const callback: Callback = (error, result) => {
      span.end({ failed: error instanceof Error });
      // Safe cast: the last argument of `query` has this form.
      (last as Callback)(error, result);
    };
    return query(...args.slice(0, -1), callback);
  }
  const answer = query(...args);
  const end = (failed: boolean) => (): void => span.end({ failed });
  Promise.resolve(answer).then(end(false), end(true));
  return answer;
}

/** The name of a prepared statement, else the first word of the text: SELECT, BEGIN. */
function statementName(query: unknown): string {
  const { name, text } = typeof query === 'string' ? { name: undefined, text: query } : readStatement(query);
  return name ?? /^\s*(\w+)/.exec(text)?.[1]?.toUpperCase() ?? 'statement';
}

function readStatement(query: unknown): { readonly name: string | undefined; readonly text: string } {
  // Safe cast: members of unknown types, which are checked below.
  const { name, text } = Object(query) as { readonly name?: unknown; readonly text?: unknown };
  return { name: typeof name === 'string' ? name : undefined, text: typeof text === 'string' ? text : '' };
}
