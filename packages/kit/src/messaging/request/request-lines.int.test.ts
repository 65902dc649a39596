import { freshBus, type TestBus } from '@procurement/testing/bus';
import { waitFor } from '@procurement/testing/wait-for';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { makeLog } from '../../runtime/log.ts';
import { openBus, type Bus } from '../bus.ts';
import { makeCommitSignal } from '../publish/commit-signal.ts';
import { answerLines, askLines } from './request-lines.ts';

const log = makeLog('test', 'silent' as 'fatal');

let testBus: TestBus;
let bus: Bus;

beforeAll(async () => {
  testBus = await freshBus();
  bus = await openBus(testBus.url, 'a', log);
});

afterAll(async () => {
  await bus.close();
  await testBus.stop();
});

describe('askLines', () => {
  it('gets lines that together are larger than a message, in their order', async () => {
    answerLines(bus, 'ask.lines', log, async (question) => [
      JSON.stringify(question),
      'ї'.repeat(5_000_000),
      '',
      'end',
    ]);
    const lines = await askLines(bus, 'ask.lines', { after: '1' }, 60_000);
    expect(lines?.map((line) => line.length)).toEqual([13, 5_000_000, 0, 3]);
    expect(JSON.parse(lines?.[0] ?? '')).toEqual({ after: '1' });
  });

  it('gets one empty line for an answer without lines, at once', async () => {
    answerLines(bus, 'ask.no-lines', log, async () => []);
    expect(await askLines(bus, 'ask.no-lines', {}, 60_000)).toEqual(['']);
  });

  it.each([
    ['nobody answers', 'ask.nobody'],
    ['the responder has failed', 'ask.failing'],
    ['the responder is silent', 'ask.silent'],
  ])('gets undefined when %s', async (_title, subject) => {
    if (subject === 'ask.failing')
      answerLines(bus, subject, log, async () => {
        throw new Error('no database');
      });
    if (subject === 'ask.silent') answerLines(bus, subject, log, async () => new Promise(() => undefined));
    expect(await askLines(bus, subject, {}, 200)).toBeUndefined();
  });
});

describe('makeCommitSignal', () => {
  it('publishes at once, and once more for all calls of the next 50 ms', async () => {
    let received = 0;
    bus.connection.subscribe('signal.test', { callback: () => void (received += 1) });
    await bus.connection.flush();
    const signal = makeCommitSignal(bus, 'signal.test');
    // Its clock, by which 20 ms may pass between two calls on a slow machine, stands still.
    vi.useFakeTimers({ toFake: ['performance'] });
    try {
      for (let n = 0; n < 100; n += 1) signal();
    } finally {
      vi.useRealTimers();
    }
    await waitFor(() => received === 2, { what: 'the second message' });
    await bus.connection.flush();
    expect(received).toBe(2);
  });
});
