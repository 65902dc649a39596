import type { WebhookFilter } from '@procurement/contracts/resources/webhook';

/** What the owner sets, or brings about by requests. */
export type WebhookStatus = 'pending' | 'active' | 'paused' | 'disabled';

/** Settings of a webhook (register.md 5.1). */
export interface WebhookTerms {
  readonly url: string;
  readonly filter: WebhookFilter;
  readonly expand: boolean;
  readonly concurrency: number;
  readonly description?: string;
}

/** Whether a receiver fails, and since when. Instants are microseconds since 1970 UTC. */
export interface WebhookHealth {
  /** Since the last success. */
  readonly failures: number;
  readonly failingSince?: number;
  /** Since when the circuit is open: reading stops, and one change is tried from time to time. */
  readonly circuitAt?: number;
  /** Attempts since then; in status `pending`, challenges that were sent. */
  readonly tries: number;
  /** When the next one is due. */
  readonly nextAt?: number;
  readonly lastSuccess?: number;
  /** Status, or class of the error. */
  readonly lastError?: string;
}

/** A webhook as it is stored. Ids are 32 hex digits, positions microseconds. */
export interface StoredWebhook extends WebhookTerms, WebhookHealth {
  readonly id: string;
  readonly broker: string;
  readonly status: WebhookStatus;
  readonly suspended: boolean;
  readonly verified: boolean;
  readonly position: bigint;
  readonly redeliveredTo: bigint;
  readonly version: number;
  readonly created: number;
  readonly modified: number;
}

/** What an attempt brought. */
export interface AttemptOutcome {
  readonly ok: boolean;
  readonly status?: number;
  /** Class of the error; never what the receiver has sent. */
  readonly error?: string;
  readonly milliseconds: number;
  /** Not before so many seconds. */
  readonly retryAfterSeconds?: number;
}

/** One attempt, as its owner may see it. Instants are microseconds since 1970 UTC. */
export interface DeliveryAttempt {
  readonly type: string;
  readonly position?: bigint;
  readonly at: number;
  readonly status?: number;
  readonly error?: string;
  readonly milliseconds: number;
  readonly attempt: number;
}

/** Short text of a failure for the owner. */
export function failureText({ status, error }: AttemptOutcome): string {
  return error ?? String(status ?? 'failed');
}
