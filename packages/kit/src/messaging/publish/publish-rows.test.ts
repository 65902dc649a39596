import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { publishChained, publishRows } from './publish-rows.ts';

const buildRow = (aggregate: string, version: number, type = 'thing-changed') => ({
  subject: `things.${type}.${aggregate}`,
  aggregate,
  version,
});

const never = () => false;

describe('publishRows', () => {
  it('keeps the order of each aggregate for any failures and delays', async () => {
    const rows = fc.array(fc.record({ aggregate: fc.constantFrom('a', 'b', 'c.d'), fails: fc.boolean() }));
    await fc.assert(
      fc.asyncProperty(rows, fc.scheduler(), async (inputs, scheduler) => {
        const stored: ReturnType<typeof buildRow>[] = [];
        const all = inputs.map(({ aggregate }, n) => buildRow(aggregate, n, n === 0 ? 'thing-created' : undefined));
        const publishing = publishRows(
          all,
          async (one) => {
            await scheduler.schedule(Promise.resolve());
            if (inputs[one.version]?.fails === true) throw new Error('lost');
            stored.push(one);
          },
          never,
        );
        await scheduler.waitFor(publishing);
        const { sent, failure } = await publishing;
        expect(sent).toEqual(stored);
        expect(failure === undefined).toBe(sent.length === all.length);
        for (const aggregate of ['a', 'b', 'c.d']) {
          const wanted = all.filter((one) => one.aggregate === aggregate);
          const failsAt = wanted.findIndex((one) => inputs[one.version]?.fails);
          const prefix = failsAt < 0 ? wanted : wanted.slice(0, failsAt);
          expect(stored.filter((one) => one.aggregate === aggregate)).toEqual(prefix);
        }
      }),
    );
  });

  it('publishes different aggregates in parallel', async () => {
    let inFlight = 0;
    let inFlightMax = 0;
    const rows = Array.from({ length: 64 }, (_, n) => buildRow(`a${n}`, n));
    await publishRows(
      rows,
      async () => {
        inFlight += 1;
        inFlightMax = Math.max(inFlightMax, inFlight);
        await Promise.resolve();
        inFlight -= 1;
      },
      never,
    );
    expect(inFlightMax).toBe(64);
  });
});

describe('publishRows with an unpublishable row', () => {
  it('reports it, and publishes the rows of its aggregate after it', async () => {
    const rows = [buildRow('a', 1), buildRow('a', 2), buildRow('b', 3)];
    const publishing = publishRows(
      rows,
      async ({ version }) => {
        if (version === 1) throw new Error('too large');
      },
      (error) => String(error) === 'Error: too large',
    );
    expect(await publishing).toEqual({
      sent: expect.arrayContaining([rows[1], rows[2]]),
      unpublishable: [{ row: rows[0], error: new Error('too large') }],
    });
  });
});

describe('publishChained', () => {
  it('stores a prefix of the rows, and reports which rows were acknowledged', async () => {
    const rows = fc.array(
      fc.constantFrom<'stored' | 'refused' | 'acknowledgement lost'>('stored', 'refused', 'acknowledgement lost'),
    );
    await fc.assert(
      fc.asyncProperty(rows, async (results) => {
        const all = results.map((_, n) => buildRow('a', n));
        const stored: ReturnType<typeof buildRow>[] = [];
        const { sent, failure, rejected } = await publishChained(all, async (one, previous) => {
          if (previous !== undefined && stored.at(-1) !== previous) throw new Error('wrong last message');
          if (results[one.version] === 'refused') throw new Error('too large');
          stored.push(one);
          if (results[one.version] === 'stored') return;
          throw Object.assign(new Error('timeout'), { name: 'TimeoutError' });
        });
        const refusedAt = results.indexOf('refused');
        expect(stored).toEqual(refusedAt < 0 ? all : all.slice(0, refusedAt));
        expect(sent).toEqual(stored.filter((one) => results[one.version] === 'stored'));
        expect(rejected).toBe(refusedAt >= 0);
        expect(failure === undefined).toBe(sent.length === all.length);
      }),
    );
  });
});
