import { startStack, type Stack } from '@procurement/local-stack/stack';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../support/broker.ts';
import { createDueTenders, countTransitions } from '../support/due-tenders.ts';

let stack: Stack;

beforeAll(async () => {
  stack = await startStack();
});

afterAll(async () => {
  await stack.stop();
});

const TENDERS = 1_500;

describe('a scheduler that is killed in the middle (architecture.md, "What must survive")', () => {
  it('loses nothing and repeats nothing: the other one, and it itself when it is back, move what is left', async () => {
    const second = await stack.addReplica('tenders');
    const at = new Date(Date.now() + 3_000);
    await createDueTenders(stack, TENDERS, at);
    await until('some of the tenders to have moved', async () => (await countTransitions(stack)).transitioned > 100);
    await second.kill('SIGKILL');
    await until('some more', async () => (await countTransitions(stack)).transitioned > 500);
    await stack.parts.tenders.kill('SIGKILL');
    const left = TENDERS - (await countTransitions(stack)).transitioned;
    await stack.parts.tenders.start();
    await until('all of them', async () => (await countTransitions(stack)).transitioned === TENDERS, 60_000);
    expect(left).toBeGreaterThan(0);
    expect((await countTransitions(stack)).timesMax).toBe(1);
  });
});
