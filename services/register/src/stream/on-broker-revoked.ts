import { BrokerChanged } from '@procurement/contracts/events/broker.events';
import { Envelope } from '@procurement/contracts/events/envelope';
import { streams } from '@procurement/contracts/events/subjects';
import type { Bus } from '@procurement/kit/messaging/bus';
import type { Logger } from '@procurement/kit/runtime/log';
import { startLoop } from '@procurement/kit/runtime/loop';
import { askHasKey } from '../requests/broker-keys.ts';

export interface BrokerRevokedDeps {
  readonly bus: Bus;
  readonly log: Logger;
  /** The open streams of whole tenders. */
  readonly hub: { brokers(): ReadonlySet<string>; endOf(broker: string): void };
}

const CHECK_EVERY_MS = 15_000;

/**
 * Ends the streams of whole tenders of a broker when one of its keys is revoked (register.md 4.4); those with another key come back. A
 * plain subscription, because every process has streams. An event that was missed is made up for by asking, which finds brokers
 * without any key.
 */
export function endStreamsOfRevoked({ bus, log, hub }: BrokerRevokedDeps): { stop(): Promise<void> } {
  bus.onOpen((connection) => {
    connection.subscribe(streams.brokers.subjects[0], {
      callback: (error, message) => {
        if (error !== null) return;
        try {
          const { type, data } = Envelope.parse(message.json());
          if (type === 'broker.revoked') hub.endOf(BrokerChanged.parse(data).name);
        } catch (fault) {
          log.error({ err: fault, subject: message.subject }, 'an event of a broker was not read');
        }
      },
    });
  });
  return startLoop(
    async () => {
      for (const name of hub.brokers()) if ((await askHasKey(bus, name)) === false) hub.endOf(name);
    },
    { firstMs: CHECK_EVERY_MS, pauseMs: CHECK_EVERY_MS, log, failure: 'streams: keys of brokers not checked' },
  );
}
