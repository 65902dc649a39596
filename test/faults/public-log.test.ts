import { startStack, type Replica, type Stack } from '@procurement/local-stack/stack';
import { openCheckpoint, type Checkpoint } from '@procurement/proof/checkpoints';
import { commitmentOf } from '@procurement/proof/commitments';
import { parseEntry, type Entry } from '@procurement/proof/entries';
import { parseVkey, type Verifier } from '@procurement/proof/notes';
import { entriesOf, tilePath, TILE_WIDTH, tileWidth } from '@procurement/proof/tiles';
import { leafHash, rootOfLeaves } from '@procurement/proof/tree';

import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { broker, pauseBeforeRetry, until, type Broker } from '../support/broker.ts';
import { publish } from '../support/published-tender.ts';
import { minimalTender } from '../support/request-bodies.ts';
import { verifyAndStop } from '../support/verified.ts';

const WRITERS = 6;
const ROUNDS = 3;

let stack: Stack;
let replica: Replica;
let buyer: Broker;
let key: Verifier;

beforeAll(async () => {
  stack = await startStack({ durable: false, env: { LEDGER_INTERVAL_MS: '1000' } });
  replica = await stack.addReplica('ledger');
  buyer = broker(stack.gatewayUrl, 'broker1', '2.5');
  const parsed = parseVkey(stack.logVkey);
  if (parsed === undefined) throw new Error('no vkey');
  key = parsed;
});

afterAll(async () => {
  await verifyAndStop(stack);
});

async function read(path: string): Promise<Buffer> {
  const response = await fetch(`${stack.gatewayUrl}/log/${path}`);
  if (response.status !== 200) throw new Error(`/log/${path}: ${response.status}`);
  return Buffer.from(await response.arrayBuffer());
}

/** The newest checkpoint; its signature is checked. */
async function checkpoint(): Promise<Checkpoint> {
  const opened = openCheckpoint((await read('checkpoint')).toString(), [key]);
  if (opened === undefined) throw new Error('the checkpoint is not signed by the log');
  return opened.checkpoint;
}

/** All entries, which give the root of the checkpoint. */
async function entries({ size, root }: Checkpoint): Promise<readonly Entry[]> {
  const texts: Buffer[] = [];
  for (let index = 0; index * TILE_WIDTH < size; index += 1) {
    const width = tileWidth('entries', index, size);
    texts.push(...(entriesOf(await read(tilePath({ level: 'entries', index, width }))) ?? []));
  }
  expect(rootOfLeaves(texts.map((text) => leafHash(text)))).toEqual(root);
  return texts.map((text) => {
    const entry = parseEntry(text);
    if (entry === undefined) throw new Error(`no entry: ${text.toString()}`);
    return entry;
  });
}

/** Reads checkpoints all the time, as witnesses and readers do. */
function watchCheckpoints(): { end(): Promise<ReadonlyMap<number, ReadonlySet<string>>> } {
  const roots = new Map<number, Set<string>>();
  let isOver = false;
  async function watch(): Promise<void> {
    while (!isOver) {
      const seen = await checkpoint().catch(() => undefined);
      if (seen !== undefined) {
        const known = roots.get(seen.size) ?? new Set();
        roots.set(seen.size, known.add(seen.root.toString('hex')));
      }
      await pauseBeforeRetry();
    }
  }
  const watching = watch();
  return {
    async end() {
      isOver = true;
      await watching;
      return roots;
    },
  };
}

/** Writers that publish and change tenders until `end`. */
function startWriters(): { end(): Promise<void> } {
  let isOver = false;
  async function write(): Promise<void> {
    for (let n = 0; !isOver; n += 1) {
      try {
        const { path, tokenQuery } = await publish(buyer, minimalTender({ description: `tender ${n}`, mode: 'test' }));
        await buyer.patch(`${path}${tokenQuery}`, { description: `change ${n}` });
      } catch {
        await pauseBeforeRetry();
      }
    }
  }
  const writers = Array.from({ length: WRITERS }, write);
  return {
    async end() {
      isOver = true;
      await Promise.all(writers);
    },
  };
}

interface PublishedRow {
  readonly number: string;
  readonly position: string;
  readonly id: string;
  readonly rev: string;
  readonly sha256: string;
}

async function published(): Promise<readonly PublishedRow[]> {
  const client = new pg.Client({ connectionString: stack.databaseUrl('tenders') });
  await client.connect();
  try {
    const text = `SELECT number, stamp AS position, tender_id AS id, rev, encode(sha256, 'hex') AS sha256
      FROM tender_publication WHERE listed ORDER BY stamp`;
    return (await client.query<PublishedRow>(text)).rows;
  } finally {
    await client.end();
  }
}

/** Waits until so many more leaves are shown. */
async function grown(more: number): Promise<void> {
  const { size } = await checkpoint().catch(() => ({ size: 0 }));
  await until(
    'the log to grow',
    async () => (await checkpoint().catch(() => ({ size: 0 }))).size >= size + more,
    180_000,
  );
}

describe('the public log', () => {
  it('has every publication once, and one root for each size, whatever is killed under load (T10)', async () => {
    const writers = startWriters();
    await grown(10);
    const watched = watchCheckpoints();
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const name of ['ledger', 'postgres', 'nats', 'tenders'] as const) {
        await stack.parts[name].kill('SIGKILL');
        await stack.parts[name].start();
        await grown(5);
      }
      await replica.kill('SIGKILL');
      await replica.start();
      await grown(5);
    }
    await writers.end();
    const rows = await published();
    const last = rows.at(-1);
    await until('the log to have everything', async () => {
      const logged = await entries(await checkpoint());
      return logged.some((entry) => 'position' in entry && String(entry.position) === last?.position);
    });
    const roots = await watched.end();
    expect([...roots].filter(([, own]) => own.size > 1)).toEqual([]);
    expect(roots.size).toBeGreaterThan(ROUNDS);
    const logged = await entries(await checkpoint());
    const publications = logged.flatMap((entry) => (entry.kind === 'publication' ? [entry] : []));
    const first = publications[0]?.number ?? 0n;
    expect(
      publications.map(({ number, position, tender, rev }) => [String(number), String(position), tender, String(rev)]),
    ).toEqual(
      rows
        .filter(({ number }) => BigInt(number) >= first)
        .map(({ number, position, id, rev }) => [number, position, id, rev]),
    );
    // What was published before the first publication of the log is there as baselines.
    expect(logged.slice(0, -publications.length).every(({ kind }) => kind === 'baseline')).toBe(true);
    await expectOpens(rows.at(-1), logged);
  });
});

/** The blind that the log tells opens the commitment to the published text. */
async function expectOpens(row: PublishedRow | undefined, logged: readonly Entry[]): Promise<void> {
  if (row === undefined) throw new Error('nothing was published');
  const { leaves } = JSON.parse((await read(`tenders/${row.id}`)).toString());
  const leaf = leaves.find((one: { position: string }) => one.position === row.position);
  const commit = commitmentOf(Buffer.from(leaf.blind, 'hex'), Buffer.from(row.sha256, 'hex'));
  expect(logged[leaf.index]).toMatchObject({ tender: row.id, commit });
}
