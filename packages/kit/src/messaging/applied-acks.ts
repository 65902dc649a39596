import type { Bus } from './bus.ts';

/** Header of a published event: where a consumer says that it has applied it. */
export const APPLIED_ACK_HEADER = 'Settle-To';

/**
 * Read your own write across services: a writer that published an event waits until the view it shows in has absorbed it.
 * Bounded: when the view's service is away the write has still succeeded, and the view catches up.
 */
export interface AppliedAcks {
  /** Where consumers shall answer for this event. Waiting begins here, so that an early answer is not missed. */
  replySubjectFor(eventId: string): string;
  /** True when it was applied in time. */
  awaitApplied(eventId: string): Promise<boolean>;
}

interface PendingAck {
  readonly result: Promise<boolean>;
  readonly resolve: (applied: boolean) => void;
}

/** One subscription a process; `instance` must be unique to it. */
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
      // A transaction that never commits leaves its entry: dropped when nobody can be waiting any more.
      setTimeout(() => pending.delete(eventId), 60_000).unref();
      return prefix + eventId;
    },
    async awaitApplied(eventId) {
      const entry = pending.get(eventId);
      // Without the bus nobody can answer, and waiting would only make the writer slow.
      if (entry === undefined || !bus.connected()) return false;
      const timer = setTimeout(() => entry.resolve(false), timeoutMs);
      try {
        return await entry.result;
      } finally {
        clearTimeout(timer);
        pending.delete(eventId);
      }
    },
  };
}
