import { freshBus, type TestBus } from '@procurement/testing/bus';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { runningLedger, type RunningLedger } from './running-ledger.ts';

/** Gives each test of a file a ledger of its own, on one bus. Returns that of the running test. */
export function eachLedger(): () => RunningLedger {
  let server: TestBus;
  let ledger: RunningLedger;
  beforeAll(async () => {
    server = await freshBus();
  });
  afterAll(async () => {
    await server.stop();
  });
  beforeEach(async () => {
    ledger = await runningLedger(server);
  });
  afterEach(async () => {
    await ledger.close();
  });
  return () => ledger;
}
