import { jetstream, type JetStreamClient } from '@nats-io/jetstream';
import type { Bus } from '../src/messaging/bus.ts';

/**
 * Publishes for tests. A relay gives up after a second and publishes again; a test that publishes a thousand messages at once on a
 * busy machine waits.
 */
export function patientJetStream({ connection }: Bus): JetStreamClient {
  return jetstream(connection, { timeout: 60_000 });
}
