import { startStack, type Stack } from '@procurement/local-stack/stack';
import { deriveCommitment } from '@procurement/proof/commitments';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { broker, pauseBeforeRetry, until, type Broker } from '../support/broker.ts';
import {
  auditPublicLog,
  publishedRows,
  readCheckpoint,
  readEntries,
  readLog,
  watchCheckpoints,
} from '../support/public-log.ts';
import { publish } from '../support/published-tender.ts';
import { minimalTender } from '../support/request-bodies.ts';
import { verifyAndStop } from '../support/verified.ts';
import { openLink, type Link } from './ledger/proxy.ts';
import { openStore, type Store } from './ledger/store.ts';

const WRITERS = 6;

let stack: Stack;
let store: Store;
/** Between both processes of the ledger and PostgreSQL. */
let link: Link;
let buyer: Broker;
/** What ends, and how it comes back. */
let targets: readonly { kill(): Promise<void>; start(): Promise<void> }[];

beforeAll(async () => {
  [store, link] = await Promise.all([openStore(), openLink()]);
  stack = await startStack({
    durable: false,
    env: { LEDGER_INTERVAL_MS: '1000' },
    adjustEnv: (env) =>
      'LEDGER_STORE' in env ? { ...env, ...store.settings('LEDGER_STORE'), ...behindLink(env) } : env,
  });
  const replica = await stack.addReplica('ledger');
  const { ledger, postgres, nats, tenders } = stack.parts;
  const parts = [ledger, postgres, nats, tenders, replica].map(({ kill, start }) => ({
    kill: async () => kill('SIGKILL'),
    start,
  }));
  const connections = { kill: async () => link.become('cut'), start: async () => link.become('open') };
  targets = [...parts, store, connections];
  buyer = broker(stack.gatewayUrl, 'broker1', '2.5');
});

afterAll(async () => {
  try {
    await verifyAndStop(stack);
  } finally {
    link.close();
    await store.close();
  }
});

function behindLink({
  DATABASE_URL: address = '',
}: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const url = new URL(address);
  link.targets = [Number(url.port)];
  url.port = String(link.port);
  return { DATABASE_URL: url.href };
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

/** Waits until so many more leaves are shown. */
async function grown(more: number): Promise<void> {
  const size = async (): Promise<number | undefined> => (await readCheckpoint(stack).catch(() => undefined))?.size;
  const before = await until('a checkpoint', size);
  await until('the log to grow', async () => ((await size()) ?? 0) >= before + more, 180_000);
}

describe('the public log', () => {
  it('has every publication once, and one root for each size, whatever is killed under load (T10)', async () => {
    const writers = startWriters();
    await grown(10);
    const watched = watchCheckpoints(stack);
    // Once each; `npm run faults -- --only killed` goes on for as long as it is told to.
    for (const target of targets) {
      await target.kill();
      await target.start();
      await grown(5);
    }
    await writers.end();
    expect(await auditPublicLog(stack, watched)).toEqual([]);
    expect((await watched.end()).size).toBeGreaterThan(targets.length);
    await expectOpens();
  });
});

/** The blind that the log tells opens the commitment to the published text. */
async function expectOpens(): Promise<void> {
  const row = (await publishedRows(stack)).at(-1);
  if (row === undefined) throw new Error('nothing was published');
  const { leaves } = JSON.parse((await readLog(stack, `tenders/${row.id}`)).toString());
  const leaf = leaves.find((one: { position: string }) => one.position === row.position);
  const commit = deriveCommitment(Buffer.from(leaf.blind, 'hex'), Buffer.from(row.sha256, 'hex'));
  expect((await readEntries(stack))[leaf.index]).toMatchObject({ tender: row.id, commit });
}
