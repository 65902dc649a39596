import { BrokerChanged } from '@procurement/contracts/events/broker.events';
import { Envelope } from '@procurement/contracts/events/envelope';
import { streams } from '@procurement/contracts/events/subjects';
import type { Bus } from '@procurement/kit/messaging/bus';
import type { Logger } from '@procurement/kit/runtime/log';
import { Broker } from './broker.ts';
import type { KeyRing } from './key-ring.ts';

/**
 * Updates the key ring of this replica from `broker.registered` and `broker.revoked`. A plain subscription, not a durable
 * consumer: every replica needs every event, and the next refresh (10 s) makes up for missed ones (decision 0015).
 */
export function subscribeBrokerEvents(bus: Bus, keys: KeyRing, log: Logger): { stop(): void } {
  let stop = (): void => undefined;
  bus.onOpen((connection) => {
    const subscription = connection.subscribe(`${streams.brokers.name}.>`, {
      callback: (error, message) => {
        if (error !== null) return;
        try {
          applyBrokerEvent(keys, message.json());
        } catch (fault) {
          log.error({ err: fault, subject: message.subject }, 'broker event not readable');
        }
      },
    });
    stop = () => subscription.unsubscribe();
  });
  return { stop: () => stop() };
}

/** Applies one event; idempotent. Throws when the event does not match its schema. */
export function applyBrokerEvent(keys: KeyRing, message: unknown): void {
  const { type, data } = Envelope.parse(message);
  if (type !== 'broker.registered' && type !== 'broker.revoked') return;
  const { keyHash, ...broker } = BrokerChanged.parse(data);
  if (type === 'broker.revoked') keys.revoke([keyHash]);
  else keys.add(keyHash, Broker.parse(broker));
}
