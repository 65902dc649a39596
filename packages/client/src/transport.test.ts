import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient, memoryTokens, type ClientOptions, type ProcurementClient, type TenderInput } from './client.ts';

const ID = 'a'.repeat(32);
const BID = 'b'.repeat(32);
// The fake servers do not read bodies.
const TENDER = {} as TenderInput;

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly headers: Headers;
}

const json = (status: number, body: unknown, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify(body), { status, headers });
const problem = (status: number, headers: Record<string, string> = {}): Response =>
  json(status, { status: 'error', errors: [{ location: 'body', name: 'data', description: 'no' }] }, headers);

/** A client of a server that answers in memory. Waits take no time and are recorded. */
function makeClient(answer: (sent: Sent) => Response, options: Partial<ClientOptions> = {}) {
  const sent: Sent[] = [];
  const waitsMs: number[] = [];
  const client: ProcurementClient = createClient({
    url: 'https://api.example.org/',
    key: 'secret-key',
    wait: async (ms) => void waitsMs.push(ms),
    async fetch(address, { method = 'GET', headers }) {
      const request = { method, path: address.slice('https://api.example.org'.length), headers: new Headers(headers) };
      sent.push(request);
      return answer(request);
    },
    ...options,
  });
  return { client, sent, waitsMs };
}

/** What happens to one attempt. */
type Fault = 'lost request' | 'lost answer' | 'half an answer' | 409 | 429 | 500 | 503;
const FAULTS: readonly Fault[] = ['lost request', 'lost answer', 'half an answer', 409, 429, 500, 503];
const RETRY_AFTER_SECONDS = 3;

/** Creates one object for each idempotency key, as the gateway does (http.md 4.2, decision 0017). */
function creatingServer(faults: readonly Fault[]) {
  const created = new Map<string, number>();
  const answers = [...faults];
  return {
    created,
    answer({ headers }: Sent): Response {
      const fault = answers.shift();
      if (fault === 'lost request') throw new TypeError('fetch failed');
      if (typeof fault === 'number') return problem(fault, { 'retry-after': String(RETRY_AFTER_SECONDS) });
      const key = headers.get('idempotency-key') ?? `none ${created.size}`;
      created.set(key, created.get(key) ?? created.size);
      if (fault === 'lost answer') throw new TypeError('other side closed');
      const body = JSON.stringify({ data: { id: ID }, access: { token: `token ${created.get(key)}` } });
      return new Response(fault === 'half an answer' ? body.slice(0, 9) : body, { status: 201 });
    },
  };
}

describe('a dry run', () => {
  it('is asked for in the address, and its tokens are not kept', async () => {
    const answer = () => json(201, { data: { id: ID }, access: { token: 'of no object' } });
    const { client, sent } = makeClient(answer);
    await client.createTender(TENDER, { dryRun: true });
    expect([sent[0]?.path, await client.tokens.get(ID)]).toEqual(['/api/2.5/tenders?opt_dry_run=1', undefined]);
  });
});

describe('a POST', () => {
  it('creates one object, whatever happens to its attempts, and keeps its token', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...FAULTS), { maxLength: 5 }), async (faults) => {
        const server = creatingServer(faults);
        const { client, sent, waitsMs } = makeClient(server.answer);
        const tender = await client.createTender(TENDER);
        expect([tender.id, server.created.size, sent.length]).toEqual([ID, 1, faults.length + 1]);
        expect(await client.tokens.get(ID)).toEqual({ token: 'token 0' });
        for (const [n, fault] of faults.entries()) {
          if (typeof fault === 'number') expect(waitsMs[n]).toBeGreaterThanOrEqual(RETRY_AFTER_SECONDS * 1_000);
        }
      }),
      { numRuns: 200 },
    );
  });

  it('ends with the error after the last attempt, which says that the outcome is unknown', async () => {
    const server = creatingServer(Array.from({ length: 9 }, () => 'lost answer' as const));
    const { client, sent } = makeClient(server.answer, { retry: { attemptsMax: 3 } });
    await expect(client.createTender(TENDER)).rejects.toMatchObject({
      name: 'ConnectionError',
      request: { attempts: 3, isAfterLostAnswer: true },
    });
    expect([sent.length, server.created.size]).toEqual([3, 1]);
  });

  it('has a new idempotency key for each call, unless the caller gives one', async () => {
    const { client, sent } = makeClient(() => json(201, { data: { id: ID } }));
    for (const options of [{}, {}, { idempotencyKey: 'mine' }]) await client.createTender(TENDER, options);
    const keys = sent.map(({ headers }) => headers.get('idempotency-key'));
    expect(new Set(keys).size).toBe(3);
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
    expect(keys[2]).toBe('mine');
  });
});

describe('an upload', () => {
  it('is a new stream of known length for each attempt: fetch of Node reads a Blob into memory', async () => {
    const bodies: unknown[] = [];
    const lengths: (string | null)[] = [];
    const client = createClient({
      url: 'https://api.example.org',
      key: 'k',
      wait: async () => undefined,
      async fetch(_address, { body, headers }) {
        bodies.push(body);
        lengths.push(new Headers(headers).get('content-length'));
        const text = await new Response(body).text();
        expect(text).toContain('content of the file');
        return bodies.length === 1 ? problem(503) : json(201, { data: { id: 'd', bytes: Buffer.byteLength(text) } });
      },
    });
    const sent = await client.tender(ID).documents.upload({ name: 'назва.txt', content: 'content of the file' });
    expect(bodies.map((body) => body instanceof ReadableStream)).toEqual([true, true]);
    expect(bodies[0]).not.toBe(bodies[1]);
    expect(lengths).toEqual(Array.from({ length: 2 }, () => String((sent as unknown as { bytes: number }).bytes)));
  });
});

describe('a replacement of a document', () => {
  const file = { name: 'a.txt', content: 'a' };

  it('is not repeated when it may have had its effect', async () => {
    const { client, sent } = makeClient(() => problem(503));
    const replacing = client.tender(ID).documents.document('d').replace(file);
    await expect(replacing).rejects.toMatchObject({ kind: 'unavailable', request: { attempts: 1 } });
    expect(sent).toHaveLength(1);
  });

  it('is repeated when it was refused', async () => {
    const answers = [problem(429), json(200, { data: { id: 'd' } })];
    const { client } = makeClient(() => answers.shift() ?? problem(500));
    await expect(client.tender(ID).documents.document('d').replace(file)).resolves.toEqual({ id: 'd' });
  });
});

describe('credentials', () => {
  const tokens = memoryTokens({ [ID]: { token: 'of tender' }, [BID]: { token: 'of bid' } });
  const ok = (): Response => json(200, { data: { id: 'x' } });

  it('are those of the innermost object, or of the one that the caller names, and never in the address', async () => {
    const { client, sent } = makeClient(ok, { tokens });
    const tender = client.tender(ID);
    await tender.patch({});
    await tender.bid(BID).documents.document('d').patch({ title: 'x' });
    await tender.award('e').complaints.create({ author: { name: 'x' } } as never, { as: BID });
    await client.tender('foreign').get();
    expect(sent.map(({ headers }) => headers.get('x-access-token'))).toEqual(['of tender', 'of bid', 'of bid', null]);
    for (const { path, headers } of sent) {
      expect(path).not.toMatch(/secret-key|of tender|of bid|acc_token/);
      expect(headers.get('authorization')).toBe('Bearer secret-key');
    }
  });

  it('do not follow a redirect', async () => {
    const { client, sent } = makeClient(
      () => new Response(null, { status: 302, headers: { location: 'https://other/' } }),
      {
        tokens,
      },
    );
    await expect(client.tender(ID).get()).rejects.toMatchObject({ status: 302, kind: 'other' });
    expect(sent).toHaveLength(1);
  });

  it('go to the API for a file, and not to the host of the file', async () => {
    const seen: [string, string | null, string | null][] = [];
    const client = createClient({
      url: 'https://api.example.org',
      key: 'secret-key',
      tokens,
      async fetch(address, init) {
        const headers = new Headers(init.headers);
        seen.push([address, headers.get('authorization'), headers.get('x-access-token')]);
        if (address.endsWith('/documents/d')) {
          return json(200, { data: { id: 'd', url: `${address}?download=1` } });
        }
        return address.startsWith('https://files')
          ? new Response('bytes')
          : new Response(null, { status: 302, headers: { location: 'https://files.example.org/get/1' } });
      },
    });
    const file = await client.tender(ID).bid(BID).documents.document('d').download();
    expect(await new Response(file.stream).text()).toBe('bytes');
    const path = `https://api.example.org/api/2.5/tenders/${ID}/bids/${BID}/documents/d`;
    expect(seen).toEqual([
      [path, 'Bearer secret-key', 'of bid'],
      [`${path}?download=1`, 'Bearer secret-key', 'of bid'],
      ['https://files.example.org/get/1', null, null],
    ]);
  });
});

describe('a request', () => {
  it('ends when the caller aborts, also between attempts', async () => {
    const stop = new AbortController();
    const { client, sent } = makeClient(() => problem(503), {
      wait: async (_ms, signal) => {
        stop.abort(new Error('enough'));
        signal?.throwIfAborted();
      },
    });
    await expect(client.tender(ID).get({ signal: stop.signal })).rejects.toThrow('enough');
    expect(sent).toHaveLength(1);
  });

  it('reports repetitions', async () => {
    const events: unknown[] = [];
    const answers = [problem(429, { 'retry-after': '1' }), json(200, { data: {} })];
    const { client } = makeClient(() => answers.shift() ?? problem(500), {
      onRetry: (event) => void events.push(event),
    });
    await client.tender(ID).get();
    expect(events).toEqual([
      { request: expect.objectContaining({ method: 'GET', attempts: 1 }), delayMs: 1_000, status: 429 },
    ]);
  });

  it('has the page of a proxy as a problem without errors', async () => {
    const { client } = makeClient(() => new Response('<h1>Forbidden</h1>', { status: 403 }));
    await expect(client.tender(ID).get()).rejects.toMatchObject({ kind: 'forbidden', errors: [] });
  });
});

describe('over a real connection', () => {
  let server: Server;
  let requests = 0;

  beforeAll(async () => {
    server = createServer((request, response) => {
      requests += 1;
      request.resume();
      if (requests === 1) request.socket.destroy();
      else if (requests === 2)
        response.writeHead(200, { 'content-length': '99' }).write('{"data', () => response.destroy());
      else response.end('{"data":{"title":"whole"}}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => server.closeAllConnections());

  it('repeats after a connection that closed before the answer, and within it', async () => {
    const { port } = server.address() as AddressInfo;
    const client = createClient({ url: `http://127.0.0.1:${port}`, retry: { firstDelayMs: 1 } });
    expect((await client.tender(ID).get()).title).toBe('whole');
    expect(requests).toBe(3);
  });
});

describe('a write of a bid', () => {
  it('calls onReceipt with the signed receipt, where there is one', async () => {
    const events: unknown[] = [];
    const receipts = [{ 'procurement-receipt': 'bm90ZQ' }, {}];
    const answer = () => json(200, { data: { id: ID } }, receipts.shift());
    const { client } = makeClient(answer, { onReceipt: (event) => void events.push(event) });
    const bid = client.tender(ID).bid(ID);
    await bid.patch({});
    await bid.patch({});
    const request = { method: 'PATCH', path: `/api/2.5/tenders/${ID}/bids/${ID}` };
    expect(events).toEqual([{ request, receipt: 'bm90ZQ' }]);
  });
});

describe('a PATCH with members that may not change now', () => {
  it('calls onIgnored with their names, and asks for a refusal with strict only', async () => {
    const events: unknown[] = [];
    const answer = () => json(200, { data: { id: ID } }, { 'ignored-members': '/status, /value/amount' });
    const { client, sent } = makeClient(answer, { onIgnored: (event) => void events.push(event) });
    await client.tender(ID).patch({});
    await client.tender(ID).patch({}, { strict: true });
    const request = { method: 'PATCH', path: `/api/2.5/tenders/${ID}` };
    expect(events[0]).toEqual({ request, members: ['/status', '/value/amount'] });
    expect(sent.map(({ headers }) => headers.get('prefer'))).toEqual([null, 'handling=strict']);
  });
});
