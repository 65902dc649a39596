import type { WebhookFilter } from '@procurement/contracts/resources/webhook';
import type pg from 'pg';
import type { ParkedChange } from './domain/delivery-window.ts';
import type { StoredWebhook, WebhookHealth, WebhookStatus } from './domain/webhook.ts';
import type { SealedSecret } from '@procurement/kit/runtime/secret-box';

/** A secret, until it signs no more. */
export interface TimedSecret extends SealedSecret {
  readonly validUntil?: number;
}

/** A row of `webhook`, as pg reads it. */
export interface WebhookRow {
  readonly id: string;
  readonly broker: string;
  readonly url: string;
  readonly filter: string;
  readonly expand: boolean;
  readonly concurrency: number;
  readonly description: string | null;
  readonly status: WebhookStatus;
  readonly suspended: boolean;
  readonly verified: boolean;
  readonly position: string;
  readonly redelivered_to: string;
  readonly version: number;
  readonly failures: number;
  readonly failing_since: string | null;
  readonly circuit_at: string | null;
  readonly tries: number;
  readonly next_at: string | null;
  readonly last_success: string | null;
  readonly last_error: string | null;
  readonly created: string;
  readonly modified: string;
}

export const WEBHOOK_COLUMNS = `replace(webhook.id::text, '-', '') AS id, broker, url, filter, expand, concurrency, description, status,
  suspended, verified, webhook.position, redelivered_to, version, failures, failing_since, circuit_at, tries, webhook.next_at, last_success,
  webhook.last_error, created, modified`;

export function readWebhook(row: WebhookRow): StoredWebhook {
  const { id, broker, url, expand, concurrency, description, status, suspended, verified, version } = row;
  return {
    id,
    broker,
    url,
    expand,
    concurrency,
    status,
    suspended,
    verified,
    version,
    ...(description === null ? {} : { description }),
    // Safe cast: only this service writes it, after its schema.
    filter: JSON.parse(row.filter) as WebhookFilter,
    position: BigInt(row.position),
    redeliveredTo: BigInt(row.redelivered_to),
    ...readHealth(row),
    created: Number(row.created),
    modified: Number(row.modified),
  };
}

function readHealth(row: WebhookRow): WebhookHealth {
  return {
    failures: row.failures,
    tries: row.tries,
    ...(row.failing_since === null ? {} : { failingSince: Number(row.failing_since) }),
    ...(row.circuit_at === null ? {} : { circuitAt: Number(row.circuit_at) }),
    ...(row.next_at === null ? {} : { nextAt: Number(row.next_at) }),
    ...(row.last_success === null ? {} : { lastSuccess: Number(row.last_success) }),
    ...(row.last_error === null ? {} : { lastError: row.last_error }),
  };
}

export interface ParkedRow {
  readonly position: string;
  readonly tender: string;
  readonly attempts: number;
  readonly next_at: string | null;
  readonly dead_at: string | null;
  readonly redelivery: boolean;
  readonly last_error: string | null;
}

export const PARKED_COLUMNS =
  "position, replace(tender::text, '-', '') AS tender, attempts, next_at, dead_at, redelivery, last_error";

export function readParked(row: ParkedRow): ParkedChange {
  const { tender, attempts, redelivery } = row;
  return {
    position: BigInt(row.position),
    tender,
    attempts,
    redelivery,
    ...(row.next_at === null ? {} : { nextAt: Number(row.next_at) }),
    ...(row.dead_at === null ? {} : { deadAt: Number(row.dead_at) }),
    ...(row.last_error === null ? {} : { lastError: row.last_error }),
  };
}

/** Returns the secrets in force, newest first. */
export async function readSecrets(pool: pg.Pool, id: string, now: number): Promise<readonly TimedSecret[]> {
  const { rows } = await pool.query<{ key_id: string; sealed: Buffer; valid_until: string | null }>(
    `SELECT key_id, sealed, valid_until FROM webhook_secret
      WHERE webhook = $1 AND (valid_until IS NULL OR valid_until > $2) ORDER BY id DESC`,
    [id, now],
  );
  return rows.map(({ key_id: keyId, sealed, valid_until: until }) => ({
    keyId,
    sealed,
    ...(until === null ? {} : { validUntil: Number(until) }),
  }));
}
