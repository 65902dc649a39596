import { BrokerChanged } from '@procurement/contracts/events/broker.events';
import { Envelope } from '@procurement/contracts/events/envelope';
import { streams } from '@procurement/contracts/events/subjects';
import type { Bus } from '@procurement/kit/messaging/bus';
import type { Logger } from '@procurement/kit/runtime/log';
import { Broker } from './broker.ts';
import type { KeyRing } from './key-ring.ts';

/**
 * Keeps the key ring of this replica up with `broker.registered` and `broker.revoked`.
 *
 * Decision: a plain subscription rather than a durable consumer. Every replica needs every event, a new replica reads the
 * whole table anyway, and what is missed while disconnected comes with the next refresh (10 s).
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
          log.error({ err: fault, subject: message.subject }, 'broker event not understood');
        }
      },
    });
    stop = () => subscription.unsubscribe();
  });
  return { stop: () => stop() };
}

/** Applies one event; may be called twice with the same. Throws when the event is not of its schema. */
export function applyBrokerEvent(keys: KeyRing, message: unknown): void {
  const { type, data } = Envelope.parse(message);
  if (type !== 'broker.registered' && type !== 'broker.revoked') return;
  const { keyHash, ...broker } = BrokerChanged.parse(data);
  if (type === 'broker.revoked') keys.revoke([keyHash]);
  else keys.add(keyHash, Broker.parse(broker));
}
