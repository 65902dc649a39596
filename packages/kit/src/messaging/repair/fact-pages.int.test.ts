import { describe, expect, it } from 'vitest';
import { connectedBus } from '../../../test-support/connected-bus.ts';
import { ConflictError } from '../../database/transaction.ts';
import { requestFactPage, respondFactPages, type FactSource } from './fact-pages.ts';

const { log, bus } = connectedBus();

/** Facts with texts of these lengths, each estimated at `bytes`. */
function makeSource(lengths: Readonly<Record<string, number>>, bytes: number): FactSource {
  return {
    schema: 'thing.changed/1',
    keys: async (after, max) =>
      Object.keys(lengths)
        .filter((key) => key > after)
        .slice(0, max)
        .map((key) => ({ key, bytes })),
    // Two bytes a character.
    facts: async (keys) => keys.map((key) => ({ subject: key, version: 1, data: 'ї'.repeat(lengths[key] ?? 0) })),
  };
}

async function keysOfPages(name: string, source: FactSource, factsBytesMax?: number): Promise<readonly string[]> {
  const stream = { name, subjects: [] };
  respondFactPages({ bus: bus(), log }, stream, { 'thing.changed': source }, factsBytesMax);
  const pages: string[] = [];
  for (let after = ''; ;) {
    const page = await requestFactPage(bus(), stream, { type: 'thing.changed', after });
    if (page === undefined || page.next === null) return pages;
    pages.push(page.facts.map(({ subject }) => subject).join(' ') + (page.tooLarge ? `${page.next} too large` : ''));
    after = page.next;
  }
}

describe('fact pages', () => {
  it('end before they exceed a megabyte, and contain a larger fact alone', async () => {
    const source = makeSource({ a: 1, b: 1, c: 1, d: 1, e: 1 }, 400_000);
    expect(await keysOfPages('estimated', source)).toEqual(['a b', 'c d', 'e']);
    expect(await keysOfPages('large', makeSource({ a: 1, b: 1 }, 2_000_000))).toEqual(['a', 'b']);
  });

  it('are split when they are larger than estimated, and leave out only a fact that no response can carry', async () => {
    const source = makeSource({ a: 90_000, b: 90_000, c: 90_000, d: 250_000, e: 1 }, 10);
    expect(await keysOfPages('split', source, 450_000)).toEqual(['a b', 'c', 'd too large', 'e']);
  });

  it('are not sent while the owner has no complete facts, nor for a type that it does not own', async () => {
    const stream = { name: 'incomplete', subjects: [] };
    const facts = async (): Promise<never> => {
      throw new ConflictError(undefined);
    };
    respondFactPages({ bus: bus(), log }, stream, { 'thing.changed': { ...makeSource({ a: 1 }, 1), facts } });
    expect(await requestFactPage(bus(), stream, { type: 'thing.changed', after: '' })).toBeUndefined();
    expect(await requestFactPage(bus(), stream, { type: 'thing.other', after: '' })).toBeUndefined();
  });
});
