import { freshBus, type TestBus } from '@procurement/testing/bus';
import { afterAll, beforeAll } from 'vitest';
import { openBus, type Bus } from '../src/messaging/bus.ts';
import { makeLog, type Logger } from '../src/runtime/log.ts';

export interface ConnectedBus {
  readonly log: Logger;
  /** Connection to the file's nats-server. Available inside tests. */
  bus(): Bus;
}

/** A nats-server for all tests of a file, and a connection to it. Call at the top of the file. */
export function connectedBus(): ConnectedBus {
  const log = makeLog('test', 'fatal');
  let testBus: TestBus;
  let bus: Bus;
  beforeAll(async () => {
    testBus = await freshBus();
    bus = await openBus(testBus.url, 'test', log);
  });
  afterAll(async () => {
    await bus.close();
    await testBus.stop();
  });
  return { log, bus: () => bus };
}
