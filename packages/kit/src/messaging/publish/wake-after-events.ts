import type { Outbox } from './outbox.ts';

/**
 * For a consumer, which calls it before each transaction, and what it returns after the commit: wakes the relay if events were
 * stored, and whoever waits for what events store.
 */
export function wakeAfterEvents(
  outbox: Pick<Outbox, 'wakeIfRowsAdded'>,
  onEventsApplied: () => void = () => undefined,
): () => () => void {
  return () => {
    const wakeRelay = outbox.wakeIfRowsAdded();
    return () => {
      wakeRelay();
      onEventsApplied();
    };
  };
}
