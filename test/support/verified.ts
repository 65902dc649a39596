import { describeDifference, verify } from '@procurement/local-stack/verify/verify';
import type { Stack } from '@procurement/local-stack/stack';
import { expect } from 'vitest';

/** Longer than a lost request takes to be sent again twice (decision 0062). */
const SETTLE_MS = 60_000;

/** Waits until every view, copy, feed, register and outbox equals its owner, as `npm run verify` compares them. */
export async function expectVerified(stack: Stack): Promise<void> {
  const differences = await verify({ databaseUrl: (service) => stack.databaseUrl(service), settleMs: SETTLE_MS });
  expect(differences.map(describeDifference)).toEqual([]);
}

/** The end of every fault test: what the faults have left must be equal everywhere. */
export async function verifyAndStop(stack: Stack): Promise<void> {
  try {
    await expectVerified(stack);
  } finally {
    await stack.stop();
  }
}
