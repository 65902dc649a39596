import { brokerEvents, type BrokerChanged } from '@procurement/contracts/events/broker.events';
import { formatServerDate } from '@procurement/contracts/reading/instant';
import { appendAudit, logAudit, operatorAct, type AuditRow } from '@procurement/kit/database/audit';
import { transact } from '@procurement/kit/database/transaction';
import type { Outbox } from '@procurement/kit/messaging/outbox';
import type { Clock } from '@procurement/kit/runtime/clock';
import type { Logger } from '@procurement/kit/runtime/log';
import type pg from 'pg';
import type { PrismaClient } from '../gen/client.ts';
import { Broker } from './broker.ts';
import type { KeySource } from './key-ring.ts';

/** Reads keys through Prisma: these queries are rare, so its types outweigh its cost. */
export function keySource(prisma: PrismaClient): KeySource {
  return {
    all: async () => {
      const rows = await prisma.brokerKey.findMany({ where: { revokedAt: null }, include: { broker: true } });
      return new Map(rows.map((row) => [row.keyHash, Broker.parse(row.broker)]));
    },
    find: async (keyHash) => {
      const row = await prisma.brokerKey.findUnique({ where: { keyHash, revokedAt: null }, include: { broker: true } });
      return row === null ? undefined : Broker.parse(row.broker);
    },
  };
}

export interface BrokerStore {
  /**
   * Adds a key to a broker (created or updated by name) and publishes `broker.registered`. False, without any change, when the
   * key exists already, also as a revoked one.
   */
  addKey(broker: Broker, keyHash: string): Promise<boolean>;
  /** Revokes one key of a broker or all, and publishes `broker.revoked` for each. Returns how many were in force. */
  revoke(name: string, keyHash?: string): Promise<number>;
  list(): Promise<readonly BrokerRow[]>;
  /** Levels of a broker, also of one whose keys are all revoked; undefined when there is none of that name. */
  levelsOf(name: string): Promise<string | undefined>;
}

export interface BrokerRow extends Broker {
  readonly keys: number;
  readonly revoked: number;
}

const UPSERT_BROKER = `INSERT INTO broker (name, "group", levels) VALUES ($1, $2, $3)
  ON CONFLICT (name) DO UPDATE SET "group" = excluded."group", levels = excluded.levels`;
const INSERT_KEY = 'INSERT INTO broker_key (key_hash, broker) VALUES ($1, $2) ON CONFLICT DO NOTHING';
const REVOKE = `UPDATE broker_key SET revoked_at = now() FROM broker
  WHERE broker.name = broker_key.broker AND broker.name = $1 AND revoked_at IS NULL AND ($2::text IS NULL OR key_hash = $2)
  RETURNING broker.name, broker."group", broker.levels, key_hash AS "keyHash"`;
const LIST = `SELECT name, "group", levels, count(key_hash) FILTER (WHERE revoked_at IS NULL)::int AS keys,
  count(revoked_at)::int AS revoked FROM broker LEFT JOIN broker_key ON broker_key.broker = broker.name
  GROUP BY name ORDER BY name LIMIT 10000`;

const LEVELS = 'SELECT levels FROM broker WHERE name = $1';

// What the log has hashes of: the broker and the hashes of its keys in force, as JSON text. Locks the broker.
const LOCK_BROKER = 'SELECT name FROM broker WHERE name = $1 FOR UPDATE';
const STATE = `SELECT json_build_object('name', name, 'group', "group", 'levels', levels, 'keys', coalesce((SELECT
    json_agg(key_hash ORDER BY key_hash) FROM broker_key WHERE broker = name AND revoked_at IS NULL), '[]'))::text AS text
  FROM broker WHERE name = $1`;

async function readState(tx: pg.PoolClient, name: string): Promise<string | undefined> {
  return (await tx.query<{ text: string }>(STATE, [name])).rows[0]?.text;
}

/** Runs a change of one broker, and records the broker before and after it (decision 0071). No record of no change. */
async function audited(
  tx: pg.PoolClient,
  { command, name }: { readonly command: string; readonly name: string },
  change: () => Promise<number>,
): Promise<RecordedChange> {
  await tx.query(LOCK_BROKER, [name]);
  const before = await readState(tx, name);
  const keys = await change();
  if (keys === 0) return { keys, rows: [] };
  const after = await readState(tx, name);
  return { keys, rows: await appendAudit(tx, operatorAct(command), { id: name, before, after }) };
}

interface RecordedChange {
  /** How many keys changed. */
  readonly keys: number;
  readonly rows: readonly AuditRow[];
}

/** A key is registered once and revoked once: these are the versions of its events. */
const EVENT_VERSIONS = { 'broker.registered': 1, 'broker.revoked': 2 } as const;

export interface BrokerStoreDeps {
  readonly pool: pg.Pool;
  readonly outbox: Outbox;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Writes brokers and keys, each change in one transaction with its event. */
export function brokerStore({ pool, outbox, clock, log }: BrokerStoreDeps): BrokerStore {
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
    addKey: async (broker, keyHash) => {
      const { name } = broker;
      const { keys, rows } = await transact(pool, async (tx) =>
        audited(tx, { command: 'brokers add', name }, async () => insertKey(tx, broker, keyHash)),
      );
      logAudit(log, rows);
      if (keys > 0) outbox.wake();
      return keys > 0;
    },
    revoke: async (name, keyHash) => {
      const { keys, rows } = await transact(pool, async (tx) =>
        audited(tx, { command: 'brokers revoke', name }, async () => {
          const revoked = await tx.query<BrokerChanged>(REVOKE, [name, keyHash ?? null]);
          await appendEvents(tx, 'broker.revoked', revoked.rows);
          return revoked.rows.length;
        }),
      );
      logAudit(log, rows);
      outbox.wake();
      return keys;
    },
    list: async () => (await pool.query<BrokerRow>(LIST)).rows,
    levelsOf: async (name) => (await pool.query<{ levels: string }>(LEVELS, [name])).rows[0]?.levels,
  };
}
