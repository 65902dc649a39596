import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { publishChained, publishRows } from './publish-rows.ts';

const rowOf = (aggregate: string, version: number, type = 'thing-changed') => ({
  subject: `things.${type}.${aggregate}`,
  aggregate,
  version,
});

describe('publishing rows', () => {
  it('keeps the order of each aggregate, whichever publishes fail and however long they take', async () => {
    const rows = fc.array(fc.record({ aggregate: fc.constantFrom('a', 'b', 'c.d'), fails: fc.boolean() }));
    await fc.assert(
      fc.asyncProperty(rows, fc.scheduler(), async (wishes, scheduler) => {
        const stored: ReturnType<typeof rowOf>[] = [];
        const all = wishes.map(({ aggregate }, n) => rowOf(aggregate, n, n === 0 ? 'thing-created' : undefined));
        const publishing = publishRows(all, async (one) => {
          await scheduler.schedule(Promise.resolve());
          if (wishes[one.version]?.fails === true) throw new Error('lost');
          stored.push(one);
        });
        await scheduler.waitFor(publishing);
        const { sent, failure } = await publishing;
        expect(sent).toEqual(stored);
        expect(failure === undefined).toBe(sent.length === all.length);
        for (const aggregate of ['a', 'b', 'c.d']) {
          const wanted = all.filter((one) => one.aggregate === aggregate);
          const failsAt = wanted.findIndex((one) => wishes[one.version]?.fails);
          const prefix = failsAt < 0 ? wanted : wanted.slice(0, failsAt);
          expect(stored.filter((one) => one.aggregate === aggregate)).toEqual(prefix);
        }
      }),
    );
  });

  it('has all aggregates in flight at once', async () => {
    let inFlight = 0;
    let most = 0;
    const rows = Array.from({ length: 64 }, (_, n) => rowOf(`a${n}`, n));
    await publishRows(rows, async () => {
      inFlight += 1;
      most = Math.max(most, inFlight);
      await Promise.resolve();
      inFlight -= 1;
    });
    expect(most).toBe(64);
  });
});

describe('publishing rows on condition', () => {
  it('stores a beginning of them and nothing else, whichever is refused, and says which', async () => {
    const rows = fc.array(
      fc.constantFrom<'stored' | 'refused' | 'acknowledgement lost'>('stored', 'refused', 'acknowledgement lost'),
    );
    await fc.assert(
      fc.asyncProperty(rows, async (fates) => {
        const all = fates.map((_, n) => rowOf('a', n));
        const stored: ReturnType<typeof rowOf>[] = [];
        const { sent, failure, rejected } = await publishChained(all, async (one, previous) => {
          if (previous !== undefined && stored.at(-1) !== previous) throw new Error('wrong last message');
          if (fates[one.version] === 'refused') throw new Error('too large');
          stored.push(one);
          if (fates[one.version] === 'stored') return;
          throw Object.assign(new Error('timeout'), { name: 'TimeoutError' });
        });
        const refusedAt = fates.indexOf('refused');
        expect(stored).toEqual(refusedAt < 0 ? all : all.slice(0, refusedAt));
        expect(sent).toEqual(stored.filter((one) => fates[one.version] === 'stored'));
        expect(rejected).toBe(refusedAt >= 0);
        expect(failure === undefined).toBe(sent.length === all.length);
      }),
    );
  });
});
