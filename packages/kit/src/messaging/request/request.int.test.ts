import { isDeepStrictEqual } from 'node:util';
import { freshBus, type TestBus } from '@procurement/testing/bus';
import { waitFor } from '@procurement/testing/wait-for';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeLog } from '../../runtime/log.ts';
import { parseTraceContext, type TraceContext } from '../../runtime/trace-context.ts';
import { openBus, type Bus } from '../bus.ts';
import { respondTo, sendRequest } from './request.ts';

const log = makeLog('test', 'silent' as 'fatal');

let testBus: TestBus;
let bus: Bus;
let otherBus: Bus;

beforeAll(async () => {
  testBus = await freshBus();
  [bus, otherBus] = await Promise.all([openBus(testBus.url, 'a', log), openBus(testBus.url, 'b', log)]);
});

afterAll(async () => {
  await Promise.all([bus.close(), otherBus.close()]);
  await testBus.stop();
});

describe('a request', () => {
  it('gets a response that is larger than a message, from one of two replicas, with its trace', async () => {
    // 10 MB as JSON.
    const text = 'ї"'.repeat(2_500_000);
    const traces: TraceContext[] = [];
    for (const replica of [bus, otherBus])
      respondTo(replica, 'ask.large', log, async (_request, trace) => {
        traces.push(trace);
        return { text };
      });
    const trace = parseTraceContext({ traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` });
    await Promise.all([bus.connection.flush(), otherBus.connection.flush()]);
    // A slow machine may need more than the five seconds in which the parts have to come.
    const isAnswered = async (): Promise<boolean> =>
      isDeepStrictEqual(await sendRequest(bus, 'ask.large', { id: 'a' }, 60_000, trace), {
        kind: 'answer',
        value: { text },
      });
    await Promise.all([1, 2].map(async () => waitFor(isAnswered, { what: 'the response' })));
    expect(new Set(traces.map(({ traceId }) => traceId))).toEqual(new Set(['a'.repeat(32)]));
  });

  it('gets `unavailable` for a response that is too large for parts too, and for one that comes once only', async () => {
    respondTo(bus, 'ask.huge', log, async () => 'x'.repeat(50 * 1024 * 1024));
    await bus.connection.flush();
    expect(await sendRequest(otherBus, 'ask.huge', {}, 60_000)).toEqual({ kind: 'unavailable' });
    let count = 0;
    respondTo(bus, 'ask.once', log, async () => {
      count += 1;
      if (count > 1) throw new Error('away');
      return 'x'.repeat(9_000_000);
    });
    await bus.connection.flush();
    expect(await sendRequest(otherBus, 'ask.once', {}, 60_000)).toEqual({ kind: 'unavailable' });
  });
});
