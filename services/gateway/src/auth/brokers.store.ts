import { brokerEvents, type BrokerChanged } from '@procurement/contracts/events/broker.events';
import { formatServerDate } from '@procurement/contracts/reading/instant';
import { appendAudit, logAudit, operatorAct, type AuditRow } from '@procurement/kit/database/audit';
import { transact } from '@procurement/kit/database/transaction';
import type { Outbox } from '@procurement/kit/messaging/publish/outbox';
import type { Clock } from '@procurement/kit/runtime/clock';
import type { Logger } from '@procurement/kit/runtime/log';
import type pg from 'pg';
import { Broker } from './broker.ts';
import type { ImportedKey } from './broker-file.ts';
import { planImport, type ImportPlan, type StoredKey } from './plan-import.ts';
import type { KeySource } from './key-ring.ts';

const KEYS_IN_FORCE = `SELECT key_hash AS "keyHash", name, "group", levels FROM broker_key JOIN broker ON name = broker
  WHERE revoked_at IS NULL AND NOT key_hash = ANY($1::text[])`;
const KEY_IN_FORCE = `${KEYS_IN_FORCE} AND key_hash = $2`;

/** Reads keys. Those of `refused` are never in force. */
export function keySource(pool: pg.Pool, refused: readonly string[]): KeySource {
  type KeyRow = Broker & { readonly keyHash: string };
  return {
    all: async () => {
      const { rows } = await pool.query<KeyRow>({ name: 'keys', text: KEYS_IN_FORCE, values: [refused] });
      return new Map(rows.map((row) => [row.keyHash, Broker.parse(row)]));
    },
    find: async (keyHash) => {
      const { rows } = await pool.query<KeyRow>({ name: 'key', text: KEY_IN_FORCE, values: [refused, keyHash] });
      return rows[0] === undefined ? undefined : Broker.parse(rows[0]);
    },
  };
}

export interface BrokerStore {
  /**
   * Adds a key to a broker (created or updated by name) and publishes `broker.registered`. False, without any change, when the
   * key exists already, also as a revoked one.
   */
  addKey(broker: Broker, keyHash: string): Promise<boolean>;
  /**
   * Adds a key to a broker that exists; with `revokesOthers` its other keys are revoked in the same transaction. Undefined, without
   * any change, when there is no such broker, or the key exists already. Returns how many keys were revoked.
   */
  rotate(name: string, keyHash: string, revokesOthers: boolean): Promise<number | undefined>;
  /** Changes group or levels of a broker. False when there is none of that name, or it has them already. */
  change(name: string, values: Partial<Pick<Broker, 'group' | 'levels'>>): Promise<boolean>;
  /**
   * Adds all keys in one transaction, with their brokers. Nothing is added when one of them conflicts with what is stored, or
   * with `dryRun`.
   */
  importKeys(keys: readonly ImportedKey[], options: { readonly dryRun: boolean }): Promise<ImportPlan>;
  /**
   * Revokes one key of a broker (by its hash, or the beginning of its hash) or all, and publishes `broker.revoked` for each. Returns how
   * many were in force.
   */
  revoke(name: string, keyHash?: string): Promise<number>;
  list(): Promise<readonly BrokerRow[]>;
  find(name: string): Promise<Broker | undefined>;
  /** Keys of a broker, the newest first. */
  keysOf(name: string): Promise<readonly BrokerKeyRow[]>;
  /** Levels of a broker, also of one whose keys are all revoked; undefined when there is none of that name. */
  accessOf(name: string): Promise<BrokerAccess | undefined>;
}

/** What other services may read of a broker. */
export interface BrokerAccess {
  readonly levels: string;
  /** One in force. */
  readonly hasKey: boolean;
}

export interface BrokerRow extends Broker {
  readonly keys: number;
  readonly revoked: number;
}

export interface BrokerKeyRow {
  readonly keyHash: string;
  readonly createdAt: Date;
  readonly revokedAt: Date | null;
}

const UPSERT_BROKER = `INSERT INTO broker (name, "group", levels) VALUES ($1, $2, $3)
  ON CONFLICT (name) DO UPDATE SET "group" = excluded."group", levels = excluded.levels`;
const INSERT_KEY = 'INSERT INTO broker_key (key_hash, broker) VALUES ($1, $2) ON CONFLICT DO NOTHING';
const REVOKE = `UPDATE broker_key SET revoked_at = now() FROM broker
  WHERE broker.name = broker_key.broker AND broker.name = $1 AND revoked_at IS NULL
    AND ($2::text IS NULL OR starts_with(key_hash, $2)) AND key_hash IS DISTINCT FROM $3::text
  RETURNING broker.name, broker."group", broker.levels, key_hash AS "keyHash"`;
const LIST = `SELECT name, "group", levels, count(key_hash) FILTER (WHERE revoked_at IS NULL AND key_hash <> ALL($1))::int AS keys,
  count(revoked_at)::int AS revoked FROM broker LEFT JOIN broker_key ON broker_key.broker = broker.name
  GROUP BY name ORDER BY name LIMIT 10000`;

const FIND = 'SELECT name, "group", levels FROM broker WHERE name = $1';
const KEYS = `SELECT key_hash AS "keyHash", created_at AS "createdAt", revoked_at AS "revokedAt" FROM broker_key
  WHERE broker = $1 ORDER BY created_at DESC LIMIT 1000`;
const CHANGE = `UPDATE broker SET "group" = coalesce($2, "group"), levels = coalesce($3, levels)
  WHERE name = $1 AND ("group", levels) IS DISTINCT FROM (coalesce($2, "group"), coalesce($3, levels))`;
const BROKERS_NAMED = 'SELECT name, "group", levels FROM broker WHERE name = ANY($1) ORDER BY name FOR UPDATE';
const KEYS_HASHED = `SELECT key_hash AS "keyHash", broker AS name, revoked_at IS NOT NULL AS "isRevoked" FROM broker_key
  WHERE key_hash = ANY($1)`;

const ACCESS = `SELECT levels, EXISTS (SELECT FROM broker_key
    WHERE broker = name AND revoked_at IS NULL AND key_hash <> ALL($2)) AS "hasKey"
  FROM broker WHERE name = $1`;

// What the log has hashes of: the broker and the hashes of its keys in force, as JSON text. Locks the broker.
const LOCK_BROKER = 'SELECT name FROM broker WHERE name = $1 FOR UPDATE';
const STATE = `SELECT json_build_object('name', name, 'group', "group", 'levels', levels, 'keys', coalesce((SELECT
    json_agg(key_hash ORDER BY key_hash) FROM broker_key WHERE broker = name AND revoked_at IS NULL), '[]'))::text AS text
  FROM broker WHERE name = $1`;

async function readState(tx: pg.PoolClient, name: string): Promise<string | undefined> {
  return (await tx.query<{ text: string }>(STATE, [name])).rows[0]?.text;
}

/**
 * Runs a change of one broker, and records the broker before and after it (decision 0071). No record of no change. Returns how much
 * changed.
 */
async function audited(
  tx: pg.PoolClient,
  { command, name, record }: { readonly command: string; readonly name: string; readonly record: Recorder },
  change: () => Promise<number>,
): Promise<number> {
  await tx.query(LOCK_BROKER, [name]);
  const before = await readState(tx, name);
  const changed = await change();
  if (changed === 0) return 0;
  const after = await readState(tx, name);
  record(await appendAudit(tx, operatorAct(command), { id: name, before, after }));
  return changed;
}

/** Receives the records of a change, which are logged after its commit. */
type Recorder = (rows: readonly AuditRow[]) => void;

/** A key is registered once and revoked once: these are the versions of its events. */
const EVENT_VERSIONS = { 'broker.registered': 1, 'broker.revoked': 2 } as const;

export interface BrokerStoreDeps {
  readonly pool: pg.Pool;
  readonly outbox: Outbox;
  readonly clock: Clock;
  readonly log: Logger;
  /** Hashes of keys that are not in force on this process, whatever is stored. */
  readonly refusedKeys: readonly string[];
}

/** Writes brokers and keys, each change in one transaction with its event. */
export function brokerStore({ pool, outbox, clock, log, refusedKeys }: BrokerStoreDeps): BrokerStore {
  const appendEvents = async (
    tx: pg.PoolClient,
    type: keyof typeof EVENT_VERSIONS,
    changes: readonly BrokerChanged[],
  ): Promise<void> => {
    const rows = changes.map((data) =>
      outbox.row({
        type,
        schema: brokerEvents[type].schema,
        subjectId: data.name,
        version: EVENT_VERSIONS[type],
        time: formatServerDate(clock.now()),
        data,
        correlationId: `key-${data.keyHash.slice(0, 8)}`,
      }),
    );
    await outbox.append(tx, rows);
  };
  const revokeKeys = async (tx: pg.PoolClient, name: string, keyHash?: string, except?: string): Promise<number> => {
    const { rows } = await tx.query<BrokerChanged>(REVOKE, [name, keyHash ?? null, except ?? null]);
    await appendEvents(tx, 'broker.revoked', rows);
    return rows.length;
  };
  /** Runs a change in a transaction of its own, and publishes its events. */
  const run = async <T>(change: (tx: pg.PoolClient, record: Recorder) => Promise<T>): Promise<T> => {
    const recorded: AuditRow[] = [];
    const result = await transact(pool, async (tx) => {
      recorded.length = 0;
      return change(tx, (rows) => void recorded.push(...rows));
    });
    logAudit(log, recorded);
    outbox.wake();
    return result;
  };
  const insertKey = async (tx: pg.PoolClient, broker: Broker, keyHash: string): Promise<number> => {
    const known = await tx.query('SELECT 1 FROM broker_key WHERE key_hash = $1', [keyHash]);
    if (known.rowCount !== 0) return 0;
    await tx.query(UPSERT_BROKER, [broker.name, broker.group, broker.levels]);
    const inserted = await tx.query(INSERT_KEY, [keyHash, broker.name]);
    if (inserted.rowCount === 0) return 0;
    await appendEvents(tx, 'broker.registered', [{ ...broker, keyHash }]);
    return 1;
  };
  return {
    addKey: async (broker, keyHash) =>
      run(async (tx, record) => {
        const change = { command: 'brokers add', name: broker.name, record };
        return (await audited(tx, change, async () => insertKey(tx, broker, keyHash))) > 0;
      }),
    rotate: async (name, keyHash, revokesOthers) =>
      run(async (tx, record) => {
        const broker = await findBroker(tx, name);
        if (broker === undefined) return undefined;
        let revoked = 0;
        const added = await audited(tx, { command: 'brokers rotate', name, record }, async () => {
          const count = await insertKey(tx, broker, keyHash);
          if (count > 0 && revokesOthers) revoked = await revokeKeys(tx, name, undefined, keyHash);
          return count;
        });
        return added === 0 ? undefined : revoked;
      }),
    change: async (name, { group, levels }) =>
      run(async (tx, record) => {
        const update = async (): Promise<number> =>
          (await tx.query(CHANGE, [name, group ?? null, levels ?? null])).rowCount ?? 0;
        return (await audited(tx, { command: 'brokers set', name, record }, update)) > 0;
      }),
    importKeys: async (keys, { dryRun }) =>
      run(async (tx, record) => {
        const brokers = await tx.query<Broker>(BROKERS_NAMED, [keys.map(({ broker }) => broker.name)]);
        const stored = await tx.query<StoredKey>(KEYS_HASHED, [keys.map(({ keyHash }) => keyHash)]);
        const plan = planImport(keys, { brokers: brokers.rows, keys: stored.rows });
        if (dryRun || plan.conflicts.length > 0) return plan;
        for (const { broker, keyHash } of plan.added) {
          const change = { command: 'brokers import', name: broker.name, record };
          const count = await audited(tx, change, async () => insertKey(tx, broker, keyHash));
          if (count === 0) throw new Error(`a key of ${broker.name} was added meanwhile; nothing changed`);
        }
        return plan;
      }),
    revoke: async (name, keyHash) =>
      run(async (tx, record) =>
        audited(tx, { command: 'brokers revoke', name, record }, async () => revokeKeys(tx, name, keyHash)),
      ),
    list: async () => (await pool.query<BrokerRow>(LIST, [refusedKeys])).rows,
    find: async (name) => findBroker(pool, name),
    keysOf: async (name) => (await pool.query<BrokerKeyRow>(KEYS, [name])).rows,
    accessOf: async (name) => (await pool.query<BrokerAccess>(ACCESS, [name, refusedKeys])).rows[0],
  };
}

async function findBroker(db: Pick<pg.Pool, 'query'>, name: string): Promise<Broker | undefined> {
  const row = (await db.query<Broker>(FIND, [name])).rows[0];
  return row === undefined ? undefined : Broker.parse(row);
}
