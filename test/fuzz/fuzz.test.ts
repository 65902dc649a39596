import { startStack } from '@procurement/local-stack/stack';
import { describe, expect, it } from 'vitest';
import { findFaults } from './find-faults.ts';
import { fuzz } from './run.ts';

const SEED = 21;
/** Longer runs: `npm run fuzz`. */
const OF_EACH = 2;

describe('requests that nobody meant', () => {
  it('to every operation in every segment: never a 500, always the shape of errors, and no change after a refusal', async () => {
    // A system of its own: another client would change something after a refusal.
    const stack = await startStack({ durable: false });
    try {
      const { findings, statuses } = await fuzz({ gatewayUrl: stack.gatewayUrl, seed: SEED, ofEach: OF_EACH });
      expect(findings).toEqual([]);
      // Requests come as far as the decisions, and some are accepted.
      expect(Object.keys(statuses)).toEqual(expect.arrayContaining(['200', '201', '401', '403', '404', '415', '422']));
    } finally {
      await stack.stop();
    }
  });
});

describe('an answer', () => {
  const JSON_TYPE = { 'content-type': 'application/json; charset=UTF-8' };
  const refusal = (description: string): string =>
    JSON.stringify({ status: 'error', errors: [{ location: 'body', name: 'data', description }] });

  it.each<[string, number, string, Record<string, string>, readonly string[]]>([
    ['a refusal', 422, refusal('Data not available'), JSON_TYPE, []],
    ['a success', 200, '{"data": {}}', JSON_TYPE, []],
    ['a time without a database', 503, refusal('Service Unavailable'), { ...JSON_TYPE, 'retry-after': '5' }, []],
    ['a failure', 500, refusal('Internal Server Error'), JSON_TYPE, ['status 500']],
    ['another shape', 400, '{"message": "no"}', JSON_TYPE, ['the body has not the shape of errors']],
    ['a page', 404, '<html>', { 'content-type': 'text/html' }, ['the body has not the shape of errors']],
    ['a statement', 422, refusal('syntax error at or near "DROP"'), JSON_TYPE, ['the body shows the inside']],
    ['half a success', 200, '{"data": ', JSON_TYPE, ['the body is not JSON']],
  ])('like %s is judged', (_what, status, text, headers, faults) => {
    expect(findFaults('PATCH', { status, text, headers: new Headers(headers) })).toEqual(faults);
  });
});
