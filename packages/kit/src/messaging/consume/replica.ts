import type { Envelope } from '@procurement/contracts/events/envelope';
import type pg from 'pg';
import type { z } from 'zod';
import { sendRequest } from '../request/request.ts';
import type { Bus } from '../bus.ts';
import { batchReads } from '../../database/batch-reads.ts';
import { readKeys } from '../../database/read-keys.ts';
import { textArray } from '../../database/text-array.ts';
import type { Copies, Subscription } from './subscription.ts';
import type { Logger } from '../../runtime/log.ts';
import { remainingMs, type Caller } from '../../runtime/caller.ts';
import { UnavailableError } from '../../database/unavailable-error.ts';

/** How a service keeps a copy of facts of another service: which events carry them, and where to request missing ones. */
export interface ReplicaDeclaration<F extends Facts> {
  /** Kind of aggregate: column `kind` of the table `replica`. */
  readonly kind: string;
  readonly schema: z.ZodType<F>;
  /** Event types whose data are the complete facts. */
  readonly types: readonly string[];
  /** Request/reply subject of the owner for the facts of one id, if it has one. */
  readonly rpcSubject?: string;
  /** Statements that remove what this service has of objects that their owner has not. $1: their ids. */
  readonly removeDependents?: readonly string[];
}

/** Facts have an id, and a version that grows with each change. */
export interface Facts {
  readonly id: string;
  readonly version: number;
}

// Compares versions, so that a late or repeated event never overwrites newer facts.
const UPSERT = `INSERT INTO kit.replica (kind, id, version, facts)
  SELECT $1, id, version, facts FROM unnest($2::text[], $3::bigint[], $4::text[]) AS given (id, version, facts)
  ON CONFLICT (kind, id) DO UPDATE SET version = excluded.version, facts = excluded.facts, updated_at = now()
  WHERE replica.version < excluded.version`;
const READ_SQL = 'SELECT id, facts FROM kit.replica WHERE kind = $1 AND id = ANY($2::text[])';

type Queryable = Pick<pg.Pool, 'query'>;

/** Facts, and their text as it came: during a rolling update it may have members that this process does not know. */
interface ReceivedFacts<F extends Facts> {
  readonly facts: F;
  readonly text: string;
}

/** Validates facts. Throws when they are not valid. */
function receive<F extends Facts>({ schema }: ReplicaDeclaration<F>, data: unknown): ReceivedFacts<F> {
  return { facts: schema.parse(data), text: JSON.stringify(data) };
}

/** Writes in the order of ids, so that two processes with overlapping batches do not deadlock. */
async function upsert(db: Queryable, kind: string, received: Iterable<ReceivedFacts<Facts>>): Promise<void> {
  const rows = [...received].sort((a, b) => (a.facts.id < b.facts.id ? -1 : 1));
  if (rows.length === 0) return;
  const ids = rows.map(({ facts }) => facts.id);
  const versions = rows.map(({ facts }) => facts.version);
  const texts = textArray(rows.map(({ text }) => text));
  await db.query({ name: 'replica-upsert', text: UPSERT, values: [kind, ids, versions, texts] });
}

/** The newest facts of each aggregate among these events. Throws when the facts of one are not valid. */
function selectNewest<F extends Facts>(
  declaration: ReplicaDeclaration<F>,
  events: readonly Envelope[],
): Iterable<ReceivedFacts<F>> {
  const newest = new Map<string, ReceivedFacts<F>>();
  for (const event of events) {
    if (!declaration.types.includes(event.type)) continue;
    const received = receive(declaration, event.data);
    const { id, version } = received.facts;
    if ((newest.get(id)?.facts.version ?? -1) < version) newest.set(id, received);
  }
  return newest.values();
}

/**
 * Makes the `apply` of a subscription that updates the copy. Of several events of one aggregate it writes only the newest. Stores
 * facts as they came, with members that this process does not know.
 */
export function applyToReplica<F extends Facts>(
  declaration: ReplicaDeclaration<F>,
): (tx: pg.PoolClient, events: readonly Envelope[]) => Promise<void> {
  return async (tx, events) => upsert(tx, declaration.kind, selectNewest(declaration, events));
}

export interface Replica<F extends Facts> {
  /**
   * The facts from the local copy, else requested from their owner and stored. Undefined: the owner has none either. Throws
   * UnavailableError when there is no copy and the owner does not respond in time: what cannot be known is not absent (rulings
   * R37). For a request the time is that of `caller`.
   */
  find(id: string, caller?: Caller): Promise<F | undefined>;
  /**
   * The current facts, requested from their owner and stored when newer; the local copy when the owner does not respond. Call
   * it before refusing: a copy may lag by milliseconds, and must not cause a refusal. Never older than `find`. Throws as `find`.
   */
  refresh(id: string, caller?: Caller): Promise<F | undefined>;
  /**
   * The facts as their owner has them now; stored when newer. Undefined: the owner has none. Throws UnavailableError when the owner
   * does not respond in time. For decisions that must not be made by a copy.
   */
  current(id: string, caller?: Caller): Promise<F | undefined>;
}

interface ReplicaRow {
  readonly id: string;
  readonly facts: string;
}

/** What the owner responded: facts, or that it has none. */
type OwnerResponse<F extends Facts> = ReceivedFacts<F> | 'none' | 'unavailable';

/** Opens a local copy for reading. Missing facts are requested from their owner, so that replication lag causes no 404. */
export function openReplica<F extends Facts>(
  declaration: ReplicaDeclaration<F>,
  { pool, bus, log }: { readonly pool: pg.Pool; readonly bus: Bus; readonly log: Logger },
): Replica<F> {
  const { kind, rpcSubject } = declaration;
  const readRow = batchReads<ReplicaRow>(async (ids) => {
    const { rows } = await pool.query<ReplicaRow>({ name: 'replica-read', text: READ_SQL, values: [kind, ids] });
    return new Map(rows.map((row) => [row.id, row]));
  });
  // Parsing facts costs more than fetching them, and they seldom change: cached while the text of the row is the same.
  const parsed = new Map<string, { readonly text: string; readonly facts: F }>();
  let parsedCharacters = 0;
  async function findLocal(id: string): Promise<F | undefined> {
    const row = await readRow(id);
    if (row === undefined) return undefined;
    const { facts: text } = row;
    const cached = parsed.get(id);
    if (cached?.text === text) return cached.facts;
    const facts = declaration.schema.parse(JSON.parse(text));
    parsedCharacters += text.length;
    if (parsedCharacters > PARSED_CHARACTERS_MAX) {
      parsed.clear();
      parsedCharacters = text.length;
    }
    parsed.set(id, { text, facts });
    return facts;
  }

  async function requestFromOwner(id: string, timeoutMs: number, caller?: Caller): Promise<OwnerResponse<F>> {
    // A copy without a responder is all that can be known.
    if (rpcSubject === undefined) return 'none';
    const response = await sendRequest(bus, rpcSubject, { id }, timeoutMs, caller?.trace);
    if (response.kind === 'unavailable') {
      log.warn({ kind, id, traceId: caller?.trace.traceId }, 'owner of facts did not respond');
      return 'unavailable';
    }
    if (response.value === undefined || response.value === null) return 'none';
    return receive(declaration, response.value);
  }

  /** The owner's facts, stored when newer than the copy. Undefined: it has none. Throws UnavailableError. */
  async function fetchAndStore(id: string, caller?: Caller): Promise<F | undefined> {
    const timeoutMs = caller === undefined ? REQUEST_TIMEOUT_MS : remainingMs(caller);
    const response = await requestFromOwner(id, timeoutMs, caller);
    if (response === 'unavailable') throw new UnavailableError(`the owner of ${kind} ${id}`);
    return response === 'none' ? undefined : storeIfNewer(response);
  }

  async function storeIfNewer(received: ReceivedFacts<F>): Promise<F> {
    const local = await findLocal(received.facts.id);
    // Compared here rather than by the upsert, which would lock the row and write WAL even without a change.
    if (local !== undefined && local.version >= received.facts.version) return local;
    await upsert(pool, kind, [received]);
    return received.facts;
  }

  async function find(id: string, caller?: Caller): Promise<F | undefined> {
    return (await findLocal(id)) ?? fetchAndStore(id, caller);
  }

  return {
    find,
    current: fetchAndStore,

    async refresh(id, caller) {
      const response = await requestFromOwner(id, REFRESH_TIMEOUT_MS * bus.waitFactor, caller);
      if (typeof response === 'object') return storeIfNewer(response);
      const local = await findLocal(id);
      if (local !== undefined) return local;
      return response === 'none' ? undefined : find(id, caller);
    },
  };
}

/** Characters of text in the cache. The parsed values take several times as much, about 10 MB. */
const PARSED_CHARACTERS_MAX = 2_000_000;

/** Limit for an owner that hangs, where a copy can decide; an absent one fails at once (no responders). */
const REFRESH_TIMEOUT_MS = 500;
/** Longest wait for an owner on behalf of no request. */
const REQUEST_TIMEOUT_MS = 1_000;

function makeCopies({
  kind,
  removeDependents = [],
}: Pick<ReplicaDeclaration<Facts>, 'kind' | 'removeDependents'>): Copies {
  return {
    keys: async (db, after, max) =>
      readKeys(db, `SELECT id AS key FROM kit.replica WHERE kind = '${kind}' AND id > $1 ORDER BY id LIMIT $2`, [
        after,
        max,
      ]),
    async remove(tx, ids) {
      const removeCopies = `DELETE FROM kit.replica WHERE kind = '${kind}' AND id = ANY($1::text[])`;
      for (const sql of [removeCopies, ...removeDependents]) await tx.query(sql, [ids]);
    },
  };
}

// Extra lag of a copy in milliseconds; missing facts are requested from the owner. Each of the four services that copy tenders stores
// what came meanwhile in one transaction.
const GATHER_MS = 50;

/** The subscription that updates such a copy. No endpoint shows a write through it, so it does not acknowledge to writers. */
export function replicaSubscription<F extends Facts>(
  declaration: ReplicaDeclaration<F> & Pick<Subscription, 'stream' | 'filter'> & { readonly factType: string },
  durable: string,
): Subscription & { readonly copies: Copies } {
  return {
    stream: declaration.stream,
    filter: declaration.filter,
    factType: declaration.factType,
    replicaKind: declaration.kind,
    copies: makeCopies(declaration),
    durable,
    types: declaration.types,
    apply: applyToReplica(declaration),
    gatherMs: GATHER_MS,
    acksApplied: false,
  };
}
