import { signalSubjects } from '@procurement/contracts/events/subjects';
import { publishIfOpen } from '@procurement/kit/messaging/bus';
import { makeSecretBox, type SecretBox } from '@procurement/kit/runtime/secret-box';
import { monotonicMs, type Clock } from '@procurement/kit/runtime/clock';
import type { IdGenerator } from '@procurement/kit/runtime/ids';
import type { Logger } from '@procurement/kit/runtime/log';
import type { ServiceContext } from '@procurement/kit/service/run-service';
import type { RevisionDeps } from '../revisions/deps.ts';
import { makeAttemptSlots } from './attempt-slots.ts';
import { makeRevisionPages } from './revision-pages.ts';
import type { SendWebhooksDeps } from './send-webhooks.ts';
import { isUrlAllowed, parseNetwork, type AddressPolicy } from './webhook-address.ts';
import { webhookDeliveryStore } from './webhook-delivery.store.ts';
import { makeWebhookTransport, type WebhookTransport } from './webhook-transport.ts';
import { webhookStore, type WebhookStore } from './webhook.store.ts';

/** What the endpoints of webhooks need. */
export interface WebhooksDeps extends Pick<RevisionDeps, 'streamStore'> {
  readonly config: { readonly PUBLIC_BASE_URL: string };
  readonly clock: Clock;
  readonly ids: IdGenerator;
  readonly webhooks: WebhookStore;
  /** Whether a webhook may lead there. */
  readonly isUrlAllowed: (url: string) => boolean;
  readonly webhookTransport: WebhookTransport;
  readonly secretBox: SecretBox;
  /** Signals to the senders of all replicas that the owner has changed a webhook. */
  readonly webhookChanged: (id: string) => void;
}

export interface WebhookSettings {
  readonly REGISTER_KEYS: readonly string[];
  readonly SANDBOX_MODE: boolean;
  readonly WEBHOOK_PRIVATE?: boolean | undefined;
  readonly WEBHOOK_DENY: readonly string[];
  readonly WEBHOOK_PORTS_DENIED: readonly number[];
}

export type WebhookParts = Pick<
  WebhooksDeps,
  'webhooks' | 'isUrlAllowed' | 'webhookTransport' | 'secretBox' | 'webhookChanged'
>;

/** Encrypts secrets of webhooks (register.md 5.7). The keys sign cursors as well, so that another key is derived from each. */
export function webhookSecretBox(keys: readonly string[]): SecretBox {
  return makeSecretBox(keys, { setting: 'REGISTER_KEYS', info: 'webhook secrets' });
}

export function makeWebhooks(
  settings: WebhookSettings,
  { pool, bus }: Pick<ServiceContext, 'pool' | 'bus'>,
): WebhookParts {
  const policy = buildPolicy(settings);
  return {
    webhooks: webhookStore(pool),
    isUrlAllowed: (url) => isUrlAllowed(url, policy),
    webhookTransport: makeWebhookTransport(policy),
    secretBox: webhookSecretBox(settings.REGISTER_KEYS),
    webhookChanged: (id) => publishIfOpen(() => bus.connection.publish(signalSubjects.webhookChanged, id)),
  };
}

function buildPolicy({
  WEBHOOK_PRIVATE,
  SANDBOX_MODE,
  WEBHOOK_DENY,
  WEBHOOK_PORTS_DENIED,
}: WebhookSettings): AddressPolicy {
  return {
    isPrivateAllowed: WEBHOOK_PRIVATE ?? SANDBOX_MODE,
    denied: WEBHOOK_DENY.map(parseNetwork),
    portsDenied: WEBHOOK_PORTS_DENIED,
  };
}

/** Longer than a pause of the process or of its database; a webhook of a process that was killed waits for it. */
const LEASE_MS = 30_000;

/** What senders of webhooks need beside. */
export function senderDeps(
  deps: WebhooksDeps & Pick<RevisionDeps, 'history'> & { readonly log: Logger },
  { pool, bus, metrics }: Pick<ServiceContext, 'pool' | 'bus' | 'metrics'>,
): SendWebhooksDeps {
  return {
    ...deps,
    bus,
    metrics,
    deliveries: webhookDeliveryStore(pool),
    pages: makeRevisionPages(deps.streamStore, monotonicMs),
    transport: deps.webhookTransport,
    slots: makeAttemptSlots(),
    nowMs: monotonicMs,
    baseUrl: deps.config.PUBLIC_BASE_URL,
    owner: deps.ids.nextUuid(),
    leaseMs: LEASE_MS,
  };
}
