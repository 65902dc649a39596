import { startStack, type Stack } from '@procurement/local-stack/stack';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../support/broker.ts';
import { createDueTenders, countTransitions } from '../support/due-tenders.ts';
import { verifyAndStop } from '../support/verified.ts';

let stack: Stack;

beforeAll(async () => {
  stack = await startStack();
});

afterAll(async () => {
  await verifyAndStop(stack);
});

const TENDERS = 1_500;

describe('a scheduler killed during transitions (architecture.md, "What must survive")', () => {
  it('loses no transition and repeats none: the other replica and the restarted one do the rest', async () => {
    const second = await stack.addReplica('tenders');
    const at = new Date(Date.now() + 3_000);
    await createDueTenders(stack, TENDERS, at);
    await until('some transitions', async () => (await countTransitions(stack)).transitioned > 100);
    await second.kill('SIGKILL');
    await until('more transitions', async () => (await countTransitions(stack)).transitioned > 500);
    await stack.parts.tenders.kill('SIGKILL');
    const left = TENDERS - (await countTransitions(stack)).transitioned;
    await stack.parts.tenders.start();
    await until('all transitions', async () => (await countTransitions(stack)).transitioned === TENDERS, 60_000);
    expect(left).toBeGreaterThan(0);
    expect((await countTransitions(stack)).timesMax).toBe(1);
  });
});
