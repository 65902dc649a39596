import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createClient,
  type ClientOptions,
  type ProcurementClient,
  type StreamItem,
  type StreamOptions,
} from './client.ts';
import { makeEventReader } from './server-sent-events.ts';

const POSITIONS = Array.from({ length: 12 }, (_, n) => `${100 + n}.000000`);
const formatNotice = (position: string): string =>
  `id: ${position}\ndata: ${JSON.stringify({ type: 'tender.changed', position, id: 'a' })}\n\n`;
const HELLO = `: stream\nretry: 7\n\nevent: hello\nid: 050.000000\ndata: {"position":"050.000000"}\n\n`;

/** A body of these parts, which then ends, breaks or stays open. */
function makeBody(parts: readonly string[], end: 'ends' | 'breaks' | 'is silent'): ReadableStream<Uint8Array> {
  const queue = parts.map((part) => new TextEncoder().encode(part));
  return new ReadableStream({
    pull(controller) {
      const part = queue.shift();
      if (part !== undefined) controller.enqueue(part);
      else if (end === 'ends') controller.close();
      else if (end === 'breaks') controller.error(new TypeError('reset'));
      // A silent connection: no part and no end.
    },
  });
}

/** Waits of the reader end at once, except for the silence of a connection, which `isSilent` ends. */
function makeClient(fetch: ClientOptions['fetch'] & object, isSilent = false): ProcurementClient {
  return createClient({
    url: 'https://api.example.org',
    fetch,
    async wait(ms) {
      if (ms < 45_000) return;
      await new Promise<void>((resolve) => {
        // After all that has arrived was read.
        if (isSilent) setImmediate(resolve);
      });
    },
  });
}

async function read(
  client: ProcurementClient,
  options: StreamOptions,
  itemsMax: number,
): Promise<readonly StreamItem[]> {
  const items: StreamItem[] = [];
  for await (const item of client.stream(options)) {
    items.push(item);
    if (items.length >= itemsMax) break;
  }
  return items;
}

const offsetOf = (address: string): string => new URL(address).searchParams.get('offset') ?? '';

describe('the stream', () => {
  it('delivers every change once, over connections that end or break anywhere', async () => {
    const ends = fc.constantFrom('ends', 'breaks', 503, 'lost');
    const lives = fc.array(fc.record({ characters: fc.nat(900), size: fc.integer({ min: 20, max: 300 }), end: ends }), {
      maxLength: 8,
    });
    await fc.assert(
      fc.asyncProperty(lives, async (script) => {
        const steps = [...script];
        const client = makeClient(async (address) => {
          const offset = offsetOf(address);
          const text =
            HELLO.replaceAll('050.000000', offset === '' ? '050.000000' : offset) +
            POSITIONS.filter((one) => one > offset)
              .map(formatNotice)
              .join('');
          const { characters = Infinity, size = 200, end = 'ends' } = steps.shift() ?? {};
          if (end === 503) return new Response('', { status: 503 });
          if (end === 'lost') throw new TypeError('lost');
          const parts = text.slice(0, characters).match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
          return new Response(makeBody(parts, end as 'ends'));
        });
        const items = await read(client, {}, POSITIONS.length);
        expect(items.map(({ position }) => position)).toEqual(POSITIONS);
      }),
      { numRuns: 40 },
    );
  });

  it('connects again at the position of the last heartbeat when a connection is silent', async () => {
    const offsets: string[] = [];
    const client = makeClient(async (address) => {
      offsets.push(offsetOf(address));
      return offsets.length === 1
        ? new Response(makeBody([HELLO, ':\nid: 150.000000\n\n'], 'is silent'))
        : new Response(makeBody([formatNotice('200.000000')], 'is silent'));
    }, true);
    const [item] = await read(client, { after: '10.000000' }, 1);
    expect(item).toMatchObject({ event: 'change', position: '200.000000' });
    expect(offsets.slice(0, 2)).toEqual(['10.000000', '150.000000']);
  });

  it('gives resets and times of last states as items of their own', async () => {
    const frames =
      'event: behind\ndata: {"from":"1","until":"2"}\n\nevent: reset\nid: 5\ndata: {"after":"3","before":"5"}\n\n';
    const client = makeClient(async () => new Response(makeBody([frames], 'ends')));
    expect(await read(client, { after: '1' }, 2)).toEqual([
      { event: 'behind', from: '1', until: '2', position: '1' },
      { event: 'reset', after: '3', before: '5', position: '5' },
    ]);
  });

  it('ends with the error of a refused position, and by its signal', async () => {
    const client = makeClient(async (_address, { signal }) => {
      signal?.throwIfAborted();
      return Response.json({ status: 'error', errors: [] }, { status: 404 });
    });
    await expect(read(client, { after: 'x' }, 1)).rejects.toMatchObject({ kind: 'not-found' });
    await expect(read(client, { signal: AbortSignal.abort(new Error('enough')) }, 1)).rejects.toThrow('enough');
  });

  it('sends filters as parameters', async () => {
    const seen: string[] = [];
    const client = makeClient(async (address) => {
      seen.push(new URL(address).search);
      return new Response(makeBody([formatNotice('1')], 'ends'));
    });
    await read(client, { mode: '_all_', amountFrom: 5, status: 'active' }, 1);
    expect(seen).toEqual(['?mode=_all_&amountFrom=5&status=active']);
  });
});

describe('makeEventReader', () => {
  it('joins lines of data and passes over comments', () => {
    expect(makeEventReader()(': x\nid: 1\ndata: a\ndata: b\n\nretry: 5\n\nda')).toEqual([
      { name: 'message', id: '1', data: 'a\nb' },
      { name: 'message', retryMs: 5 },
    ]);
  });
});
