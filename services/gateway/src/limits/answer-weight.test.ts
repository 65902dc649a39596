import { describe, expect, it } from 'vitest';
import { setupGateway } from '../../test-support/setup-gateway.ts';
import { requestsTo } from '../../test-support/running-gateway.ts';
import { sendJson } from '../../test-support/fake-service.ts';
import { weightOfAnswer } from './answer-weight.ts';

const KIB = 1_024;
const plain = { pretty: false };

describe('weightOfAnswer', () => {
  it.each([
    ['a usual tender, in an older segment', plain, { bytes: 8 * KIB, isMapped: true }, 0],
    ['a large tender', plain, { bytes: 64 * KIB }, 1],
    ['mapped', plain, { bytes: 64 * KIB, isMapped: true }, 5],
    ['indented', { pretty: true }, { bytes: 64 * KIB }, 9],
    ['wrapped', { pretty: false, jsonpCallback: 'show' }, { bytes: 64 * KIB }, 5],
    ['compared', plain, { bytes: 100, compared: '1048576' }, 64],
    ['a file', plain, { bytes: 3_000 * KIB, isFile: true }, 2],
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
    Object.assign(deps.rateLimit, { charge: (...[, , tokens]: Parameters<typeof charge>) => charged.push(tokens) });
    const answer = await send(path);
    Object.assign(deps.rateLimit, { charge });
    expect(answer.status).toBe(200);
    await answer.text();
    expect(charged[0]).toBeGreaterThanOrEqual(10);
  });
});
