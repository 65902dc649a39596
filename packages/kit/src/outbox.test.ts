import { describe, expect, it } from 'vitest';
import { secureMint } from './ids.ts';
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

function countedOutbox() {
  let wakes = 0;
  const settler = { subjectFor: () => '', settled: async () => true };
  const outbox = makeOutbox({ stream: 'things', mint: secureMint, settler, wake: () => (wakes += 1) });
  return { outbox, wakes: () => wakes };
}

describe('waking the relay after a transaction', () => {
  it('is left out when nothing was told in it', () => {
    const { outbox, wakes } = countedOutbox();
    outbox.row(event);
    outbox.wakeIfTold()();
    expect(wakes()).toBe(0);
  });

  it('is done by each of two that overlap, whichever of them told', () => {
    const { outbox, wakes } = countedOutbox();
    const [first, second] = [outbox.wakeIfTold(), outbox.wakeIfTold()];
    outbox.row(event);
    first();
    second();
    expect(wakes()).toBe(2);
  });
});
