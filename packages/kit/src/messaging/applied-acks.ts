import type { Bus } from './bus.ts';

/** Header of a published event: the subject on which consumers acknowledge that they have applied it. */
export const APPLIED_ACK_HEADER = 'Settle-To';

/**
 * Read-your-writes across services: a writer waits until the service that shows its event has applied it. The wait is bounded:
 * when that service is unavailable the write has still succeeded, and its copy catches up later.
 */
export interface AppliedAcks {
  /** Subject for the acknowledgement of this event. Registers the wait, so that an early acknowledgement is not missed. */
  replySubjectFor(eventId: string): string;
  /** Resolves to true when the event was applied within the time-out. */
  awaitApplied(eventId: string): Promise<boolean>;
}

interface PendingAck {
  readonly result: Promise<boolean>;
  readonly resolve: (applied: boolean) => void;
}

/** Uses one NATS subscription per process. `instance` is unique to the process and begins with the name of the service and a dot. */
export function makeAppliedAcks(bus: Bus, instance: string, timeoutMs = 300): AppliedAcks {
  const pending = new Map<string, PendingAck>();
  const prefix = `_settle.${instance}.`;
  bus.onOpen((connection) => {
    connection.subscribe(`${prefix}*`, {
      callback: (error, message) => {
        if (error === null) pending.get(message.subject.slice(prefix.length))?.resolve(true);
      },
    });
  });
  return {
    replySubjectFor(eventId) {
      let resolvePending: PendingAck['resolve'] = () => undefined;
      const result = new Promise<boolean>((resolve) => {
        resolvePending = resolve;
      });
      pending.set(eventId, { result, resolve: resolvePending });
      // A transaction that never commits leaves its entry; removed when no caller can still be waiting.
      setTimeout(() => pending.delete(eventId), 60_000).unref();
      return prefix + eventId;
    },
    async awaitApplied(eventId) {
      const entry = pending.get(eventId);
      // While the bus is disconnected no acknowledgement can arrive; do not delay the writer.
      if (entry === undefined || !bus.connected()) return false;
      const timer = setTimeout(() => entry.resolve(false), timeoutMs * bus.waitFactor);
      try {
        return await entry.result;
      } finally {
        clearTimeout(timer);
        pending.delete(eventId);
      }
    },
  };
}
