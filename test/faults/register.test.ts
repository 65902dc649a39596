import { gunzipSync } from 'node:zlib';
import { startStack, type Stack } from '@procurement/local-stack/stack';
import { openClient, type StreamClient } from '@procurement/testing/stream-client';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { broker, pauseBeforeRetry, until, type Broker, type Json } from '../support/broker.ts';
import { exported } from '../support/exported-file.ts';
import { publish } from '../support/published-tender.ts';
import { serviceCommand } from '../support/service-command.ts';
import { minimalTender } from '../support/request-bodies.ts';
import { verifyAndStop } from '../support/verified.ts';

const WRITERS = 16;
const READERS = 50;

let stack: Stack;
let buyer: Broker;

beforeAll(async () => {
  stack = await startStack({ durable: false, env: { STREAMS_PER_ADDRESS: String(2 * READERS) } });
  buyer = broker(stack.gatewayUrl, 'broker1', '2.5');
  // A random delay between the update of a tender and its publication, as in the acceptance test of the feed.
  await query(
    'tenders',
    `CREATE FUNCTION delay_update() RETURNS trigger LANGUAGE plpgsql AS
       $$ BEGIN PERFORM pg_sleep(random() * 0.02); RETURN NEW; END $$;
     CREATE TRIGGER delay_update BEFORE UPDATE ON tender FOR EACH ROW EXECUTE FUNCTION delay_update();`,
  );
});

afterAll(async () => {
  await verifyAndStop(stack);
});

async function query<T extends pg.QueryResultRow>(service: 'tenders' | 'register', text: string): Promise<T[]> {
  const client = new pg.Client({ connectionString: stack.databaseUrl(service) });
  // A killed server emits an error on its connections, which without a listener would end this process.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<T>(text)).rows;
  } finally {
    await client.end();
  }
}

const PUBLISHED = `SELECT stamp AS position, tender_id AS id, rev, md5(head || feed_text(stamp) || tail) AS text
  FROM tender_publication JOIN tender_publication_text USING (tender_id, version) WHERE listed ORDER BY stamp`;
const APPLIED = `SELECT position, replace(id::text, '-', '') AS id, rev, md5(text) AS text
  FROM revision JOIN revision_text USING (position) WHERE listed AND NOT void ORDER BY position`;
const VIEWS = `SELECT tender_id AS id, md5(body) AS body FROM tender_view JOIN tender_feed USING (tender_id) WHERE listed ORDER BY 1`;
const OWNER_VIEWS = 'SELECT tender_id AS id, body FROM tender_view JOIN tender_feed USING (tender_id) WHERE listed';
const BODIES = `SELECT replace(tender.id::text, '-', '') AS id, md5(body) AS body FROM tender JOIN tender_body USING (id)
  WHERE listed ORDER BY 1`;

async function caughtUp(): Promise<void> {
  await until('the register to apply everything', async () => {
    const [owner] = await query('tenders', 'SELECT max(stamp) AS head FROM tender_feed');
    const [follow] = await query('register', 'SELECT position, backfill FROM follow');
    return follow?.['backfill'] === null && follow['position'] === owner?.['head'];
  });
}

/** Promises R1 and R2 (register.md 2.9). */
async function expectEqualToOwner(after = '0'): Promise<void> {
  const isFollowed = ({ position }: pg.QueryResultRow): boolean => BigInt(position) > BigInt(after);
  const [published, applied] = [await query('tenders', PUBLISHED), await query('register', APPLIED)];
  expect(applied.filter(isFollowed)).toEqual(published.filter(isFollowed));
  expect(await query('register', BODIES)).toEqual(await query('tenders', VIEWS));
}

/** Writers that publish and change until `end` is called, which returns the last acknowledged description of each tender. */
function startWriters(): { end(): Promise<ReadonlyMap<string, string>> } {
  const acknowledged = new Map<string, string>();
  let isOver = false;
  async function write(writer: number): Promise<void> {
    let own: { readonly path: string; readonly tokenQuery: string; readonly id: string } | undefined;
    for (let n = 0; !isOver; n += 1) {
      const description = `change ${n} of ${writer}`;
      try {
        if (own === undefined || n % 10 === 0) {
          own = await publish(buyer, minimalTender({ description, mode: 'test' }));
          acknowledged.set(own.id, description);
          continue;
        }
        acknowledged.delete(own.id);
        const { status } = await buyer.patch(`${own.path}${own.tokenQuery}`, { description });
        if (status === 200) acknowledged.set(own.id, description);
        else await pauseBeforeRetry();
      } catch {
        // Not acknowledged.
        await pauseBeforeRetry();
      }
    }
  }
  const writers = Array.from({ length: WRITERS }, async (_, writer) => write(writer));
  return {
    async end() {
      isOver = true;
      await Promise.all(writers);
      return acknowledged;
    },
  };
}

/** A position as an id of the stream: seconds, and six digits of their fraction. */
const formatStreamId = (position: string): string => `${position.slice(0, -6)}.${position.slice(-6)}`;

interface StreamedReader {
  /** Positions of the notices of all connections, in the order in which they came. */
  readonly seen: readonly string[];
  /** Ends the connection as a lost network does; the reader reconnects. */
  cut(): void;
  end(): void;
}

/** A reader that follows the stream after a position, and reconnects with its last id when its connection has ended and all is up. */
function startReader(url: string, start: string, isUp: () => boolean): StreamedReader {
  const past: string[] = [];
  let client: StreamClient | undefined;
  let isOver = false;
  async function follow(): Promise<void> {
    while (!isOver) {
      await until('the system', async () => isUp(), 600_000);
      client = await openClient(url, { 'last-event-id': past.at(-1) ?? start }).catch(() => undefined);
      await until('the end of the connection', async () => client?.ended ?? true, 600_000);
      past.push(...(client?.positions ?? []));
      client = undefined;
    }
  }
  void follow();
  return {
    get seen() {
      return [...past, ...(client?.positions ?? [])];
    },
    cut: () => client?.close(),
    end() {
      isOver = true;
      client?.close();
    },
  };
}

/** Texts of the tenders on a page of the feed and on those after it. */
async function walkExpanded(start: string): Promise<readonly string[]> {
  const texts: string[] = [];
  for (let page = `${start}&opt_expand=1`; ;) {
    const text = await (await fetch(page)).text();
    const { data, next_page } = JSON.parse(text);
    if (data.length === 0) return texts;
    // Tenders of this test have no text that looks like the beginning of another.
    const own = text.slice('{"data":['.length, text.lastIndexOf('],"next_page":'));
    texts.push(...own.split(/,(?=\{"id":"[0-9a-f]{32}","tenderID")/));
    page = next_page.uri;
  }
}

/** Waits until so many more publications were applied. */
async function applied(more: number): Promise<void> {
  const count = async (): Promise<number> =>
    Number((await query('register', 'SELECT count(*) AS count FROM revision'))[0]?.['count']);
  const before = await count();
  await until('publications to be applied', async () => (await count()) >= before + more);
}

describe('the register', () => {
  it('holds every publication, whatever is killed under load (A1, A2, R1 to R3)', async () => {
    const writers = startWriters();
    await applied(20);
    for (const name of ['register', 'tenders', 'nats', 'postgres', 'register'] as const) {
      await stack.parts[name].kill('SIGKILL');
      await stack.parts[name].start();
      await applied(10);
    }
    const acknowledged = await writers.end();
    await caughtUp();
    await expectEqualToOwner();
    expect(acknowledged.size).toBeGreaterThan(0);
    const rows = await query('register', "SELECT replace(id::text, '-', '') AS id, body FROM tender_body");
    const bodies = new Map(rows.map((row) => [row['id'] as string, row['body'] as string]));
    for (const [id, description] of acknowledged) {
      expect(JSON.parse(bodies.get(id) ?? '{}').data?.description).toBe(description);
    }
    const [id = ''] = acknowledged.keys();
    expect(bodies.get(id)).toBe((await broker(stack.gatewayUrl, undefined, '2.5').get(`/tenders/${id}`)).text);
  });

  it('gives 50 readers every change once and in order, while readers, gateway and register are killed (A10, S1, S5)', async () => {
    const writers = startWriters();
    await applied(5);
    const [begin] = await query('register', 'SELECT position FROM follow');
    const start = String(begin?.['position']);
    const url = `${stack.gatewayUrl}/api/2.5/stream?mode=_all_`;
    let isUp = true;
    const readers = Array.from({ length: READERS }, () => startReader(url, formatStreamId(start), () => isUp));
    for (const [round, name] of (['gateway', 'register'] as const).entries()) {
      await applied(10);
      for (const [n, reader] of readers.entries()) if (n % 3 === round % 3) reader.cut();
      isUp = false;
      await stack.parts[name].kill('SIGKILL');
      await stack.parts[name].start();
      isUp = true;
    }
    await applied(10);
    await writers.end();
    await caughtUp();
    const rows = await query(
      'register',
      `SELECT position FROM revision WHERE position > ${start} AND NOT void ORDER BY 1`,
    );
    const expected = rows.map(({ position }) => formatStreamId(String(position)));
    // Fewer than were awaited above if some of them are void.
    expect(expected.length).toBeGreaterThan(20);
    await until('all changes', async () => readers.every(({ seen }) => seen.length >= expected.length));
    for (const reader of readers) {
      expect(reader.seen).toEqual(expected);
      reader.end();
    }
  });

  it('is not needed by any write, and catches up (R5)', async () => {
    await stack.parts.register.kill('SIGKILL');
    const { path, tokenQuery } = await publish(buyer, minimalTender({ mode: 'test' }));
    for (let n = 0; n < 5; n += 1) {
      expect((await buyer.patch(`${path}${tokenQuery}`, { description: `without ${n}` })).status).toBe(200);
    }
    expect((await fetch(`${stack.gatewayUrl}/health`)).status).toBe(200);
    await stack.parts.register.start();
    await caughtUp();
    await expectEqualToOwner();
  });

  it('gives a file from which the stream and the feed lead to exactly the database, also when it is killed meanwhile (X2)', async () => {
    const writers = startWriters();
    await applied(20);
    const asked = serviceCommand(stack, 'register', 'exports', 'run', 'tenders');
    await until('an export', async () => (await query('register', 'SELECT FROM export_run')).length > 0);
    await stack.parts.register.kill('SIGKILL');
    await stack.parts.register.start();
    await asked;
    await writers.end();
    await caughtUp();
    const api = `${stack.gatewayUrl}/api/2.5`;
    const manifest = ((await (await fetch(`${api}/exports/latest-tenders`)).json()) as Json).data;
    const [fromStream, fromFeed] = [new Map<string, string>(), new Map<string, string>()];
    for (const { url, bytes } of manifest.files) {
      const half = Math.floor(bytes / 2);
      const parts = await Promise.all(
        [`bytes=0-${half}`, `bytes=${half + 1}-`].map(async (range) => fetch(url, { headers: { range } })),
      );
      const file = await Promise.all(parts.map(async (part) => Buffer.from(await part.arrayBuffer())));
      for (const line of gunzipSync(Buffer.concat(file)).toString().trimEnd().split('\n')) {
        for (const copy of [fromStream, fromFeed]) copy.set(JSON.parse(line).id, line);
      }
    }
    expect(fromStream.size).toBe(manifest.lines);
    for (const tender of await walkExpanded(manifest.feed)) fromFeed.set(JSON.parse(tender).id, tender);
    const stream = await openClient(manifest.stream);
    const [last] = await query('register', 'SELECT position FROM follow');
    const end = String(last?.['position']);
    await until('the stream', async () => (stream.lastEventId ?? '').replace('.', '') >= end);
    stream.close();
    const ids = new Set(stream.frames.flatMap((frame) => /"id":"([0-9a-f]{32})"/.exec(frame)?.[1] ?? []));
    expect(ids.size).toBeGreaterThan(0);
    for (const id of ids)
      fromStream.set(id, (await (await fetch(`${api}/tenders/${id}`)).text()).slice('{"data":'.length, -1));
    const rows = await query<{ id: string; body: string }>('tenders', OWNER_VIEWS);
    const database = new Map(rows.map(({ id, body }) => [id, body.slice('{"data":'.length, -1)]));
    expect(fromFeed).toEqual(database);
    expect(fromStream).toEqual(database);
  });

  it('exports the lines that a walk of the whole feed with opt_expand gives, in its order (A46)', async () => {
    // Several pages, however few the writers of the tests above published.
    const PAGE = 10;
    for (let n = 0; n <= 2 * PAGE; n += 1) await publish(buyer, minimalTender({ mode: 'test' }));
    await caughtUp();
    const { lines } = await exported(stack, 'tenders');
    expect(lines.length).toBeGreaterThan(2 * PAGE);
    expect(await walkExpanded(`${stack.gatewayUrl}/api/2.5/tenders?mode=_all_&limit=${PAGE}`)).toEqual(lines);
  });

  it('begins again from nothing while writers run, and is killed meanwhile (A3, R4)', async () => {
    await stack.parts.register.kill('SIGKILL');
    await query('register', 'TRUNCATE follow, tender, tender_body, tender_words, revision, revision_text');
    const cut = 'SELECT stamp FROM tender_publication ORDER BY stamp OFFSET 50 LIMIT 1';
    await query('tenders', `DELETE FROM tender_publication WHERE stamp < (${cut})`);
    const writers = startWriters();
    for (let n = 0; n < 2; n += 1) {
      const started = stack.parts.register.start().catch(() => undefined);
      await until('the back-fill', async () => (await query('register', 'SELECT FROM follow')).length > 0);
      await stack.parts.register.kill('SIGKILL');
      await started;
    }
    await stack.parts.register.start();
    await writers.end();
    await caughtUp();
    const [follow] = await query('register', 'SELECT followed_from AS position FROM follow');
    await expectEqualToOwner(String(follow?.['position']));
    await expectVerified();
  });
});

/** The command of operators finds no difference. */
async function expectVerified(): Promise<void> {
  expect(await serviceCommand(stack, 'register', 'verify')).toContain('no difference');
}
