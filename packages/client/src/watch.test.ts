import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createClient, type ProcurementClient } from './client.ts';

const ID = 'a'.repeat(32);
const POLL_MS = 1_000_000;

type StreamEnd = 'ends' | 'breaks';

/** A tender, and the stream of its changes as register.md 4 describes it. */
class FakeServer {
  version = 1;
  readonly connections = new Set<ReadableStreamDefaultController<Uint8Array>>();
  opened = 0;
  hasStream = true;
  /** Streams are answered after it. */
  gate: Promise<void> = Promise.resolve();

  answer(address: string): Response {
    const { pathname, searchParams } = new URL(address);
    if (pathname !== '/api/2.5/stream') return Response.json({ data: { id: ID, dateModified: String(this.version) } });
    if (!this.hasStream) return Response.json({ status: 'error', errors: [] }, { status: 404 });
    this.opened += 1;
    const after = Number(searchParams.get('offset') ?? this.version);
    const missed = Array.from({ length: this.version - after }, (_, n) => formatNotice(after + n + 1));
    return new Response(
      new ReadableStream<Uint8Array>({
        start: (controller) => {
          this.connections.add(controller);
          for (const text of [`retry: 7\n\nevent: hello\nid: ${after}\ndata: {}\n\n`, ...missed])
            send(controller, text);
        },
        cancel: () => this.connections.clear(),
      }),
    );
  }

  change(): void {
    this.version += 1;
    for (const controller of this.connections) send(controller, formatNotice(this.version));
  }

  end(how: StreamEnd): void {
    for (const controller of this.connections) {
      if (how === 'ends') controller.close();
      else controller.error(new TypeError('reset'));
    }
    this.connections.clear();
  }
}

const formatNotice = (position: number): string => `id: ${position}\ndata: {"id":"${ID}"}\n\n`;

function send(controller: ReadableStreamDefaultController<Uint8Array>, text: string): void {
  controller.enqueue(new TextEncoder().encode(text));
}

/** Time passes at once, except that nothing polls: waits of `POLL_MS` and more, and for the silence of a connection, end by their signal. */
function makeClient(server: FakeServer, { polls = false } = {}): ProcurementClient {
  return createClient({
    url: 'https://api.example.org',
    fetch: async (address, { signal }) => {
      signal?.throwIfAborted();
      if (address.includes('/stream')) await server.gate;
      return server.answer(address);
    },
    async wait(ms, signal) {
      const isEndless = ms === 45_000 || (ms >= POLL_MS && !polls);
      await new Promise<void>((resolve, reject) => {
        // The reason that the caller gave.
        signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
        if (!isEndless) setImmediate(resolve);
      });
    },
  });
}

async function versionAfter(watching: AsyncGenerator<{ readonly dateModified: string }, void>): Promise<string> {
  const { value } = await watching.next();
  return value?.dateModified ?? 'ended';
}

describe('a watched tender', () => {
  it('is read at a notice of the stream, without a poll', async () => {
    const server = new FakeServer();
    const watching = makeClient(server).tender(ID).watch({ pollMs: POLL_MS });
    expect(await versionAfter(watching)).toBe('1');
    for (const version of ['2', '3']) {
      server.change();
      expect(await versionAfter(watching)).toBe(version);
    }
    expect(server.opened).toBe(1);
    await watching.return();
  });

  it('is seen in its last state over connections that end or break anywhere, without a poll', async () => {
    const steps = fc.array(fc.constantFrom('change', 'ends', 'breaks', 'read'), { maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(steps, async (script) => {
        const server = new FakeServer();
        const watching = makeClient(server).tender(ID).watch({ pollMs: POLL_MS });
        let seen = await versionAfter(watching);
        for (const step of [...script, 'change', 'read']) {
          if (step === 'change') server.change();
          else if (step !== 'read') server.end(step as StreamEnd);
          else while (seen !== String(server.version)) seen = await versionAfter(watching);
        }
        await watching.return();
      }),
      { numRuns: 60 },
    );
  });

  it('is read again when the stream opens: it may have changed before', async () => {
    const server = new FakeServer();
    let open = (): void => undefined;
    server.gate = new Promise((resolve) => {
      open = resolve;
    });
    const watching = makeClient(server).tender(ID).watch({ pollMs: POLL_MS });
    expect(await versionAfter(watching)).toBe('1');
    server.change();
    open();
    expect(await versionAfter(watching)).toBe('2');
    await watching.return();
  });

  it('is polled when the server has no stream', async () => {
    const server = new FakeServer();
    server.hasStream = false;
    const watching = makeClient(server, { polls: true }).tender(ID).watch({ pollMs: POLL_MS });
    expect(await versionAfter(watching)).toBe('1');
    server.change();
    expect(await versionAfter(watching)).toBe('2');
    await watching.return();
  });

  it('ends by its signal, and leaves no connection', async () => {
    const server = new FakeServer();
    const stop = new AbortController();
    const watching = makeClient(server).tender(ID).watch({ pollMs: POLL_MS, signal: stop.signal });
    await versionAfter(watching);
    const next = watching.next();
    stop.abort(new Error('enough'));
    await expect(next).rejects.toThrow('enough');
    const { opened } = server;
    server.end('ends');
    await new Promise(setImmediate);
    expect(server.opened).toBe(opened);
  });

  it('is given once for each change, over failures that last longer than the repetitions of a request', async () => {
    const tender = (dateModified: string): Response => Response.json({ data: { id: ID, dateModified } });
    const problem = (status: number): Response => Response.json({ status: 'error', errors: [] }, { status });
    const answers = [
      () => tender('1'),
      () => tender('1'),
      ...Array.from({ length: 9 }, () => () => problem(503)),
      () => tender('2'),
      () => problem(404),
    ];
    const client = createClient({
      url: 'https://api.example.org',
      fetch: async (address) => (address.includes('/stream') ? problem(404) : (answers.shift()?.() ?? problem(500))),
      wait: async () => undefined,
    });
    const seen: string[] = [];
    const watching = (async () => {
      for await (const { dateModified } of client.tender(ID).watch()) seen.push(dateModified);
    })();
    await expect(watching).rejects.toMatchObject({ kind: 'not-found' });
    expect(seen).toEqual(['1', '2']);
  });
});
