import type { Stack } from '@procurement/local-stack/stack';
import autocannon, { type Result } from 'autocannon';
import pg from 'pg';
import { broker } from '../support/broker.ts';
import { toNextCheck } from '../support/sandbox.ts';
import { publish, TENDERER } from '../support/tender-file.ts';
import { plainTender } from '../support/tender.ts';
import type { Row } from './row.ts';

const SECONDS = 6;
const WRITERS = 16;
const BIDDERS = 64;
const TENDERS = 8;

/** Bids through the gateway, durable and settled into the view, against plain updates on the same server. */
export async function bidRows(stack: Stack): Promise<Row[]> {
  const buyer = broker(stack.gatewayUrl, 'broker1', '2.5');
  const paths: string[] = [];
  for (let n = 0; n < TENDERS; n += 1) {
    const { id, path } = await publish(buyer, plainTender());
    await toNextCheck(buyer, id);
    paths.push(`${path}/bids`);
  }
  const bids = await post(stack.gatewayUrl, paths);
  const updates = await updatesPerSecond(stack);
  const { p50, p99 } = bids.latency;
  const perSecond = bids.requests.average;
  return [
    {
      what: 'POST a bid, settled, against plain updates of the same server',
      ratio: perSecond / updates,
      atLeast: 0.25,
      figures: `${Math.round(perSecond)}/s of ${Math.round(updates)}/s, ${BIDDERS} bidders`,
    },
    {
      what: 'POST a bid, p99 over p50',
      ratio: p99 / p50,
      atMost: 10,
      figures: `p50 ${p50} ms, p99 ${p99} ms`,
    },
  ];
}

/** A client that costs little, so that the service is what is measured. */
async function post(url: string, paths: readonly string[]): Promise<Result> {
  const headers = {
    authorization: `Basic ${Buffer.from('broker2:').toString('base64')}`,
    'content-type': 'application/json',
  };
  const body = JSON.stringify({ data: { tenderers: [TENDERER], value: { amount: 400 } } });
  const requests = paths.map((path) => ({ method: 'POST' as const, path: `/api/2.5${path}`, headers, body }));
  const wish = { url, connections: BIDDERS, requests };
  await autocannon({ ...wish, duration: 2 });
  const result = await autocannon({ ...wish, duration: SECONDS });
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${result.non2xx + result.errors} bids were not taken`);
  return result;
}

/** Runs the act again and again in so many turns at once, for some seconds. Gives acts per second. */
async function during(turns: number, act: (turn: number, n: number) => Promise<void>): Promise<number> {
  const end = performance.now() + SECONDS * 1_000;
  let count = 0;
  await Promise.all(
    Array.from({ length: turns }, async (_, turn) => {
      for (let n = 0; performance.now() < end; n += 1) {
        await act(turn, n);
        count += 1;
      }
    }),
  );
  return count / SECONDS;
}

const ACCOUNTS = 100_000;

/** What pgbench calls simple-update: one row changed, read and told of, in one durable transaction. */
async function updatesPerSecond(stack: Stack): Promise<number> {
  const pool = new pg.Pool({ connectionString: stack.databaseUrl('bids'), max: WRITERS });
  try {
    await pool.query(
      `CREATE TABLE bench_account AS SELECT n AS id, 0 AS balance FROM generate_series(1, ${ACCOUNTS}) AS n`,
    );
    await pool.query('ALTER TABLE bench_account ADD PRIMARY KEY (id)');
    await pool.query('CREATE TABLE bench_history (id int, delta int, at timestamptz)');
    const clients = await Promise.all(Array.from({ length: WRITERS }, async () => pool.connect()));
    const perSecond = await during(WRITERS, async (turn, n) => {
      // As many clients as turns.
      const client = clients[turn] as pg.PoolClient;
      const values = [((turn + n * WRITERS) % ACCOUNTS) + 1, n];
      await client.query('BEGIN');
      await client.query({
        name: 'update',
        text: 'UPDATE bench_account SET balance = balance + $2 WHERE id = $1',
        values,
      });
      await client.query({
        name: 'read',
        text: 'SELECT balance FROM bench_account WHERE id = $1',
        values: [values[0]],
      });
      await client.query({ name: 'tell', text: 'INSERT INTO bench_history VALUES ($1, $2, now())', values });
      await client.query('COMMIT');
    });
    for (const client of clients) client.release();
    return perSecond;
  } finally {
    await pool.query('DROP TABLE IF EXISTS bench_account, bench_history');
    await pool.end();
  }
}
