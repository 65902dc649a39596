import { expect, it } from 'vitest';
import { wakeAfterEvents } from './wake-after-events.ts';

it('wakes the relay and who waits for what events store, both after the commit only', () => {
  const woken: string[] = [];
  const outbox = { wakeIfRowsAdded: () => () => void woken.push('relay') };
  const beforeTransaction = wakeAfterEvents(outbox, () => void woken.push('scheduler'));
  const afterCommit = beforeTransaction();
  expect(woken).toEqual([]);
  afterCommit();
  expect(woken).toEqual(['relay', 'scheduler']);
  wakeAfterEvents(outbox)()();
  expect(woken).toEqual(['relay', 'scheduler', 'relay']);
});
