import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { makeAppliedAcks } from './applied-acks.ts';
import type { Bus } from './bus.ts';

const WAIT_FACTOR = 10;
/** A bus on which no acknowledgement comes. */
const silentBus = { waitFactor: WAIT_FACTOR, connected: () => true, onOpen: () => undefined };

describe('the wait of a writer for the services that show its event', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('ends without them after 300 ms, times the factor of waits', async () => {
    const acks = makeAppliedAcks(silentBus as unknown as Bus, 'tenders.a');
    acks.replySubjectFor('event');
    let applied: boolean | undefined;
    void acks.awaitApplied('event').then((value) => (applied = value));
    await vi.advanceTimersByTimeAsync(300 * WAIT_FACTOR - 1);
    expect(applied).toBeUndefined();
    await vi.advanceTimersByTimeAsync(1);
    expect(applied).toBe(false);
  });
});
