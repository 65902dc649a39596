import { monotonicMs } from '../runtime/clock.ts';
import type { Bus } from './bus.ts';
import { everyMsAt, perSecondAfter } from './pace.ts';

/**
 * Publishes an empty message of core NATS when called, at most one every 20 ms, or 100 ms while many commits come: calls in between are
 * answered by one message at the end of that time. It wakes readers of the database, and may be lost.
 */
export function makeCommitSignal(bus: Bus, subject: string): () => void {
  let lastAt = Number.NEGATIVE_INFINITY;
  let calls = 0;
  let perSecond = 0;
  let timer: NodeJS.Timeout | undefined;
  const publish = (): void => {
    const now = monotonicMs();
    perSecond = perSecondAfter(perSecond, calls, now - lastAt);
    timer = undefined;
    calls = 0;
    lastAt = now;
    if (bus.connected()) bus.connection.publish(subject);
  };
  return () => {
    calls += 1;
    if (timer !== undefined) return;
    const waitMs = everyMsAt(perSecond) - (monotonicMs() - lastAt);
    if (waitMs <= 0) publish();
    else timer = setTimeout(publish, waitMs).unref();
  };
}
