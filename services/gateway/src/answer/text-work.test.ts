import { QueueFullError } from '@procurement/kit/runtime/fair-queue';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sendJson } from '../../test-support/fake-service.ts';
import { basic, requestsTo } from '../../test-support/running-gateway.ts';
import { setupGateway } from '../../test-support/setup-gateway.ts';
import type { TextWork } from './text-work.ts';

const ITEM = { id: 'a'.repeat(32), description: 'Папір «А4» \u2028 💶', quantity: 500 };
const SMALL = { data: { id: 'b'.repeat(32), items: [ITEM] } };
const LONG = { data: { id: 'b'.repeat(32), items: Array.from({ length: 2_000 }, () => ITEM) } };

const gateway = setupGateway();
const send = requestsTo(gateway);
let own: TextWork['run'];

/** Answers of the services, and how many of them were worked on in threads. */
function answering(answer: object, isFull = false): { inThreads: number } {
  const { tenders, bids, deps } = gateway();
  tenders.respond = (_received, response) => sendJson(response, 200, JSON.stringify(answer));
  bids.respond = tenders.respond;
  const counted = { inThreads: 0 };
  const run: TextWork['run'] = async (...job) => {
    counted.inThreads += 1;
    if (isFull) throw new QueueFullError();
    return own(...job);
  };
  Object.assign(deps.textWork, { run });
  return counted;
}

beforeEach(() => {
  own = gateway().deps.textWork.run;
});
afterEach(() => {
  Object.assign(gateway().deps.textWork, { run: own });
});

const PATHS = [
  ['indented', '/api/2.5/tenders/b?opt_pretty=1', 1],
  ['wrapped', '/api/2.5/tenders/b?opt_jsonp=show', 0],
  ['mapped', '/api/0.1/tenders/b', 1],
  ['mapped and indented', '/api/0.1/tenders/b?opt_pretty=1', 1],
  ['mapped, of another resource', '/api/2.3/tenders/b/bids', 1],
  ['mapped and indented, of another resource', '/api/2.3/tenders/b/bids?opt_pretty=1', 2],
  ['wrapped, of another resource', '/api/2.5/tenders/b/bids?opt_jsonp=show', 0],
] as const;

describe('work on a long answer', () => {
  it.each(PATHS)('is done in a thread, unless it is only wrapped: %s', async (_what, path, jobs) => {
    const small = answering(SMALL);
    const expected = await (await send(path)).text();
    expect(small.inThreads).toBe(0);
    const long = answering(LONG);
    const answer = await send(path);
    const text = await answer.text();
    expect([answer.status, long.inThreads]).toEqual([200, jobs]);
    // The long answer is the small one with its item repeated.
    const item = /\{[^{}]*Папір[^{}]*\}/u.exec(expected)?.[0] ?? 'none';
    expect(text.split(item)).toHaveLength(2_001);
    expect(text.slice(0, text.indexOf(item))).toBe(expected.slice(0, expected.indexOf(item)));
    expect(text.endsWith(expected.slice(expected.indexOf(item) + item.length))).toBe(true);
  });

  it.each(PATHS.filter(([, , jobs]) => jobs > 0))(
    'is refused with 503 when the client has too much of it: %s',
    async (_what, path) => {
      answering(LONG, true);
      const answer = await send(path);
      expect([answer.status, answer.headers.get('retry-after'), await answer.json()]).toMatchObject([
        503,
        '1',
        { status: 'error' },
      ]);
    },
  );

  it('is never refused for the answer to a write', async () => {
    const counted = answering(LONG, true);
    const headers = { ...basic('broker1'), 'content-type': 'application/json' };
    const answer = await send('/api/2.3/tenders/b/bids?opt_pretty=1', { method: 'POST', headers, body: '{"data":{}}' });
    expect([answer.status, counted.inThreads]).toEqual([200, 0]);
  });
});
