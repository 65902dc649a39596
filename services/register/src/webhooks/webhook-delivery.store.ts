import { namedStatement } from '@procurement/kit/database/named-statement';
import type pg from 'pg';
import type { ParkedChange, WindowChanges } from './domain/delivery-window.ts';
import type { DeliveryAttempt, StoredWebhook, WebhookHealth, WebhookStatus } from './domain/webhook.ts';
import {
  PARKED_COLUMNS,
  readParked,
  readSecrets,
  WEBHOOK_COLUMNS,
  readWebhook,
  type ParkedRow,
  type TimedSecret,
  type WebhookRow,
} from './webhook-rows.ts';

/** A range that is sent again beside the normal flow. */
export interface RedeliveryRange {
  readonly id: string;
  readonly position: bigint;
  readonly upTo: bigint;
  readonly attempts: number;
  readonly nextAt?: number;
}

export interface LoadedWebhook {
  readonly webhook: StoredWebhook;
  readonly secrets: readonly TimedSecret[];
  readonly parked: readonly ParkedChange[];
  readonly ranges: readonly RedeliveryRange[];
}

/** The process that sends, and the version of the webhook that it has. */
export interface Lease {
  readonly owner: string;
  readonly leaseMs: number;
}

export interface WebhookProgress {
  readonly changes: WindowChanges;
  readonly health: WebhookHealth;
  readonly attempts: readonly DeliveryAttempt[];
  readonly ranges: readonly RedeliveryRange[];
  readonly rangesDone: readonly string[];
  /** Undefined: as it is. */
  readonly status: WebhookStatus | undefined;
  readonly verified: boolean;
}

export interface WebhookCounts {
  readonly parked: number;
  /** Age of the oldest change that waits, in seconds. */
  readonly oldestSeconds: number;
  /** Webhooks with work that no process has held for a minute. */
  readonly unheld: number;
  readonly circuits: number;
}

/** What the senders of all replicas share. */
export interface WebhookDeliveryStore {
  /** Takes webhooks that nobody sends. */
  claim(lease: Lease, limit: number): Promise<readonly string[]>;
  /** Those that are still held, with their version. */
  renew(lease: Lease, ids: readonly string[]): Promise<ReadonlyMap<string, number>>;
  release(owner: string, id: string): Promise<void>;
  load(owner: string, id: string, now: number): Promise<LoadedWebhook | undefined>;
  /** One transaction. False when the lease was lost, or the owner has changed the webhook: then nothing was stored. */
  save(owner: string, webhook: Pick<StoredWebhook, 'id' | 'version'>, progress: WebhookProgress): Promise<boolean>;
  brokers(): Promise<readonly string[]>;
  /** Ids of those that were changed by it. */
  setSuspended(broker: string, suspended: boolean): Promise<readonly string[]>;
  counts(now: number): Promise<WebhookCounts>;
  /** Deletes old attempts, dead letters and secrets. */
  purge(now: number): Promise<void>;
}

const ATTEMPTS_KEPT = 1_000;
const DAY = 86_400_000_000;
const DEAD_LETTER_DAYS = 30;
const UNHELD_SECONDS = 60;

const SENDING = "status IN ('pending', 'active') AND NOT suspended";

const CLAIM = `UPDATE webhook SET lease_owner = $1, lease_until = clock_timestamp() + $2 * interval '1 millisecond'
  WHERE id IN (SELECT id FROM webhook WHERE ${SENDING} AND (lease_until IS NULL OR lease_until < now())
    ORDER BY lease_until NULLS FIRST LIMIT $3 FOR UPDATE SKIP LOCKED)
  RETURNING replace(id::text, '-', '') AS id`;
const RENEW = `UPDATE webhook SET lease_until = clock_timestamp() + $2 * interval '1 millisecond'
  WHERE id = ANY($3::uuid[]) AND lease_owner = $1 AND lease_until > now() AND ${SENDING}
  RETURNING replace(id::text, '-', '') AS id, version`;

const SAVE = namedStatement(`WITH held AS (
    UPDATE webhook SET position = :position, failures = :failures, failing_since = :failingSince, circuit_at = :circuitAt,
      tries = :tries, next_at = :nextAt, last_success = :lastSuccess, last_error = :lastError,
      status = coalesce(:status, status), verified = verified OR :verified
    WHERE id = :id AND lease_owner = :owner AND version = :version AND lease_until > now() RETURNING id),
  parked AS (
    INSERT INTO webhook_parked (webhook, position, tender, attempts, next_at, dead_at, redelivery, last_error)
    SELECT held.id, p.* FROM held, unnest(:parked_position::bigint[], :parked_tender::uuid[], :parked_attempts::int[],
      :parked_nextAt::bigint[], :parked_deadAt::bigint[], :parked_redelivery::boolean[], :parked_lastError::text[]) p
    ON CONFLICT (webhook, position) DO UPDATE SET attempts = excluded.attempts, next_at = excluded.next_at, dead_at = excluded.dead_at,
      last_error = excluded.last_error),
  unparked AS (DELETE FROM webhook_parked USING held WHERE webhook = held.id AND webhook_parked.position = ANY(:unparked::bigint[])),
  attempts AS (
    INSERT INTO webhook_attempt (webhook, type, position, at, status, error, milliseconds, attempt)
    SELECT held.id, a.* FROM held, unnest(:attempt_type::text[], :attempt_position::bigint[], :attempt_at::bigint[],
      :attempt_status::int[], :attempt_error::text[], :attempt_milliseconds::int[], :attempt_attempt::int[]) a),
  ranges AS (
    UPDATE webhook_range SET position = r.position, attempts = r.attempts, next_at = r.next_at
    FROM held, unnest(:range_id::bigint[], :range_position::bigint[], :range_attempts::int[], :range_nextAt::bigint[])
      AS r (id, position, attempts, next_at)
    WHERE webhook_range.id = r.id AND webhook = held.id),
  done AS (DELETE FROM webhook_range USING held WHERE webhook = held.id AND webhook_range.id = ANY(:rangesDone::bigint[]))
  SELECT count(*)::int AS held FROM held`);

const COUNTS = `SELECT (SELECT count(*)::int FROM webhook_parked WHERE dead_at IS NULL) AS parked,
    coalesce((SELECT $1 - min(webhook_parked.position) FROM webhook_parked JOIN webhook ON webhook.id = webhook
      WHERE dead_at IS NULL AND ${SENDING}), 0) / 1000000 AS oldest,
    (SELECT count(*)::int FROM webhook WHERE ${SENDING}
      AND coalesce(lease_until, to_timestamp(modified / 1000000.0)) < now() - ${UNHELD_SECONDS} * interval '1 second') AS unheld,
    (SELECT count(*)::int FROM webhook WHERE ${SENDING} AND circuit_at IS NOT NULL) AS circuits`;

export function webhookDeliveryStore(pool: pg.Pool): WebhookDeliveryStore {
  return {
    async claim({ owner, leaseMs }, limit) {
      const { rows } = await pool.query<{ id: string }>({
        name: 'webhook-claim',
        text: CLAIM,
        values: [owner, leaseMs, limit],
      });
      return rows.map(({ id }) => id);
    },
    async renew({ owner, leaseMs }, ids) {
      const values = [owner, leaseMs, ids];
      const { rows } = await pool.query<{ id: string; version: number }>({
        name: 'webhook-renew',
        text: RENEW,
        values,
      });
      return new Map(rows.map(({ id, version }) => [id, version]));
    },
    async release(owner, id) {
      await pool.query(
        'UPDATE webhook SET lease_owner = NULL, lease_until = now() WHERE id = $1 AND lease_owner = $2',
        [id, owner],
      );
    },
    async load(owner, id, now) {
      const { rows } = await pool.query<WebhookRow>(
        `SELECT ${WEBHOOK_COLUMNS} FROM webhook WHERE id = $1 AND lease_owner = $2 AND lease_until > now() AND ${SENDING}`,
        [id, owner],
      );
      if (rows[0] === undefined) return undefined;
      const parked = await pool.query<ParkedRow>(
        `SELECT ${PARKED_COLUMNS} FROM webhook_parked WHERE webhook = $1 AND dead_at IS NULL ORDER BY position`,
        [id],
      );
      return {
        webhook: readWebhook(rows[0]),
        secrets: await readSecrets(pool, id, now),
        parked: parked.rows.map(readParked),
        ranges: await readRanges(pool, id),
      };
    },
    async save(owner, { id, version }, progress) {
      const statement = SAVE({ id, owner, version, ...progressValues(progress) });
      const { rows } = await pool.query<{ held: number }>({ name: 'webhook-save', ...statement });
      return rows[0]?.held === 1;
    },
    async brokers() {
      const { rows } = await pool.query<{ broker: string }>('SELECT DISTINCT broker FROM webhook ORDER BY broker');
      return rows.map(({ broker }) => broker);
    },
    async setSuspended(broker, suspended) {
      const { rows } = await pool.query<{ id: string }>(
        `UPDATE webhook SET suspended = $2, version = version + 1 WHERE broker = $1 AND suspended <> $2
          RETURNING replace(id::text, '-', '') AS id`,
        [broker, suspended],
      );
      return rows.map(({ id }) => id);
    },
    async counts(now) {
      const { rows } = await pool.query<{ parked: number; oldest: string; unheld: number; circuits: number }>(COUNTS, [
        now,
      ]);
      const { parked = 0, oldest = '0', unheld = 0, circuits = 0 } = rows[0] ?? {};
      return { parked, oldestSeconds: Number(oldest), unheld, circuits };
    },
    async purge(now) {
      await pool.query(
        `DELETE FROM webhook_attempt USING (SELECT id, (SELECT n FROM webhook_attempt a WHERE a.webhook = webhook.id
            ORDER BY n DESC OFFSET $1 LIMIT 1) AS last FROM webhook) AS old
          WHERE webhook_attempt.webhook = old.id AND n <= old.last`,
        [ATTEMPTS_KEPT],
      );
      await pool.query('DELETE FROM webhook_parked WHERE dead_at < $1', [now - DEAD_LETTER_DAYS * DAY]);
      await pool.query('DELETE FROM webhook_secret WHERE valid_until < $1', [now]);
    },
  };
}

function progressValues({ changes, health, attempts, ranges, ...rest }: WebhookProgress): object {
  const { position, parked, unparked } = changes;
  const { failures, failingSince, circuitAt, tries, nextAt, lastSuccess, lastError } = health;
  const healthOfRow = { failures, failingSince, circuitAt, tries, nextAt, lastSuccess, lastError };
  return {
    ...rest,
    ...healthOfRow,
    position,
    unparked,
    ...columns('parked', parked, ['position', 'tender', 'attempts', 'nextAt', 'deadAt', 'redelivery', 'lastError']),
    ...columns('attempt', attempts, ['type', 'position', 'at', 'status', 'error', 'milliseconds', 'attempt']),
    ...columns('range', ranges, ['id', 'position', 'attempts', 'nextAt']),
  };
}

/** One array for each member, as `unnest` reads them: `parked_position` has the positions. */
function columns<T>(prefix: string, rows: readonly T[], names: readonly (keyof T & string)[]): object {
  return Object.fromEntries(names.map((name) => [`${prefix}_${name}`, rows.map((row) => row[name] ?? null)]));
}

async function readRanges(pool: pg.Pool, id: string): Promise<readonly RedeliveryRange[]> {
  const { rows } = await pool.query<{
    id: string;
    position: string;
    up_to: string;
    attempts: number;
    next_at: string | null;
  }>('SELECT id, position, up_to, attempts, next_at FROM webhook_range WHERE webhook = $1 ORDER BY id', [id]);
  return rows.map(({ id: range, position, up_to, attempts, next_at }) => ({
    id: range,
    position: BigInt(position),
    upTo: BigInt(up_to),
    attempts,
    ...(next_at === null ? {} : { nextAt: Number(next_at) }),
  }));
}
