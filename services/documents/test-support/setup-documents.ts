import { afterAll, beforeAll, beforeEach } from 'vitest';
import { NOW } from './events.ts';
import { startDocuments, type RunningDocuments } from './running-documents.ts';

/** Starts the service before the tests of a file and stops it after them. Before each test the clock is NOW. */
export function setupDocuments(): () => RunningDocuments {
  let running: RunningDocuments | undefined;
  beforeAll(async () => {
    running = await startDocuments();
  });
  beforeEach(() => current().clock.set(NOW));
  afterAll(async () => running?.close());

  function current(): RunningDocuments {
    if (running === undefined) throw new Error('the service has not started');
    return running;
  }
  return current;
}
