import type { Bus } from './bus.ts';

/** Header of a published event: where a consumer says that it has applied it. */
export const SETTLE_HEADER = 'Settle-To';

/**
 * Read your own write across services: a writer that published an event waits until the view it shows in has absorbed it.
 * Bounded: when the view's service is away the write has still succeeded, and the view catches up.
 */
export interface Settler {
  /** Where consumers shall answer for this event. Waiting begins here, so that an early answer is not missed. */
  subjectFor(eventId: string): string;
  /** True when it was applied in time. */
  settled(eventId: string): Promise<boolean>;
}

interface Waiting {
  readonly answered: Promise<boolean>;
  readonly answer: (applied: boolean) => void;
}

/** One subscription a process; `instance` must be unique to it. */
export function makeSettler(bus: Bus, instance: string, timeoutMs = 300): Settler {
  const waiting = new Map<string, Waiting>();
  const prefix = `_settle.${instance}.`;
  bus.whenOpen((connection) => {
    connection.subscribe(`${prefix}*`, {
      callback: (error, message) => {
        if (error === null) waiting.get(message.subject.slice(prefix.length))?.answer(true);
      },
    });
  });
  return {
    subjectFor(eventId) {
      let answer: Waiting['answer'] = () => undefined;
      const answered = new Promise<boolean>((resolve) => {
        answer = resolve;
      });
      waiting.set(eventId, { answered, answer });
      // A transaction that never commits leaves its entry: dropped when nobody can be waiting any more.
      setTimeout(() => waiting.delete(eventId), 60_000).unref();
      return prefix + eventId;
    },
    async settled(eventId) {
      const entry = waiting.get(eventId);
      // Without the bus nobody can answer, and waiting would only make the writer slow.
      if (entry === undefined || !bus.connected()) return false;
      const timer = setTimeout(() => entry.answer(false), timeoutMs);
      try {
        return await entry.answered;
      } finally {
        clearTimeout(timer);
        waiting.delete(eventId);
      }
    },
  };
}
