import { monotonicMs } from '../runtime/clock.ts';
import type { Bus } from './bus.ts';

/** The register begins no two pages in less (`PAGE_EVERY_MS` in follow-page.ts): a signal in between would wake it for nothing. */
const EVERY_MS = 20;

/**
 * Publishes an empty message of core NATS when called, at most one every 20 ms: calls in between are answered by one message at the
 * end of that time. It wakes readers of the database, and may be lost.
 */
export function makeCommitSignal(bus: Bus, subject: string): () => void {
  let lastAt = -EVERY_MS;
  let timer: NodeJS.Timeout | undefined;
  const publish = (): void => {
    timer = undefined;
    lastAt = monotonicMs();
    if (bus.connected()) bus.connection.publish(subject);
  };
  return () => {
    if (timer !== undefined) return;
    const waitMs = EVERY_MS - (monotonicMs() - lastAt);
    if (waitMs <= 0) publish();
    else timer = setTimeout(publish, waitMs).unref();
  };
}
