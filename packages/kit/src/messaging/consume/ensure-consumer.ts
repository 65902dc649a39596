import { AckPolicy, DeliverPolicy } from '@nats-io/jetstream';
import { isApiError, type Bus } from '../bus.ts';
import type { StreamDeclaration } from '../streams.ts';

export interface ConsumerDeclaration {
  readonly stream: StreamDeclaration;
  readonly durable: string;
  /** One subject with wildcards: nats-server 2.9 has no list of filters. */
  readonly filter: string;
}

/**
 * Creates the durable pull consumer, or updates it. Idempotent. A new one begins after the sequence `afterSeq`; the beginning of
 * an existing one cannot be changed.
 */
export async function ensureConsumer(
  bus: Bus,
  { stream, durable, filter }: ConsumerDeclaration,
  afterSeq = 0,
): Promise<void> {
  const exists = await bus.manager.consumers.info(stream.name, durable).then(
    () => true,
    (error: unknown) => {
      if (isApiError(error, CONSUMER_NOT_FOUND)) return false;
      throw error;
    },
  );
  const settings = {
    filter_subject: filter,
    // Nanoseconds. Messages of a killed consumer are redelivered after this time; a running one renews its own earlier.
    ack_wait: 10_000_000_000,
    max_ack_pending: 1_000,
    // Unlimited: a server that reaches its limit drops the event without a report. `apply-events.ts` decides when an event
    // becomes a dead letter; restarts count as deliveries too, and are not failures of the event.
    max_deliver: -1,
  };
  // Since 2.10 the server refuses to create a durable that exists with other settings.
  if (exists) await bus.manager.consumers.update(stream.name, durable, settings);
  else
    await bus.manager.consumers.add(stream.name, {
      durable_name: durable,
      ack_policy: AckPolicy.Explicit,
      deliver_policy: DeliverPolicy.StartSequence,
      opt_start_seq: afterSeq + 1,
      ...settings,
    });
}

export const CONSUMER_NOT_FOUND = 10_014;
