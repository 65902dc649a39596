import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startStack, type Stack } from '@procurement/local-stack/stack';
import { waitFor } from '@procurement/testing/wait-for';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { broker, until, type Broker, type Json } from '../support/broker.ts';
import { publish, TENDERER, type PublishedTender } from '../support/published-tender.ts';
import { isoInSeconds, minimalTender } from '../support/request-bodies.ts';
import { verifyAndStop } from '../support/verified.ts';

const SERVICES = ['tenders', 'awards', 'documents', 'auction', 'gateway'] as const;
const POST_COUNT = 500;
/**
 * Seconds of the tendering period, and digits that occur only in the amounts of its bids. The next one is tried where a slow machine
 * gets no two bids into the period, which `expectSealed` compares.
 */
const ATTEMPTS: readonly Attempt[] = [
  { tenderingSeconds: 7, secretAmount: '271.828' },
  { tenderingSeconds: 30, secretAmount: '314.159' },
  { tenderingSeconds: 90, secretAmount: '161.803' },
];

interface Attempt {
  readonly tenderingSeconds: number;
  readonly secretAmount: string;
}

let dataDir: string;
let stack: Stack;

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'procurement-closing-'));
  stack = await startStack({ durable: false, dataDir, env: { LOG_LEVEL: 'trace' } });
});

afterAll(async () => {
  await verifyAndStop(stack);
  rmSync(dataDir, { recursive: true, force: true });
});

interface PostResults {
  readonly acknowledged: { readonly id: string; readonly date: string; readonly token: string }[];
  refused: number;
  /** No answer: the bid may exist or not. */
  uncertain: number;
}

/** Posts bids from 3 s before the end to 1 s after it, in turns through several gateways. */
async function postBidsAround(
  gateways: readonly Broker[],
  tender: PublishedTender,
  endMs: number,
  secretAmount: string,
): Promise<PostResults> {
  const posted: PostResults = { acknowledged: [], refused: 0, uncertain: 0 };
  const beginMs = endMs - 3_000;
  const post = async (n: number): Promise<void> => {
    const bid = { tenderers: [TENDERER], value: { amount: Number(`${secretAmount}${n + 1_000}`) } };
    try {
      // The remainder is an index of the list.
      const gateway = gateways[n % gateways.length] as Broker;
      const { status, body } = await gateway.post(`${tender.path}/bids`, bid);
      if (status === 201) posted.acknowledged.push({ ...body.data, token: body.access.token });
      else if (status >= 500) posted.uncertain += 1;
      else posted.refused += 1;
    } catch {
      posted.uncertain += 1;
    }
  };
  const pending: Promise<void>[] = [];
  for (let n = 0; n < POST_COUNT; n += 1) {
    await waitUntilTime(beginMs + (n * 4_000) / POST_COUNT);
    pending.push(post(n));
  }
  await Promise.all(pending);
  // A system that is overloaded answers 503 at the end.
  for (let n = POST_COUNT; posted.refused === 0; n += 1) await post(n);
  return posted;
}

interface Closing {
  readonly tender: PublishedTender;
  readonly endMs: number;
  readonly posted: PostResults;
  readonly secretAmount: string;
}

/**
 * Publishes a tender, posts bids around its end through two processes of bids, and kills one of them just before it. Undefined when the
 * tender is refused, because its enquiries have ended before it is read.
 */
async function closeDuringBids(
  buyer: Broker,
  { tenderingSeconds, secretAmount }: Attempt,
  { hasAuction }: { readonly hasAuction: boolean },
): Promise<Closing | undefined> {
  const second = await stack.addReplica('bids');
  const secondGateway = await stack.addReplica('gateway', { BIDS_URL: second.url });
  const tender = await publish(
    buyer,
    minimalTender({
      enquiryPeriod: { endDate: isoInSeconds(tenderingSeconds / 5) },
      tenderPeriod: { endDate: isoInSeconds(tenderingSeconds) },
      ...(hasAuction ? {} : { minimalStep: undefined }),
    }),
    { hasAuction },
  ).catch(() => undefined);
  if (tender === undefined) return undefined;
  const endMs = Date.parse(tender.data.tenderPeriod.endDate);
  await until('tendering', async () => (await buyer.get(tender.path)).body.data.status !== 'active.enquiries');
  const gateways = [broker(stack.gatewayUrl, 'broker2', '2.5'), broker(secondGateway.url, 'broker3', '2.5')];
  const killing = waitUntilTime(endMs - 400).then(async () => second.kill('SIGKILL'));
  const posted = await postBidsAround(gateways, tender, endMs, secretAmount);
  await killing;
  return { tender, endMs, posted, secretAmount };
}

/** Waits for an instant of real time. */
async function waitUntilTime(atMs: number): Promise<void> {
  // The longest tendering period is above the default.
  await waitFor(() => Date.now() >= atMs, { what: `the time ${atMs}`, intervalMs: 1, timeoutMs: 240_000 });
}

async function queryRows(service: (typeof SERVICES)[number] | 'bids', query: string): Promise<Json[]> {
  const client = new pg.Client({ connectionString: stack.databaseUrl(service) });
  await client.connect();
  try {
    return (await client.query(query)).rows;
  } finally {
    await client.end();
  }
}

/** Every row of every table of a service, as text. */
async function dumpDatabase(service: (typeof SERVICES)[number]): Promise<string> {
  const tables = await queryRows(
    service,
    `SELECT concat_ws('.', quote_ident(schemaname), quote_ident(tablename)) AS name FROM pg_tables WHERE schemaname IN ('public', 'kit')`,
  );
  const texts = await Promise.all(
    tables.map(async ({ name }) =>
      (await queryRows(service, `SELECT one::text AS row FROM ${name} AS one`)).map((one) => one.row),
    ),
  );
  return texts.flat().join('\n');
}

describe('closing a tender while bids arrive (architecture.md, handshake 1)', () => {
  const buyer = (): Broker => broker(stack.gatewayUrl, 'broker1', '2.5');

  async function closed(kind: { readonly hasAuction: boolean }, status: string): Promise<Closing> {
    let closing: Closing | undefined;
    for (const attempt of ATTEMPTS)
      if ((closing?.posted.acknowledged.length ?? 0) < 2) closing = await closeDuringBids(buyer(), attempt, kind);
    if (closing === undefined) throw new Error('no attempt');
    const { path } = closing.tender;
    await until(`${status} after tendering`, async () => (await buyer().get(path)).body.data.status === status);
    return closing;
  }

  function expectNoneLost({ endMs, posted }: Closing, participants: readonly Json[]): void {
    const set = new Set<string>(participants.map((bid: Json) => bid.id));
    expect(posted.acknowledged.length).toBeGreaterThan(1);
    expect(posted.refused).toBeGreaterThan(0);
    expect(posted.acknowledged.filter((bid) => !set.has(bid.id))).toEqual([]);
    expect(set.size - posted.acknowledged.length).toBeLessThanOrEqual(posted.uncertain);
    expect(posted.acknowledged.filter((bid) => Date.parse(bid.date) > endMs)).toEqual([]);
  }

  it('seals every acknowledged bid, accepts none after the end, and shows no amount before the opening', async () => {
    const closing = await closed({ hasAuction: true }, 'active.auction');
    const [{ bids: sealed }] = await queryRows(
      'tenders',
      `SELECT private_state::json #> '{bidding,bids}' AS bids FROM tender WHERE id = '${closing.tender.id}'`,
    );
    expectNoneLost(closing, sealed);
    await expectSealed(closing);
  });

  it('opens every acknowledged bid at once, without auction, and awards the lowest (contracting.md 11)', async () => {
    const closing = await closed({ hasAuction: false }, 'active.qualification');
    const { bids, awards, auctionPeriod } = (await buyer().get(closing.tender.path)).body.data;
    expectNoneLost(closing, bids);
    const lowest = Math.min(...bids.map(({ value }: Json) => value.amount));
    expect([awards.map(({ value }: Json) => value.amount), auctionPeriod]).toEqual([[lowest], undefined]);
  });
});

/** Reads every API path and every database except that of bids, as every caller except the owners of the bids. */
async function expectSealed({ tender, posted: { acknowledged }, secretAmount }: Closing): Promise<void> {
  const [first, other] = acknowledged;
  const paths = [tender.path, `${tender.path}/bids`, `/tenders?mode=_all_&opt_fields=bids,value,lots,numberOfBids`];
  for (const bid of [first, other]) paths.push(`${tender.path}/bids/${bid?.id}`);
  const readers = [undefined, 'broker1', 'broker2', 'broker3', 'administrator', 'chronograph', 'reviewer', 'bot'];
  for (const key of readers) {
    for (const path of paths) {
      // The token of one bid gives access to that bid only.
      for (const token of ['', other?.token ?? '', tender.token]) {
        if (token === other?.token && path.endsWith(other.id)) continue;
        const headers = token === '' ? {} : { 'x-access-token': token };
        const answer = await broker(stack.gatewayUrl, key, '2.5').get(path, { headers });
        expect(answer.text, `${key} ${path}`).not.toContain(secretAmount);
      }
    }
  }
  for (const service of SERVICES) expect(await dumpDatabase(service), service).not.toContain(secretAmount);
  const events = await queryRows('bids', 'SELECT envelope FROM kit.outbox');
  expect(events.map((one) => one.envelope).join('\n')).not.toContain(secretAmount);
  for (const file of readdirSync(join(dataDir, 'logs'))) {
    expect(readFileSync(join(dataDir, 'logs', file), 'utf8').includes(secretAmount), file).toBe(false);
  }
}
