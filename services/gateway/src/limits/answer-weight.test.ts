import { describe, expect, it } from 'vitest';
import { setupGateway } from '../../test-support/setup-gateway.ts';
import { basic, requestsTo } from '../../test-support/running-gateway.ts';
import { sendJson } from '../../test-support/fake-service.ts';
import { weightOfAnswer } from './answer-weight.ts';

const KIB = 1_024;
const plain = { write: false, pretty: false };
const write = { write: true, pretty: true };

describe('weightOfAnswer', () => {
  it.each([
    ['a usual tender, in an older segment', plain, { bytes: 8 * KIB, isMapped: true }, 0],
    ['a large tender', plain, { bytes: 64 * KIB }, 1],
    ['mapped', plain, { bytes: 64 * KIB, isMapped: true }, 5],
    ['indented', { write: false, pretty: true }, { bytes: 64 * KIB }, 9],
    ['wrapped', { write: false, pretty: false, jsonpCallback: 'show' }, { bytes: 64 * KIB }, 5],
    ['compared', plain, { bytes: 100, worked: '1048576' }, 64],
    ['a file', plain, { bytes: 3_000 * KIB, isFile: true }, 2],
    ['a write of a large object', write, { bytes: 100, worked: '1048576' }, 32],
    ['a write of a usual object, whatever it shows', write, { bytes: 1_000 * KIB, worked: '8192' }, 0],
  ] as const)('counts %s', (_what, context, size, weight) => {
    expect(weightOfAnswer(context, size)).toBe(weight);
  });
});

describe('an answer', () => {
  const gateway = setupGateway({ RATE_READS_PER_SECOND: '10' });
  const send = requestsTo(gateway);

  it.each([
    ['plain', '/api/2.5/tenders/a', 700 * KIB],
    ['mapped', '/api/0.1/tenders/a', 200 * KIB],
    ['indented', '/api/2.5/tenders/a?opt_pretty=1', 100 * KIB],
    ['wrapped', '/api/2.5/tenders/a?opt_jsonp=show', 200 * KIB],
    ['of another resource', '/api/2.5/tenders/a/bids', 700 * KIB],
  ])('that is %s is charged to the address that asked', async (_what, path, bytes) => {
    const { tenders, bids, deps } = gateway();
    const large = JSON.stringify({ data: { title: 'x'.repeat(bytes) } });
    tenders.respond = (_received, response) => sendJson(response, 200, large);
    bids.respond = tenders.respond;
    const charged: number[] = [];
    const { charge } = deps.rateLimit;
    // Of this test only: the bucket of the address is the same for all.
    Object.assign(deps.rateLimit, { charge: (...[, , , tokens]: Parameters<typeof charge>) => charged.push(tokens) });
    const answer = await send(path);
    Object.assign(deps.rateLimit, { charge });
    expect(answer.status).toBe(200);
    await answer.text();
    expect(charged[0]).toBeGreaterThanOrEqual(10);
  });

  it.each(['2.5', '0.1'])('to a write of segment %s is charged to its key by what was saved', async (segment) => {
    const { tenders, deps } = gateway();
    tenders.respond = (received, response) => {
      if (received.method === 'PATCH') response.setHeader('x-work-bytes', 10 * 32 * KIB);
      sendJson(response, 200, '{"data":{"id":"a","status":"draft"}}');
    };
    const charged: unknown[] = [];
    const { charge } = deps.rateLimit;
    Object.assign(deps.rateLimit, {
      charge: (...[, , write, tokens]: Parameters<typeof charge>) => charged.push([write, tokens]),
    });
    const headers = { ...basic('broker1'), 'content-type': 'application/json' };
    const answer = await send(`/api/${segment}/tenders/a`, {
      method: 'PATCH',
      headers,
      body: '{"data":{"title":"x"}}',
    });
    Object.assign(deps.rateLimit, { charge });
    expect([answer.status, charged, answer.headers.get('x-work-bytes')]).toEqual([200, [[true, 10]], null]);
  });
});
