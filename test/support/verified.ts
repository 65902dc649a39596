import type { Stack } from '@procurement/local-stack/stack';
import { expect } from 'vitest';
import { settledDifferences } from './settled-differences.ts';

/** Waits until every view, copy, feed, register and outbox equals its owner, as `npm run verify` compares them. */
export async function expectVerified(stack: Stack): Promise<void> {
  expect(await settledDifferences(stack)).toEqual([]);
}

/** The end of every fault test: what the faults have left must be equal everywhere. */
export async function verifyAndStop(stack: Stack): Promise<void> {
  try {
    await expectVerified(stack);
  } finally {
    await stack.stop();
  }
}
