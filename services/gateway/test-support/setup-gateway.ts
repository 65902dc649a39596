import { afterAll, afterEach, beforeAll } from 'vitest';
import { sendJson } from './fake-service.ts';
import { runningGateway, type RunningGateway } from './running-gateway.ts';

/**
 * Starts a gateway before the tests of a file and stops it after them. After each test the fake services answer `{"data":{}}` again,
 * and what they received is cleared, as is the access log.
 */
export function setupGateway(settings: Readonly<Record<string, string>> = {}): () => RunningGateway {
  let running: RunningGateway | undefined;
  beforeAll(async () => {
    running = await runningGateway(settings);
  });
  afterEach(() => {
    const { tenders, bids, accessLog } = current();
    for (const service of [tenders, bids]) {
      service.received.length = 0;
      service.respond = (_received, response) => sendJson(response, 200, '{"data":{}}');
    }
    accessLog.length = 0;
  });
  afterAll(async () => running?.close());

  function current(): RunningGateway {
    if (running === undefined) throw new Error('the gateway has not started');
    return running;
  }
  return current;
}
