import { monotonicMs } from '../../runtime/clock.ts';
import { publishIfOpen, type Bus } from '../bus.ts';

/** A message costs its readers a page: commits of this time share one. It adds as much to the lag of readers at most. */
const INTERVAL_MS = 50;

/**
 * Publishes an empty message of core NATS when called, at most one every 50 ms: calls in between are answered by one message at the
 * end of that time. It wakes readers of the database, and may be lost.
 */
export function makeCommitSignal(bus: Bus, subject: string): () => void {
  let sentAt = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;
  const publish = (): void => {
    timer = undefined;
    sentAt = monotonicMs();
    if (bus.connected()) publishIfOpen(() => bus.connection.publish(subject));
  };
  return () => {
    if (timer !== undefined) return;
    const waitMs = sentAt + INTERVAL_MS - monotonicMs();
    if (waitMs <= 0) publish();
    else timer = setTimeout(publish, waitMs).unref();
  };
}
