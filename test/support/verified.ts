import type { Stack } from '@procurement/local-stack/stack';
import { expect } from 'vitest';
import { settledDifferences } from './settled-differences.ts';

/** The end of every fault test: every view, copy, feed, register and outbox equals its owner. */
export async function verifyAndStop(stack: Stack): Promise<void> {
  try {
    expect(await settledDifferences(stack)).toEqual([]);
  } finally {
    await stack.stop();
  }
}
