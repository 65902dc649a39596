import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createClient, type ClientOptions, type FeedItem, type FeedOptions, type ProcurementClient } from './client.ts';

interface Change {
  readonly id: string;
  readonly stamp: number;
}

/** A feed as http.md 1.5 guarantees it: a tender stands at its last change only, positions only grow. */
class FakeFeed {
  readonly changes: Change[] = [];
  #stamp = 0;

  change(id: string): void {
    this.changes.push({ id, stamp: (this.#stamp += 1) });
  }

  /** The last change of each tender, in the order of the feed. */
  rows(): readonly Change[] {
    return this.changes.filter(
      ({ id, stamp }) => !this.changes.some((other) => other.id === id && other.stamp > stamp),
    );
  }

  answer(address: string): Response {
    const query = new URL(address).searchParams;
    const offset = query.get('offset') ?? '';
    const limit = Number(query.get('limit') ?? 100);
    const rows = this.rows();
    if (query.has('descending')) {
      return Response.json({ data: [], prev_page: { offset: formatPosition(rows.at(-1)) }, next_page: { offset: '' } });
    }
    const page = rows.filter(({ stamp }) => stamp > Number(offset.slice(1))).slice(0, limit);
    const data = page.map((row) => ({ id: row.id, dateModified: formatPosition(row) }));
    return Response.json({ data, next_page: { offset: page.length === 0 ? offset : formatPosition(page.at(-1)) } });
  }
}

/** Positions have equal length, as dates have: `T0000007`. */
function formatPosition(row: Change | undefined): string {
  return row === undefined ? '' : `T${String(row.stamp).padStart(7, '0')}`;
}

function makeClient(fetch: ClientOptions['fetch'] & object, wait: () => void = () => undefined): ProcurementClient {
  return createClient({ url: 'https://api.example.org', fetch, wait: async () => wait() });
}

/** Reads at most so many items, like a process that ends there. */
async function readSome(
  client: ProcurementClient,
  options: FeedOptions,
  itemsMax: number,
): Promise<readonly FeedItem[]> {
  const items: FeedItem[] = [];
  for await (const item of client.feed(options)) {
    items.push(item);
    if (items.length >= itemsMax) break;
  }
  return items;
}

const tenderIds = fc.constantFrom('a', 'b', 'c', 'd', 'e');
const scripts = fc.record({
  pageSize: fc.integer({ min: 1, max: 4 }),
  before: fc.array(tenderIds, { maxLength: 12 }),
  /** Changes while each request is answered, and whether the answer is lost. */
  requests: fc.array(fc.record({ changed: fc.array(tenderIds, { maxLength: 3 }), isLost: fc.boolean() }), {
    maxLength: 15,
  }),
  /** How many items each process reads before it ends. */
  lives: fc.array(fc.integer({ min: 1, max: 6 }), { maxLength: 6 }),
});

describe('the feed', () => {
  it('delivers the last change of every tender and nothing twice, over restarts, lost answers and changes meanwhile', async () => {
    await fc.assert(
      fc.asyncProperty(scripts, async ({ pageSize, before, requests, lives }) => {
        const feed = new FakeFeed();
        for (const id of before) feed.change(id);
        const steps = [...requests];
        const client = makeClient(async (address) => {
          const { changed, isLost } = steps.shift() ?? { changed: [], isLost: false };
          for (const id of changed.slice(0, 1)) feed.change(id);
          const answer = feed.answer(address);
          for (const id of changed.slice(1)) feed.change(id);
          if (isLost && steps.length % 3 !== 0) throw new TypeError('lost');
          return answer;
        });
        const seen: FeedItem[] = [];
        for (const itemsMax of [...lives, Infinity, Infinity]) {
          const after = seen.at(-1)?.position;
          seen.push(...(await readSome(client, { pageSize, ...(after === undefined ? {} : { after }) }, itemsMax)));
        }
        const positions = seen.map(({ position }) => position);
        expect(positions).toEqual([...new Set(positions)].toSorted());
        const last = new Map(seen.map(({ entry, position }) => [entry.id, position]));
        for (const row of feed.rows()) expect(last.get(row.id)).toBe(formatPosition(row));
      }),
      { numRuns: 150 },
    );
  });

  it('follows: waits at the end, and over failures, and goes on at the same place', async () => {
    const feed = new FakeFeed();
    feed.change('a');
    let isAway = false;
    const offsets: (string | null)[] = [];
    const client = makeClient(
      async (address) => {
        offsets.push(new URL(address).searchParams.get('offset'));
        return isAway ? new Response('', { status: 503 }) : feed.answer(address);
      },
      () => {
        // After more repetitions than one request has, the service is back with a change.
        if (offsets.length === 3) isAway = true;
        if (offsets.length === 20) {
          isAway = false;
          feed.change('b');
        }
      },
    );
    const items = await readSome(client, { follow: true }, 2);
    expect(items.map(({ entry }) => entry.id)).toEqual(['a', 'b']);
    expect(new Set(offsets.slice(1))).toEqual(new Set(['T0000001']));
  });

  it('ends with an error for a position that the API refuses, also while it follows', async () => {
    const client = makeClient(async () => Response.json({ status: 'error', errors: [] }, { status: 404 }));
    await expect(readSome(client, { after: 'x', follow: true }, 1)).rejects.toMatchObject({ kind: 'not-found' });
  });

  it('begins after its end with feedEnd, also when it is empty', async () => {
    const feed = new FakeFeed();
    const client = makeClient(async (address) => feed.answer(address));
    const empty = await client.feedEnd();
    feed.change('a');
    const end = await client.feedEnd();
    feed.change('b');
    const idsAfter = async (after: string) => (await readSome(client, { after }, 9)).map(({ entry }) => entry.id);
    expect([await idsAfter(empty), await idsAfter(end)]).toEqual([['a', 'b'], ['b']]);
  });
});

describe('the feed of contracts', () => {
  it('is read at its own path, to its own end', async () => {
    const paths: string[] = [];
    const links = { next_page: { offset: '5' }, prev_page: { offset: '7' } };
    const { contracts } = makeClient(async (address) => {
      paths.push(new URL(address).pathname);
      return new Response(JSON.stringify({ data: [], ...links }));
    });
    for await (const item of contracts.feed()) expect.fail(item.position);
    expect(await contracts.feedEnd()).toBe('7');
    expect(paths).toEqual(['/api/2.5/contracts', '/api/2.5/contracts']);
  });
});
