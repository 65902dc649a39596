import { startStack, type Stack } from '@procurement/local-stack/stack';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../support/broker.ts';
import { createDueTenders, countTransitions } from '../support/due-tenders.ts';
import { verifyAndStop } from '../support/verified.ts';

let stack: Stack;

beforeAll(async () => {
  stack = await startStack({ durable: false });
});

afterAll(async () => {
  await verifyAndStop(stack);
});

const TENDERS = 600;
/** Due tenders that wait until both schedulers were killed, so that some are left for those that go on. */
const HELD = 50;

describe('a scheduler killed during transitions (architecture.md, "What must survive")', () => {
  it('loses no transition and repeats none: the other replica and the restarted one do the rest', async () => {
    const second = await stack.addReplica('tenders');
    const held = await createDueTenders(stack, TENDERS, new Date(), HELD);
    await until('some transitions', async () => (await countTransitions(stack)).transitioned > 50);
    await second.kill('SIGKILL');
    await until('more transitions', async () => (await countTransitions(stack)).transitioned > 200);
    await stack.parts.tenders.kill('SIGKILL');
    await held.release();
    const left = TENDERS - (await countTransitions(stack)).transitioned;
    await stack.parts.tenders.start();
    await until('all transitions', async () => (await countTransitions(stack)).transitioned === TENDERS);
    expect(left).toBeGreaterThanOrEqual(HELD);
    expect((await countTransitions(stack)).timesMax).toBe(1);
  });
});
