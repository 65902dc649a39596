import { afterAll, beforeAll } from 'vitest';
import { startHandOff, type Env, type RunningHandOff } from './running-hand-off.ts';

/** Starts the service before the tests of a file or block and stops it after them. */
export function setupHandOff(env: Env = {}): () => RunningHandOff {
  let running: RunningHandOff | undefined;
  beforeAll(async () => {
    running = await startHandOff(env);
  });
  afterAll(async () => running?.close());

  return () => {
    if (running === undefined) throw new Error('the service has not started');
    return running;
  };
}
