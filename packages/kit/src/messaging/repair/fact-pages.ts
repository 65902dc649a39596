import { RESPONSE_MS_MAX } from '@procurement/contracts/events/subjects';
import type pg from 'pg';
import { z } from 'zod';
import { readKeys } from '../../database/read-keys.ts';
import { ConflictError } from '../../database/transaction.ts';
import type { Bus } from '../bus.ts';
import type { StreamDeclaration } from '../streams.ts';
import type { Relay } from '../publish/relay.ts';
import { RESPONSE_BYTES_MAX, respondTo, sendRequest } from '../request/request.ts';
import type { Logger } from '../../runtime/log.ts';

/** The current state of one object, as the data of an event. */
export interface Fact {
  /** Subject of the event: the id of the tender. */
  readonly subject: string;
  readonly version: number;
  readonly data: unknown;
}

/** How an owner reads the current facts of one event type. */
export interface FactSource {
  /** Type and version of the data: `tender.changed/1`. */
  readonly schema: string;
  /** Keys after this one, in their order, at most `max`, with the approximate size of their facts. */
  keys(after: string, max: number): Promise<readonly { readonly key: string; readonly bytes: number }[]>;
  /**
   * The facts of these keys, in any order. A key whose object has gone has none. Throws ConflictError while they are not
   * complete: the follower asks again.
   */
  facts(keys: readonly string[]): Promise<readonly Fact[]>;
  /** Those of these keys that have an object. Absent: nobody keeps copies by these keys. */
  existing?(keys: readonly string[]): Promise<readonly string[]>;
}

export interface SqlFactSource {
  readonly schema: string;
  /** Prefix of the names of the prepared statements. */
  readonly name: string;
  /** Selects `key` and `bytes` of the keys after $1 in their order, at most $2. */
  readonly keysSql: string;
  /** Selects the rows of the keys in $1. */
  readonly factsSql: string;
  /** Selects `key` of those of the keys in $1 that have an object. */
  readonly existingSql?: string;
  read(row: unknown): Fact;
}

/** Facts of which each is in one row. */
export function sqlFactSource(
  pool: pg.Pool,
  { schema, name, keysSql, factsSql, existingSql, read }: SqlFactSource,
): FactSource {
  return {
    ...(existingSql === undefined ? {} : { existing: async (keys) => readKeys(pool, existingSql, [keys]) }),
    schema,
    keys: async (after, max) => selectKeys(pool, { name, keysSql }, after, max),
    async facts(keys) {
      const { rows } = await pool.query({ name: `${name}-facts`, text: factsSql, values: [keys] });
      return rows.map(read);
    },
  };
}

const KeyRow = z.object({ key: z.string(), bytes: z.coerce.number() });

/** Reads the keys for `FactSource.keys`. */
export async function selectKeys(
  pool: pg.Pool,
  { name, keysSql }: Pick<SqlFactSource, 'name' | 'keysSql'>,
  after: string,
  max: number,
): Promise<readonly z.infer<typeof KeyRow>[]> {
  const { rows } = await pool.query({ name: `${name}-keys`, text: keysSql, values: [after, max] });
  return z.array(KeyRow).parse(rows);
}

const FactPage = z.object({
  schema: z.string(),
  facts: z.array(z.object({ subject: z.string(), version: z.int().nonnegative(), data: z.unknown() })),
  /** The last key of this page; null when there are no more keys. */
  next: z.string().nullable(),
  /** A fact that is larger than a response can be was left out. */
  tooLarge: z.boolean(),
});
export type FactPage = z.infer<typeof FactPage>;

const FactPageRequest = z.object({ type: z.string(), after: z.string() });
/** Which of these keys have an object. */
const ExistingRequest = z.object({ type: z.string(), among: z.array(z.string()).readonly() });
const FactsRequest = z.union([FactPageRequest, ExistingRequest]);

/** A page ends before the fact that exceeds this; a larger fact is alone in its page. */
const PAGE_BYTES_MAX = 1_000_000;
const PAGE_KEYS_MAX = 500;
/** Less than a response may have, by room for its frame. */
const FACTS_BYTES_MAX = RESPONSE_BYTES_MAX - 65_536;

/** The request/reply subject on which the owner of a stream sends its current facts page by page. */
export function factPagesSubject({ name }: StreamDeclaration): string {
  return `ask.${name}.fact-pages`;
}

/** Responds with the current facts of the owner, by event type: what followers rebuild their copies from. */
export function respondFactPages(
  { bus, log, relay }: { readonly bus: Bus; readonly log: Logger; readonly relay?: Pick<Relay, 'lost'> },
  stream: StreamDeclaration,
  sources: Readonly<Record<string, FactSource>>,
  /** Set by tests that cannot send as much as production. */
  factsBytesMax = FACTS_BYTES_MAX,
): void {
  respondTo(bus, factPagesSubject(stream), log, async (request) => {
    const wanted = FactsRequest.parse(request);
    const { type } = wanted;
    const source = sources[type];
    if (source === undefined) throw new Error(`no facts of type ${type}`);
    // An operator has yet to say whether what is here is the truth.
    if (relay?.lost() !== undefined) return undefined;
    try {
      return await ('among' in wanted
        ? source.existing?.(wanted.among)
        : readPage(source, wanted.after, factsBytesMax));
    } catch (error) {
      if (!(error instanceof ConflictError)) throw error;
      log.info({ err: error, type }, 'facts are not complete now');
      return undefined;
    }
  });
}

async function readPage(source: FactSource, after: string, factsBytesMax: number): Promise<FactPage> {
  const { schema } = source;
  let keys = fitting(await source.keys(after, PAGE_KEYS_MAX));
  for (;;) {
    const last = keys.at(-1);
    if (last === undefined) return { schema, facts: [], next: null, tooLarge: false };
    const page = { schema, facts: [...(await source.facts(keys))], next: last, tooLarge: false };
    if (Buffer.byteLength(JSON.stringify(page)) <= factsBytesMax) return page;
    if (keys.length === 1) return { ...page, facts: [], tooLarge: true };
    // The sizes of keys are estimates.
    keys = keys.slice(0, Math.ceil(keys.length / 2));
  }
}

function fitting(all: readonly { readonly key: string; readonly bytes: number }[]): readonly string[] {
  let bytes = 0;
  const end = all.findIndex((one, n) => {
    bytes += one.bytes;
    return n > 0 && bytes > PAGE_BYTES_MAX;
  });
  return (end < 0 ? all : all.slice(0, end)).map(({ key }) => key);
}

/** Requests the page after a key. Undefined: the owner is away, or cannot tell now. */
export async function requestFactPage(
  bus: Bus,
  stream: StreamDeclaration,
  request: z.infer<typeof FactPageRequest>,
): Promise<FactPage | undefined> {
  const response = await sendRequest(bus, factPagesSubject(stream), request, RESPONSE_MS_MAX);
  if (response.kind === 'unavailable' || response.value === undefined) return undefined;
  return FactPage.parse(response.value);
}

/** Requests which of these keys have an object. Undefined: the owner is away, or cannot tell. */
export async function requestExisting(
  bus: Bus,
  stream: StreamDeclaration,
  request: z.infer<typeof ExistingRequest>,
): Promise<ReadonlySet<string> | undefined> {
  const response = await sendRequest(bus, factPagesSubject(stream), request, RESPONSE_MS_MAX);
  if (response.kind === 'unavailable' || response.value === undefined) return undefined;
  return new Set(z.array(z.string()).parse(response.value));
}
