import type { Outbox } from './outbox.ts';

/**
 * A consumer calls the returned function before each transaction, and calls what that returns after the commit: it wakes the
 * relay if events were stored, and whoever waits for what events store.
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
