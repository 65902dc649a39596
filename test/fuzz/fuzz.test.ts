import { describe, expect, inject, it } from 'vitest';
import { fuzz } from './run.ts';

const SEED = 21;
/** Longer runs: `npm run fuzz`. */
const OF_EACH = 1;

describe('requests that nobody meant', () => {
  it('to every operation in every segment: never a 500, always the shape of errors, and no change after a refusal', async () => {
    const { findings, statuses } = await fuzz({ gatewayUrl: inject('gatewayUrl'), seed: SEED, ofEach: OF_EACH });
    expect(findings).toEqual([]);
    // Requests come as far as the decisions, and some are accepted.
    expect(Object.keys(statuses)).toEqual(expect.arrayContaining(['200', '201', '401', '403', '404', '415', '422']));
  });
});
