import { SERVICES, type ServiceName } from '@procurement/local-stack/ports';
import { startStack, type Stack } from '@procurement/local-stack/stack';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { broker, patientBroker, until } from '../support/broker.ts';
import { inTurns } from '../support/in-turns.ts';
import { queryService } from '../support/hold-row.ts';
import { publish, TENDERER, type PublishedTender } from '../support/published-tender.ts';
import { minimalTender } from '../support/request-bodies.ts';
import { moveToNextCheck } from '../support/sandbox.ts';
import { verifyAndStop } from '../support/verified.ts';

const TENDERS = 240;
const WRITERS = 8;
/** A sequential scan of a table with fewer rows reads a page or two. */
const ROWS_MANY = 100;
/** All slots of a day are read to find a free one, and here all slots are of one day. */
const READ_WHOLE = ['auction.auction_slot'];
/** Scans of a table while about a thousand requests are made: some code looks for something once a minute. */
const SCANS_MAX = 5;

let stack: Stack;

beforeAll(async () => {
  stack = await startStack({ durable: false });
});

afterAll(async () => {
  await verifyAndStop(stack);
});

interface TableScans {
  readonly table: string;
  readonly rows: number;
  readonly scans: number;
}

/** Sequential scans of the large tables of all services. */
async function readScans(service: ServiceName): Promise<readonly TableScans[]> {
  const rows = await queryService<{ name: string; rows: number; scans: number }>(
    stack,
    service,
    'SELECT relname AS name, n_live_tup::int AS rows, seq_scan::int AS scans FROM pg_stat_user_tables',
  );
  return rows.map(({ name, ...counts }) => ({ table: `${service}.${name}`, ...counts }));
}

const allScans = async (): Promise<readonly TableScans[]> => (await Promise.all(SERVICES.map(readScans))).flat();

/** Waits until statistics have what was done, which each session tells within some seconds. Answers the scans so far. */
async function scansWith(what: string, tenders: number): Promise<readonly TableScans[]> {
  const readRowCount = async (table: string): Promise<number> =>
    (await allScans()).find((found) => found.table === table)?.rows ?? 0;
  await until(`the statistics of ${what}`, async () => (await readRowCount('tenders.tender')) >= tenders);
  await until(`the statistics of ${what}`, async () => (await readRowCount('register.tender')) >= tenders);
  return allScans();
}

// PostgreSQL keeps a plan after five executions, and there are no statistics before autovacuum comes by, up to a minute later: a plan
// from empty tables must be right for tables with rows (decision 0005).
it('reads no whole table for a write in the first minute of a new system', async () => {
  const buyer = patientBroker(stack.gatewayUrl, 'broker1', '2.5');
  const bidder = broker(stack.gatewayUrl, 'broker2', '2.5');
  const tenders: PublishedTender[] = [];
  const create = async (): Promise<void> => void tenders.push(await publish(buyer, minimalTender()));
  const change = async ({ path, tokenQuery }: PublishedTender): Promise<void> => {
    const { status } = await buyer.patch(path + tokenQuery, { description: 'changed' });
    expect(status).toBe(200);
  };
  const bid = async ({ id, path }: PublishedTender): Promise<void> => {
    await moveToNextCheck(buyer, id);
    for (const amount of [400, 410, 420]) {
      const { status } = await bidder.post(`${path}/bids`, { tenderers: [TENDERER], value: { amount } });
      expect(status).toBe(201);
    }
  };
  const each = Array.from({ length: TENDERS }, (_, n) => n);
  await inTurns(each, WRITERS, create);
  await inTurns(tenders, WRITERS, change);
  await inTurns(tenders.slice(0, TENDERS / 2), WRITERS, bid);
  const before = new Map((await scansWith('the first half', TENDERS)).map(({ table, scans }) => [table, scans]));
  await inTurns(each, WRITERS, create);
  const [earlier, later] = [tenders.slice(TENDERS / 2, TENDERS), tenders.slice(TENDERS)];
  await inTurns([...earlier, ...later], WRITERS, change);
  await inTurns(earlier, WRITERS, bid);
  const after = await scansWith('the second half', 2 * TENDERS);
  const scanned = after
    .map(({ table, rows, scans }) => ({ table, rows, scans: scans - (before.get(table) ?? 0) }))
    .filter(({ table, rows, scans }) => rows >= ROWS_MANY && scans > SCANS_MAX && !READ_WHOLE.includes(table));
  expect(scanned).toEqual([]);
});
