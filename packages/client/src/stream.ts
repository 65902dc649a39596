import { ConnectionError } from './problem.ts';
import type { ChangeNotice, OpenStreamQuery } from './resources.golden.ts';
import { makeEventReader, type ServerSentEvent } from './server-sent-events.ts';
import {
  credentialHeaders,
  buildQuery,
  queryText,
  makeRefusal,
  withRepetition,
  type TransportSettings,
} from './transport.ts';
import { waitOverFailures } from './wait-over-failures.ts';

/** Where to begin, and which changes: all filters of the operation. */
export interface StreamOptions extends Omit<OpenStreamQuery, 'offset' | 'lastEventId'> {
  /** A position that an earlier reading gave, of the feed too: changes after it. Without it, from now. */
  readonly after?: string;
  readonly signal?: AbortSignal;
}

/** Each has the position to store when it is processed, and to give as `after` to go on. */
export type StreamItem =
  | { readonly event: 'change'; readonly change: ChangeNotice; readonly position: string }
  /** The position is older than the stream keeps every change: of this time, the last state of each tender follows. */
  | { readonly event: 'behind'; readonly from: string; readonly until: string; readonly position: string }
  /** Positions after `after` and before `before` are void: delete what you stored with such a position, and read those tenders again. */
  | { readonly event: 'reset'; readonly after: string; readonly before: string; readonly position: string };

const PATH = '/api/2.5/stream';
const RECONNECT_MS = 3_000;
const HEARTBEAT_SECONDS = 15;
/** Heartbeats that may be missing before the connection counts as broken. */
const SILENT_HEARTBEATS = 3;

/**
 * Every public change of tenders, for ever. Connects again after any interruption, at the last position, so that nothing is missed and
 * nothing comes twice (register.md 4). A position that the API refuses ends it with that error.
 */
export async function* readStream(
  settings: TransportSettings,
  options?: StreamOptions,
): AsyncGenerator<StreamItem, void> {
  for await (const { item } of streamSteps(settings, options)) if (item !== undefined) yield item;
}

/** What happens on the stream: an item, or only that there is a connection or none. */
export interface StreamStep {
  readonly isOpen: boolean;
  readonly item?: StreamItem | undefined;
}

/** Does the same as `readStream`, and also gives each event and the end of each connection. */
export async function* streamSteps(
  settings: TransportSettings,
  { after, signal, ...filter }: StreamOptions = {},
): AsyncGenerator<StreamStep, void> {
  const { heartbeat = HEARTBEAT_SECONDS } = filter;
  let position = after;
  let retryMs = RECONNECT_MS;
  for (;;) {
    const from = position;
    const connect = async (): Promise<Connection> => openConnection(settings, { ...filter, offset: from }, signal);
    const connection = await waitOverFailures(connect, settings.wait, signal);
    try {
      for await (const event of readEvents(connection, settings.wait, heartbeat * SILENT_HEARTBEATS * 1_000)) {
        retryMs = event.retryMs ?? retryMs;
        position = event.id ?? position;
        yield { isOpen: true, item: parseItem(event, position ?? '') };
      }
    } finally {
      connection.close();
    }
    signal?.throwIfAborted();
    yield { isOpen: false };
    await settings.wait(retryMs, signal);
  }
}

interface Connection {
  readonly body: ReadableStream<Uint8Array>;
  close(): void;
}

async function openConnection(
  settings: TransportSettings,
  query: Readonly<Record<string, string | number | undefined>>,
  signal: AbortSignal | undefined,
): Promise<Connection> {
  const request = { method: 'GET', path: PATH, options: signal === undefined ? {} : { signal } } as const;
  const headers = { accept: 'text/event-stream', ...(await credentialHeaders(settings, request)) };
  const { connection } = await withRepetition<{ readonly connection: Connection; readonly failure?: never }>(
    settings,
    request,
    async () => {
      const closing = new AbortController();
      const signals = signal === undefined ? [closing.signal] : [closing.signal, signal];
      try {
        const response = await settings.fetch(`${settings.url}${PATH}${queryText(buildQuery(query))}`, {
          headers,
          redirect: 'manual',
          signal: AbortSignal.any(signals),
        });
        if (!response.ok || response.body === null) return makeRefusal(response, await response.text());
        return { connection: { body: response.body, close: () => closing.abort() } };
      } catch (error) {
        signal?.throwIfAborted();
        return { failure: {}, errorOf: (summary) => new ConnectionError(summary, error) };
      }
    },
  );
  return connection;
}

/** Events until the connection ends, breaks or is silent. */
async function* readEvents(
  { body }: Connection,
  wait: TransportSettings['wait'],
  silentMs: number,
): AsyncGenerator<ServerSentEvent, void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const eventsIn = makeEventReader();
  for (;;) {
    const part = await readWithin(reader, wait, silentMs);
    if (part === undefined) return;
    yield* eventsIn(decoder.decode(part, { stream: true }));
  }
}

/** The next part; undefined when the connection has ended or is broken. */
async function readWithin(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  wait: TransportSettings['wait'],
  ms: number,
): Promise<Uint8Array | undefined> {
  const waiting = new AbortController();
  const silence = wait(ms, waiting.signal).then(
    () => undefined,
    () => undefined,
  );
  const part = reader.read().then(
    ({ value }) => value,
    () => undefined,
  );
  try {
    return await Promise.race([part, silence]);
  } finally {
    waiting.abort();
  }
}

/** Undefined for what only moves the position: greeting, heartbeat, farewell. */
function parseItem({ name, data = '{}' }: ServerSentEvent, position: string): StreamItem | undefined {
  // The shapes of register.md 4.1.
  if (name === 'message') return data === '{}' ? undefined : { event: 'change', change: JSON.parse(data), position };
  if (name === 'behind' || name === 'reset') return { event: name, ...JSON.parse(data), position };
  return undefined;
}
