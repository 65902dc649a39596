import { brokerEvents, type BrokerChanged } from '@procurement/contracts/events/broker.events';
import { formatServerDate } from '@procurement/contracts/reading/instant';
import { transact } from '@procurement/kit/database/transaction';
import type { Outbox } from '@procurement/kit/messaging/outbox';
import type { Clock } from '@procurement/kit/runtime/clock';
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

/** A key is registered once and revoked once: these are the versions of its events. */
const EVENT_VERSIONS = { 'broker.registered': 1, 'broker.revoked': 2 } as const;

/** Writes brokers and keys, each change in one transaction with its event. */
export function brokerStore(pool: pg.Pool, outbox: Outbox, clock: Clock): BrokerStore {
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
  return {
    addKey: async (broker, keyHash) => {
      const added = await transact(pool, async (tx) => {
        const known = await tx.query('SELECT 1 FROM broker_key WHERE key_hash = $1', [keyHash]);
        if (known.rowCount !== 0) return false;
        await tx.query(UPSERT_BROKER, [broker.name, broker.group, broker.levels]);
        const inserted = await tx.query(INSERT_KEY, [keyHash, broker.name]);
        if (inserted.rowCount === 0) return false;
        await appendEvents(tx, 'broker.registered', [{ ...broker, keyHash }]);
        return true;
      });
      if (added) outbox.wake();
      return added;
    },
    revoke: async (name, keyHash) => {
      const revoked = await transact(pool, async (tx) => {
        const { rows } = await tx.query<BrokerChanged>(REVOKE, [name, keyHash ?? null]);
        await appendEvents(tx, 'broker.revoked', rows);
        return rows.length;
      });
      outbox.wake();
      return revoked;
    },
    list: async () => (await pool.query<BrokerRow>(LIST)).rows,
  };
}
