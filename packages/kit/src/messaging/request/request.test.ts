import { errors, type Msg, type NatsConnection } from '@nats-io/transport-node';
import { describe, expect, it } from 'vitest';
import { makeLog } from '../../runtime/log.ts';
import type { Bus } from '../bus.ts';
import { respondTo } from './request.ts';

type Callback = (error: Error | null, message: Msg) => void;

describe('respondTo', () => {
  // A rejection that nobody handles ends the process (process.ts).
  it.each([
    ['its handler succeeds', async () => ({ a: 1 })],
    ['its handler throws', async () => Promise.reject(new Error('no database'))],
  ])('survives that the connection of a request was closed when %s', async (_case, handler) => {
    let receive: Callback = () => undefined;
    const connection = {
      subscribe: (_subject: string, options: { callback: Callback }) => (receive = options.callback),
    };
    const bus = {
      connection: {},
      onOpen: (callback: (opened: NatsConnection) => void) => callback(connection as unknown as NatsConnection),
    };
    respondTo(bus as unknown as Bus, 'ask.a', makeLog('test', 'silent' as 'fatal'), handler);
    let responses = 0;
    const message = {
      json: () => ({}),
      respond() {
        responses += 1;
        throw new errors.ClosedConnectionError();
      },
    };
    receive(null, message as unknown as Msg);
    await expect.poll(() => responses).toBeGreaterThan(0);
    // The rejection would be reported after the microtasks of this turn.
    await new Promise((resolve) => setImmediate(resolve));
  });
});
