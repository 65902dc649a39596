import type { Envelope } from '@procurement/contracts/events/envelope';
import type pg from 'pg';
import type { z } from 'zod';
import { sendRequest } from './request.ts';
import type { Bus } from './bus.ts';
import { batchWrites } from '../database/batch-writes.ts';
import type { Subscription } from './subscription.ts';
import type { Logger } from '../runtime/log.ts';

/** What the owner of facts publishes, and where it answers for facts that are missing. */
export interface ReplicaDeclaration<F extends Facts> {
  /** Name of the kind of aggregate in the table `replica`. */
  readonly kind: string;
  readonly schema: z.ZodType<F>;
  /** Event types that carry the facts whole. */
  readonly types: readonly string[];
  /** Subject of the question "what do you know of this id", when the owner answers it. */
  readonly rpcSubject?: string;
}

/** Facts are told apart by id, and newer ones from older by version. */
export interface Facts {
  readonly id: string;
  readonly version: number;
}

// The version guards: an event that arrives late or twice never overwrites newer facts.
const UPSERT_SQL = `INSERT INTO replica (kind, id, version, facts)
  SELECT $1, * FROM unnest($2::text[], $3::bigint[], $4::text[])
  ON CONFLICT (kind, id) DO UPDATE SET version = excluded.version, facts = excluded.facts, updated_at = now()
  WHERE replica.version < excluded.version`;
const READ_SQL = 'SELECT id, facts FROM replica WHERE kind = $1 AND id = ANY($2::text[])';

type Queryable = Pick<pg.Pool, 'query'>;

async function upsert(db: Queryable, kind: string, facts: Iterable<Facts>): Promise<void> {
  // In one order everywhere, so that two processes that keep overlapping batches cannot deadlock.
  const rows = [...facts].sort((a, b) => (a.id < b.id ? -1 : 1));
  if (rows.length === 0) return;
  const ids = rows.map((row) => row.id);
  const versions = rows.map((row) => row.version);
  const texts = rows.map((row) => JSON.stringify(row));
  await db.query({ name: 'replica-upsert', text: UPSERT_SQL, values: [kind, ids, versions, texts] });
}

/** Keeps the local copy: an `apply` for a subscription. Of several events of one aggregate only the newest is written. */
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
  /** The facts; when they are not here yet, asked from their owner and kept. Undefined: the owner knows none either. */
  find(id: string): Promise<F | undefined>;
  /**
   * The facts as their owner knows them now, kept when they are newer; the local copy when the owner does not answer. For
   * whoever is about to refuse: a copy may lag by milliseconds, and no refusal may come of that. Never older than `find`.
   */
  refresh(id: string): Promise<F | undefined>;
}

/** Reads the local copy, with read-through: no 404 is given for something that merely has not been replicated yet. */
export function openReplica<F extends Facts>(
  declaration: ReplicaDeclaration<F>,
  { pool, bus, log }: { readonly pool: pg.Pool; readonly bus: Bus; readonly log: Logger },
): Replica<F> {
  const readRow = batchWrites<string, string | undefined>(async (ids) => {
    const { rows } = await pool.query<{ id: string; facts: string }>({
      name: 'replica-read',
      text: READ_SQL,
      values: [declaration.kind, [...new Set(ids)]],
    });
    const texts = new Map(rows.map((row) => [row.id, row.facts]));
    return ids.map((id) => texts.get(id));
  });
  // Reading facts costs more than fetching them, and they seldom change: kept while the row says the same, byte for byte.
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

  async function requestFromOwner(id: string, timeoutMs?: number): Promise<F | undefined> {
    if (declaration.rpcSubject === undefined) return undefined;
    const response = await sendRequest(bus, declaration.rpcSubject, { id }, timeoutMs);
    if (response.kind === 'unavailable') {
      log.warn({ kind: declaration.kind, id }, 'owner of facts does not answer');
      return undefined;
    }
    if (response.value === undefined || response.value === null) return undefined;
    return declaration.schema.parse(response.value);
  }

  return {
    async find(id) {
      const local = await findLocal(id);
      if (local !== undefined) return local;
      const fromOwner = await requestFromOwner(id);
      if (fromOwner !== undefined) await upsert(pool, declaration.kind, [fromOwner]);
      return fromOwner;
    },

    async refresh(id) {
      const fromOwner = await requestFromOwner(id, REFRESH_TIMEOUT_MS);
      const local = await findLocal(id);
      // Compared here rather than by the upsert, which would lock and log the row even where it changes nothing.
      if (fromOwner === undefined || (local !== undefined && local.version >= fromOwner.version)) return local;
      await upsert(pool, declaration.kind, [fromOwner]);
      return fromOwner;
    },
  };
}

/** Characters of text, whose values take several times as much: some 10 MB. */
const PARSED_CHARACTERS_MAX = 2_000_000;

/** A refusal waits no longer for an owner that hangs; one that is away is known at once. */
const REFRESH_TIMEOUT_MS = 500;

// A copy may be this much later: what it lacks altogether is asked from the owner. Under a steady load of changes it halves the
// transactions of every follower.
const GATHER_MS = 20;

/** The subscription that keeps such a copy. Nobody's own write shows here, so it does not answer writers who wait. */
export function replicaSubscription<F extends Facts>(
  declaration: ReplicaDeclaration<F> & Pick<Subscription, 'stream' | 'filter'>,
  durable: string,
): Subscription {
  return {
    stream: declaration.stream,
    filter: declaration.filter,
    durable,
    apply: applyToReplica(declaration),
    gatherMs: GATHER_MS,
    acksApplied: false,
  };
}
