import { BrokerChanged } from '@procurement/contracts/events/broker.events';
import { Envelope } from '@procurement/contracts/events/envelope';
import { streams } from '@procurement/contracts/events/subjects';
import type { Bus } from '@procurement/kit/messaging/bus';
import type { Logger } from '@procurement/kit/runtime/log';
import type { KeyRing } from './key-ring.ts';

/**
 * Reads a key again after `broker.registered` and `broker.revoked`. A plain subscription, not a durable
 * consumer: every replica needs every event, and the next refresh (10 s) makes up for missed ones (decision 0015).
 */
export function subscribeBrokerEvents(bus: Bus, keys: KeyRing, log: Logger): { stop(): void } {
  let stop = (): void => undefined;
  bus.onOpen((connection) => {
    const subscription = connection.subscribe(`${streams.brokers.name}.>`, {
      callback: (error, message) => {
        if (error !== null) return;
        rereadKey(keys, message).catch((fault: unknown) =>
          log.error({ err: fault, subject: message.subject }, 'key not read again'),
        );
      },
    });
    stop = () => subscription.unsubscribe();
  });
  return { stop: () => stop() };
}

/** Takes from the event which key changed, and everything else from the database: an event gives nobody a right. */
async function rereadKey(keys: KeyRing, message: { json(): unknown }): Promise<void> {
  const { type, data } = Envelope.parse(message.json());
  if (type !== 'broker.registered' && type !== 'broker.revoked') return;
  await keys.reread(BrokerChanged.parse(data).keyHash);
}
