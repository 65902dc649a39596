import { afterAll, beforeAll, beforeEach } from 'vitest';
import { NOW, startBids, type RunningBids } from './running-bids.ts';

/** Starts the service before the tests of a file and stops it after them. Before each test the clock is NOW. */
export function setupBids(): () => RunningBids {
  let running: RunningBids | undefined;
  beforeAll(async () => {
    running = await startBids();
  });
  beforeEach(() => current().clock.set(NOW));
  afterAll(async () => running?.close());

  function current(): RunningBids {
    if (running === undefined) throw new Error('the service has not started');
    return running;
  }
  return current;
}
