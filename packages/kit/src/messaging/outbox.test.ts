import { describe, expect, it } from 'vitest';
import { secureIds } from '../runtime/ids.ts';
import { makeOutbox } from './outbox.ts';

const event = {
  type: 'thing.changed',
  schema: 'thing.changed/1',
  subjectId: 'a',
  version: 1,
  time: '2026-05-04T10:15:00+03:00',
  data: {},
  correlationId: 'r',
};

function makeCountingOutbox() {
  let wakes = 0;
  const appliedAcks = { replySubjectFor: () => '', awaitApplied: async () => true };
  const outbox = makeOutbox({ stream: 'things', ids: secureIds, appliedAcks, wake: () => (wakes += 1) });
  return { outbox, wakes: () => wakes };
}

describe('wakeIfRowsAdded', () => {
  it('does not wake the relay when no row was made', () => {
    const { outbox, wakes } = makeCountingOutbox();
    outbox.row(event);
    outbox.wakeIfRowsAdded()();
    expect(wakes()).toBe(0);
  });

  it('wakes for each of two overlapping transactions, whichever made the row', () => {
    const { outbox, wakes } = makeCountingOutbox();
    const [first, second] = [outbox.wakeIfRowsAdded(), outbox.wakeIfRowsAdded()];
    outbox.row(event);
    first();
    second();
    expect(wakes()).toBe(2);
  });
});
