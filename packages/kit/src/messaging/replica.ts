import type { Envelope } from '@procurement/contracts/events/envelope';
import type pg from 'pg';
import type { z } from 'zod';
import { sendRequest } from './request.ts';
import type { Bus } from './bus.ts';
import { batchReads } from '../database/batch-reads.ts';
import type { Subscription } from './subscription.ts';
import type { Logger } from '../runtime/log.ts';
import type { TraceContext } from '../runtime/trace-context.ts';

/** How a service keeps a copy of facts of another service: which events carry them, and where to request missing ones. */
export interface ReplicaDeclaration<F extends Facts> {
  /** Kind of aggregate: column `kind` of the table `replica`. */
  readonly kind: string;
  readonly schema: z.ZodType<F>;
  /** Event types whose data are the complete facts. */
  readonly types: readonly string[];
  /** Request/reply subject of the owner for the facts of one id, if it has one. */
  readonly rpcSubject?: string;
}

/** Facts have an id, and a version that grows with each change. */
export interface Facts {
  readonly id: string;
  readonly version: number;
}

// Compares versions, so that a late or repeated event never overwrites newer facts.
const UPSERT_SQL = `INSERT INTO replica (kind, id, version, facts)
  SELECT $1, * FROM unnest($2::text[], $3::bigint[], $4::text[])
  ON CONFLICT (kind, id) DO UPDATE SET version = excluded.version, facts = excluded.facts, updated_at = now()
  WHERE replica.version < excluded.version`;
const READ_SQL = 'SELECT id, facts FROM replica WHERE kind = $1 AND id = ANY($2::text[])';

type Queryable = Pick<pg.Pool, 'query'>;

async function upsert(db: Queryable, kind: string, facts: Iterable<Facts>): Promise<void> {
  // In the order of ids, so that two processes with overlapping batches do not deadlock.
  const rows = [...facts].sort((a, b) => (a.id < b.id ? -1 : 1));
  if (rows.length === 0) return;
  const ids = rows.map((row) => row.id);
  const versions = rows.map((row) => row.version);
  const texts = rows.map((row) => JSON.stringify(row));
  await db.query({ name: 'replica-upsert', text: UPSERT_SQL, values: [kind, ids, versions, texts] });
}

/** Makes the `apply` of a subscription that updates the copy. Of several events of one aggregate it writes only the newest. */
export function applyToReplica<F extends Facts>(declaration: ReplicaDeclaration<F>): Subscription['apply'] {
  return async (tx, events) => {
    const newest = new Map<string, F>();
    for (const event of events) {
      if (!declaration.types.includes(event.type)) continue;
      const facts = factsOf(declaration, event);
      if ((newest.get(facts.id)?.version ?? -1) < facts.version) newest.set(facts.id, facts);
    }
    await upsert(tx, declaration.kind, newest.values());
  };
}

function factsOf<F extends Facts>(declaration: ReplicaDeclaration<F>, event: Envelope): F {
  return declaration.schema.parse(event.data);
}

export interface Replica<F extends Facts> {
  /**
   * The facts from the local copy, else requested from their owner and stored. Undefined: the owner has none either. `trace`
   * travels with a request to the owner.
   */
  find(id: string, trace?: TraceContext): Promise<F | undefined>;
  /**
   * The current facts, requested from their owner and stored when newer; the local copy when the owner does not respond. Call
   * it before refusing: a copy may lag by milliseconds, and must not cause a refusal. Never older than `find`.
   */
  refresh(id: string, trace?: TraceContext): Promise<F | undefined>;
  /**
   * The same for several ids, in the transaction of a consumer. Reads by its connection only, because a transaction that waits
   * for a second connection of its pool can wait for ever. Stores nothing: the copy follows by events.
   */
  refreshInTransaction(tx: pg.PoolClient, ids: readonly string[]): Promise<ReadonlyMap<string, F>>;
}

/** Opens a local copy for reading. Missing facts are requested from their owner, so that replication lag causes no 404. */
export function openReplica<F extends Facts>(
  declaration: ReplicaDeclaration<F>,
  { pool, bus, log }: { readonly pool: pg.Pool; readonly bus: Bus; readonly log: Logger },
): Replica<F> {
  const readRow = batchReads<string>(async (ids) => {
    const { rows } = await pool.query<{ id: string; facts: string }>({
      name: 'replica-read',
      text: READ_SQL,
      values: [declaration.kind, ids],
    });
    return new Map(rows.map((row) => [row.id, row.facts]));
  });
  // Parsing facts costs more than fetching them, and they seldom change: cached while the text of the row is the same.
  const parsed = new Map<string, { readonly text: string; readonly facts: F }>();
  let parsedCharacters = 0;
  async function findLocal(id: string): Promise<F | undefined> {
    const text = await readRow(id);
    if (text === undefined) return undefined;
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

  async function requestFromOwner(id: string, trace?: TraceContext, timeoutMs?: number): Promise<F | undefined> {
    if (declaration.rpcSubject === undefined) return undefined;
    const response = await sendRequest(bus, declaration.rpcSubject, { id }, timeoutMs, trace);
    if (response.kind === 'unavailable') {
      log.warn({ kind: declaration.kind, id, traceId: trace?.traceId }, 'owner of facts did not respond');
      return undefined;
    }
    if (response.value === undefined || response.value === null) return undefined;
    return declaration.schema.parse(response.value);
  }

  return {
    async find(id, trace) {
      const local = await findLocal(id);
      if (local !== undefined) return local;
      const fromOwner = await requestFromOwner(id, trace);
      if (fromOwner !== undefined) await upsert(pool, declaration.kind, [fromOwner]);
      return fromOwner;
    },

    async refresh(id, trace) {
      const fromOwner = await requestFromOwner(id, trace, REFRESH_TIMEOUT_MS);
      const local = await findLocal(id);
      // Compared here rather than by the upsert, which would lock the row and write WAL even without a change.
      if (fromOwner === undefined || (local !== undefined && local.version >= fromOwner.version)) return local;
      await upsert(pool, declaration.kind, [fromOwner]);
      return fromOwner;
    },

    async refreshInTransaction(tx, ids) {
      const fromOwner = await Promise.all(ids.map(async (id) => requestFromOwner(id, undefined, REFRESH_TIMEOUT_MS)));
      const { rows } = await tx.query<{ facts: string }>({
        name: 'replica-read',
        text: READ_SQL,
        values: [declaration.kind, ids],
      });
      const local = rows.map((row) => declaration.schema.parse(JSON.parse(row.facts)));
      const newest = new Map(local.map((facts) => [facts.id, facts]));
      for (const facts of fromOwner) {
        if (facts !== undefined && facts.version > (newest.get(facts.id)?.version ?? -1)) newest.set(facts.id, facts);
      }
      return newest;
    },
  };
}

/** Characters of text in the cache. The parsed values take several times as much, about 10 MB. */
const PARSED_CHARACTERS_MAX = 2_000_000;

/** Limit for an owner that hangs; an absent one fails at once (no responders). */
const REFRESH_TIMEOUT_MS = 500;

// Extra lag of a copy in milliseconds; missing facts are requested from the owner. Under a steady load it halves the
// transactions of every consumer.
const GATHER_MS = 20;

/** The subscription that updates such a copy. No endpoint shows a write through it, so it does not acknowledge to writers. */
export function replicaSubscription<F extends Facts>(
  declaration: ReplicaDeclaration<F> & Pick<Subscription, 'stream' | 'filter'> & { readonly facts: string },
  durable: string,
): Subscription {
  return {
    stream: declaration.stream,
    filter: declaration.filter,
    facts: declaration.facts,
    replicaKind: declaration.kind,
    durable,
    types: declaration.types,
    apply: applyToReplica(declaration),
    gatherMs: GATHER_MS,
    acksApplied: false,
  };
}
