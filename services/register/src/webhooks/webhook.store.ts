import { namedStatement } from '@procurement/kit/database/named-statement';
import { transact } from '@procurement/kit/database/transaction';
import type pg from 'pg';
import { RANGES_MAX, WEBHOOKS_MAX, type Redelivery } from './domain/webhook.decide.ts';
import type { ParkedChange } from './domain/delivery-window.ts';
import type { DeliveryAttempt, StoredWebhook, WebhookStatus, WebhookTerms } from './domain/webhook.ts';
import type { SealedSecret } from '@procurement/kit/runtime/secret-box';
import {
  PARKED_COLUMNS,
  readParked,
  readSecrets,
  WEBHOOK_COLUMNS,
  readWebhook,
  type ParkedRow,
  type WebhookRow,
} from './webhook-rows.ts';

/** A webhook with what waits for it. */
export interface CountedWebhook extends StoredWebhook {
  readonly waiting: number;
  readonly deadLetters: number;
}

export interface WebhookToAdd {
  readonly id: string;
  readonly broker: string;
  readonly terms: WebhookTerms;
  readonly position: bigint;
  readonly now: number;
  readonly secret: SealedSecret;
}

export interface WebhookUpdate {
  readonly terms: WebhookTerms;
  /** Undefined: as it is. */
  readonly status: WebhookStatus | undefined;
  /** The address is another one. */
  readonly isMoved: boolean;
  readonly now: number;
}

export interface StoredAttempt extends DeliveryAttempt {
  readonly n: bigint;
}

export interface RowsQuery {
  readonly limit: number;
  /** Exclusive. */
  readonly after: bigint | undefined;
}

/** Webhooks as their owners change them. Every change raises `version`, which stops the sender that holds an older one. */
export interface WebhookStore {
  list(broker: string): Promise<readonly CountedWebhook[]>;
  find(broker: string, id: string): Promise<CountedWebhook | undefined>;
  /** False when the broker has as many as it may. The same webhook may be added again. */
  add(webhook: WebhookToAdd): Promise<boolean>;
  update(id: string, update: WebhookUpdate): Promise<void>;
  /** No attempt begins any more, once senders have read it. */
  disable(id: string): Promise<void>;
  /** Removes a disabled webhook. Waits until no process sends, so that nothing is sent after it. */
  remove(id: string): Promise<void>;
  addSecret(id: string, secret: SealedSecret, oldValidUntil: number): Promise<void>;
  /** False when as many ranges as allowed are already sent again. */
  redeliver(id: string, redelivery: Redelivery): Promise<boolean>;
  /** False when there is no such dead letter. */
  retryDeadLetter(id: string, position: bigint): Promise<boolean>;
  /** Attempts, newest first. */
  attempts(id: string, query: RowsQuery): Promise<readonly StoredAttempt[]>;
  /** Dead letters in order. */
  deadLetters(id: string, query: RowsQuery): Promise<readonly ParkedChange[]>;
  addAttempt(id: string, attempt: DeliveryAttempt): Promise<void>;
  /** Secrets in force, newest first. */
  secrets(id: string, now: number): Promise<readonly SealedSecret[]>;
}

/** Secrets that sign at the same time. */
const SECRETS_MAX = 3;
/** Longer than a sender sends after the owner's change when signals are lost (`run-webhook.ts`). */
const RELEASE_MS_MAX = 1_500;
const RELEASE_POLL_MS = 20;

const SELECT = `SELECT ${WEBHOOK_COLUMNS},
    (SELECT count(*)::int FROM webhook_parked WHERE webhook_parked.webhook = webhook.id AND dead_at IS NULL) AS waiting,
    (SELECT count(*)::int FROM webhook_parked WHERE webhook_parked.webhook = webhook.id AND dead_at IS NOT NULL) AS dead
  FROM webhook`;
const CHANGED = 'version = version + 1';
const ADD =
  namedStatement(`INSERT INTO webhook (id, broker, url, filter, expand, concurrency, description, status, position, created, modified)
  VALUES (:id, :broker, :url, :filter, :expand, :concurrency, :description, 'pending', :position, :now, :now)`);
const UPDATE =
  namedStatement(`UPDATE webhook SET url = :url, filter = :filter, expand = :expand, concurrency = :concurrency,
    description = :description, status = coalesce(:status, status), verified = verified AND NOT :isMoved, modified = :now, ${CHANGED}
  WHERE id = :id`);

type CountedRow = WebhookRow & { readonly waiting: number; readonly dead: number };

export function webhookStore(pool: pg.Pool): WebhookStore {
  return {
    async list(broker) {
      const { rows } = await pool.query<CountedRow>(`${SELECT} WHERE broker = $1 ORDER BY created, id`, [broker]);
      return rows.map(readCounted);
    },
    async find(broker, id) {
      const { rows } = await pool.query<CountedRow>(`${SELECT} WHERE broker = $1 AND id = $2`, [broker, id]);
      return rows[0] === undefined ? undefined : readCounted(rows[0]);
    },
    add: async (webhook) => transact(pool, async (tx) => addWebhook(tx, webhook)),
    update: async (id, update) => transact(pool, async (tx) => updateWebhook(tx, id, update)),
    async disable(id) {
      await pool.query(`UPDATE webhook SET status = 'disabled', ${CHANGED} WHERE id = $1`, [id]);
    },
    async remove(id) {
      await released(pool, id);
      await transact(pool, async (tx) => {
        for (const table of ['webhook_parked', 'webhook_attempt', 'webhook_range', 'webhook_secret']) {
          await tx.query(`DELETE FROM ${table} WHERE webhook = $1`, [id]);
        }
        await tx.query('DELETE FROM webhook WHERE id = $1', [id]);
      });
    },
    addSecret: async (id, secret, until) => transact(pool, async (tx) => addSecret(tx, id, secret, until)),
    redeliver: async (id, redelivery) => transact(pool, async (tx) => redeliver(tx, id, redelivery)),
    retryDeadLetter: async (id, position) =>
      transact(pool, async (tx) => {
        const { rowCount } = await tx.query(
          `UPDATE webhook_parked SET dead_at = NULL, attempts = 0, next_at = NULL, redelivery = TRUE
            WHERE webhook = $1 AND position = $2 AND dead_at IS NOT NULL`,
          [id, position],
        );
        if (rowCount !== 0) await touch(tx, id);
        return rowCount !== 0;
      }),
    async attempts(id, { limit, after }) {
      const { rows } = await pool.query<AttemptRow>(
        `SELECT n, type, position, at, status, error, milliseconds, attempt FROM webhook_attempt
          WHERE webhook = $1 AND ($2::bigint IS NULL OR n < $2) ORDER BY n DESC LIMIT $3`,
        [id, after, limit],
      );
      return rows.map(readAttempt);
    },
    async deadLetters(id, { limit, after }) {
      const { rows } = await pool.query<ParkedRow>(
        `SELECT ${PARKED_COLUMNS} FROM webhook_parked
          WHERE webhook = $1 AND dead_at IS NOT NULL AND position > $2 ORDER BY position LIMIT $3`,
        [id, after ?? 0n, limit],
      );
      return rows.map(readParked);
    },
    async addAttempt(id, { type, at, status, error, milliseconds, attempt }) {
      await pool.query(
        `INSERT INTO webhook_attempt (webhook, type, at, status, error, milliseconds, attempt)
          SELECT id, $2, $3, $4, $5, $6, $7 FROM webhook WHERE id = $1`,
        [id, type, at, status, error, milliseconds, attempt],
      );
    },
    secrets: async (id, now) => readSecrets(pool, id, now),
  };
}

function readCounted({ waiting, dead, ...row }: CountedRow): CountedWebhook {
  return { ...readWebhook(row), waiting, deadLetters: dead };
}

async function touch(tx: pg.PoolClient, id: string): Promise<void> {
  await tx.query(`UPDATE webhook SET ${CHANGED} WHERE id = $1`, [id]);
}

async function addWebhook(tx: pg.PoolClient, webhook: WebhookToAdd): Promise<boolean> {
  const { id, broker, terms, position, now, secret } = webhook;
  const { url, filter, expand, concurrency, description } = terms;
  // Two requests at once must not both be the last one.
  await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 7270738011))', [broker]);
  const { rows } = await tx.query<{ count: number; has: boolean }>(
    'SELECT count(*)::int AS count, coalesce(bool_or(id = $2), FALSE) AS has FROM webhook WHERE broker = $1',
    [broker, id],
  );
  if (rows[0]?.has === true) return true;
  if ((rows[0]?.count ?? 0) >= WEBHOOKS_MAX) return false;
  await tx.query(
    ADD({ id, broker, url, filter: JSON.stringify(filter), expand, concurrency, description, position, now }),
  );
  await insertSecret(tx, id, secret);
  return true;
}

async function insertSecret(tx: pg.PoolClient, id: string, { keyId, sealed }: SealedSecret): Promise<void> {
  await tx.query('INSERT INTO webhook_secret (webhook, key_id, sealed) VALUES ($1, $2, $3)', [id, keyId, sealed]);
}

async function updateWebhook(tx: pg.PoolClient, id: string, update: WebhookUpdate): Promise<void> {
  const { terms, status, isMoved, now } = update;
  const { url, filter, expand, concurrency, description } = terms;
  await tx.query(
    UPDATE({ id, url, filter: JSON.stringify(filter), expand, concurrency, description, status, isMoved, now }),
  );
  if (status === undefined || status === 'paused') return;
  // The owner has repaired the receiver, or named another one: all that waits is due.
  await tx.query(
    'UPDATE webhook SET failures = 0, failing_since = NULL, circuit_at = NULL, tries = 0, next_at = NULL WHERE id = $1',
    [id],
  );
  await tx.query('UPDATE webhook_parked SET next_at = NULL WHERE webhook = $1 AND dead_at IS NULL', [id]);
}

async function addSecret(tx: pg.PoolClient, id: string, secret: SealedSecret, until: number): Promise<void> {
  await tx.query('SELECT FROM webhook WHERE id = $1 FOR UPDATE', [id]);
  await tx.query('UPDATE webhook_secret SET valid_until = $2 WHERE webhook = $1 AND valid_until IS NULL', [id, until]);
  await insertSecret(tx, id, secret);
  await tx.query(
    `DELETE FROM webhook_secret WHERE webhook = $1
      AND id NOT IN (SELECT id FROM webhook_secret WHERE webhook = $1 ORDER BY id DESC LIMIT $2)`,
    [id, SECRETS_MAX],
  );
  await touch(tx, id);
}

async function redeliver(tx: pg.PoolClient, id: string, { from, to }: Redelivery): Promise<boolean> {
  const { rows } = await tx.query<{ count: number }>(
    `SELECT (SELECT count(*)::int FROM webhook_range WHERE webhook = $1) AS count FROM webhook WHERE id = $1 FOR UPDATE`,
    [id],
  );
  if (to !== undefined) {
    if ((rows[0]?.count ?? 0) >= RANGES_MAX) return false;
    await tx.query('INSERT INTO webhook_range (webhook, position, up_to) VALUES ($1, $2, $3)', [id, from, to]);
  } else {
    // They are read again.
    await tx.query('DELETE FROM webhook_parked WHERE webhook = $1 AND position > $2 AND dead_at IS NULL', [id, from]);
    await tx.query(
      'UPDATE webhook SET redelivered_to = greatest(redelivered_to, position), position = least(position, $2) WHERE id = $1',
      [id, from],
    );
  }
  await touch(tx, id);
  return true;
}

/** Waits until no process has the lease, or must have found the change by itself. */
async function released(pool: pg.Pool, id: string): Promise<void> {
  for (let waitedMs = 0; waitedMs < RELEASE_MS_MAX; waitedMs += RELEASE_POLL_MS) {
    const { rows } = await pool.query<{ held: boolean }>(
      'SELECT coalesce(lease_until > now(), FALSE) AS held FROM webhook WHERE id = $1',
      [id],
    );
    if (rows[0]?.held !== true) return;
    await new Promise((resolve) => setTimeout(resolve, RELEASE_POLL_MS));
  }
}

interface AttemptRow {
  readonly n: string;
  readonly type: string;
  readonly position: string | null;
  readonly at: string;
  readonly status: number | null;
  readonly error: string | null;
  readonly milliseconds: number;
  readonly attempt: number;
}

function readAttempt({ n, type, position, at, status, error, milliseconds, attempt }: AttemptRow): StoredAttempt {
  return {
    n: BigInt(n),
    type,
    at: Number(at),
    milliseconds,
    attempt,
    ...(position === null ? {} : { position: BigInt(position) }),
    ...(status === null ? {} : { status }),
    ...(error === null ? {} : { error }),
  };
}
