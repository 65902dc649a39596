import { spawnSync } from 'node:child_process';
import pg from 'pg';

const ACCOUNTS = 100_000;

export interface UpdateLoad {
  /** Updates per second, by all clients at once. */
  measureFor(seconds: number): Promise<number>;
  end(): Promise<void>;
}

/**
 * The "simple-update" of pgbench with prepared statements: updates one row, reads it and inserts a history row, in one durable
 * transaction; no two clients use the same row. The embedded PostgreSQL has no pgbench. pgbench itself is faster: 5,448/s where
 * these clients reach about 3,700/s (64 clients).
 */
export async function startUpdateLoad(databaseUrl: string, clients: number): Promise<UpdateLoad> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: clients });
  await pool.query(
    `CREATE TABLE bench_account AS SELECT n AS id, 0 AS balance FROM generate_series(1, ${ACCOUNTS}) AS n`,
  );
  await pool.query('ALTER TABLE bench_account ADD PRIMARY KEY (id)');
  await pool.query('CREATE TABLE bench_history (id int, delta int, at timestamptz)');
  const connected = await Promise.all(Array.from({ length: clients }, async () => pool.connect()));

  return {
    async measureFor(seconds) {
      const beganAt = performance.now();
      const counts = await Promise.all(
        connected.map(async (client, turn) => {
          let n = 0;
          for (; performance.now() < beganAt + seconds * 1_000; n += 1) {
            await runUpdate(client, ((turn + n * clients) % ACCOUNTS) + 1, n);
          }
          return n;
        }),
      );
      let all = 0;
      for (const count of counts) all += count;
      return (all / (performance.now() - beganAt)) * 1_000;
    },
    async end() {
      for (const client of connected) client.release();
      await pool.query('DROP TABLE IF EXISTS bench_account, bench_history');
      await pool.end();
    },
  };
}

async function runUpdate(client: pg.PoolClient, id: number, delta: number): Promise<void> {
  await client.query('BEGIN');
  const change = 'UPDATE bench_account SET balance = balance + $2 WHERE id = $1';
  await client.query({ name: 'update', text: change, values: [id, delta] });
  await client.query({ name: 'read', text: 'SELECT balance FROM bench_account WHERE id = $1', values: [id] });
  const insertHistory = 'INSERT INTO bench_history VALUES ($1, $2, now())';
  await client.query({ name: 'insert-history', text: insertHistory, values: [id, delta] });
  await client.query('COMMIT');
}

/** Transactions per second of `pgbench -N`; undefined when the machine has no pgbench. */
export function runPgbench(databaseUrl: string, clients: number, seconds: number): number | undefined {
  if (spawnSync('pgbench', ['-i', '-q', databaseUrl]).status !== 0) return undefined;
  const load = ['-N', '-n', '-M', 'prepared', '-c', String(clients), '-T', String(seconds)];
  const { stdout } = spawnSync('pgbench', [...load, databaseUrl], { encoding: 'utf8' });
  const rate = /tps = ([\d.]+)/.exec(stdout)?.[1];
  return rate === undefined ? undefined : Number(rate);
}
