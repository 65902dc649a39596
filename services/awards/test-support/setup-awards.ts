import { afterAll, beforeAll, beforeEach } from 'vitest';
import { NOW, runningAwards, type RunningAwards } from './running-awards.ts';

/** Starts the service before the tests of a file and stops it after them. Before each test the clock is NOW. */
export function setupAwards(env: Readonly<Record<string, string>> = {}): () => RunningAwards {
  let running: RunningAwards | undefined;
  beforeAll(async () => {
    running = await runningAwards(env);
  });
  beforeEach(() => {
    current().clock.set(NOW);
    current().answersViews = true;
    current().answersFacts = true;
  });
  afterAll(async () => running?.close());

  function current(): RunningAwards {
    if (running === undefined) throw new Error('the service has not started');
    return running;
  }
  return current;
}
