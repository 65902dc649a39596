import pg from 'pg';
import type { ServiceName } from '../ports.ts';
import { comparisons, passingStates, type Comparison, type KeyedRows, type PassingState } from './comparisons.ts';

/** One row that differs, or that stays although it must go away. Without `copy`: the copy lacks it; without `owner`: it should not be. */
export interface Difference {
  readonly name: string;
  readonly key: string;
  readonly owner?: string | undefined;
  readonly copy?: string | undefined;
}

export interface VerifyOptions {
  readonly databaseUrl: (service: ServiceName) => string;
  /** How long differences may take to go away while events are applied. */
  readonly waitMs: number;
  /** Called with the name and the number of rows after the first reading of each comparison. */
  readonly onRead?: (name: string, rows: number) => void;
}

/** Differences that are kept of one comparison: further ones add nothing to the report. */
const DIFFERENCES_MAX = 1_000;
const FETCH_ROWS = 5_000;
const POLL_MS = 200;

type Pools = Readonly<Record<ServiceName, pg.Pool>>;

/** A comparison in work: how to read its differing keys again. */
interface OpenCheck {
  readonly name: string;
  /** Reads these keys again and returns those that still differ. */
  again(differences: readonly Difference[]): Promise<readonly Difference[]>;
  differences: readonly Difference[];
}

/**
 * Compares all copies with their owners while the system runs. A row that differs is read again until the copy has reached a
 * value that the owner had since the first reading, or the time is over. Returns what is left. Only reads.
 */
export async function verify({ databaseUrl, waitMs, onRead }: VerifyOptions): Promise<readonly Difference[]> {
  const pools: Pools = {
    tenders: openPool(databaseUrl('tenders')),
    bids: openPool(databaseUrl('bids')),
    awards: openPool(databaseUrl('awards')),
    documents: openPool(databaseUrl('documents')),
    auction: openPool(databaseUrl('auction')),
    register: openPool(databaseUrl('register')),
    ledger: openPool(databaseUrl('ledger')),
    gateway: openPool(databaseUrl('gateway')),
  };
  try {
    let open: readonly OpenCheck[] = [];
    for (const comparison of comparisons) open = [...open, await readComparison(pools, comparison, onRead)];
    for (const state of passingStates) open = [...open, await readState(pools, state)];
    const endMs = performance.now() + waitMs;
    for (;;) {
      open = open.filter(({ differences }) => differences.length > 0);
      if (open.length === 0 || performance.now() > endMs) return open.flatMap(({ differences }) => differences);
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      for (const check of open) check.differences = await check.again(check.differences);
    }
  } finally {
    await Promise.all(Object.values(pools).map(async (pool) => pool.end()));
  }
}

/** A comparison reads the owner and the copy at the same time, which may be tables of one database. */
function openPool(connectionString: string): pg.Pool {
  const pool = new pg.Pool({ connectionString, max: 2, connectionTimeoutMillis: 10_000 });
  // A server that ends closes idle connections, which without a listener would end this process.
  pool.on('error', () => undefined);
  return pool;
}

async function readComparison(
  pools: Pools,
  comparison: Comparison,
  onRead: VerifyOptions['onRead'],
): Promise<OpenCheck> {
  const { name, owner, copy, ownerRowsOnly } = comparison;
  const differences: Difference[] = [];
  const rows = await mergeRows(pools, comparison, (difference) => {
    if (difference.owner === undefined && ownerRowsOnly === true) return;
    if (differences.length < DIFFERENCES_MAX) differences.push({ name, ...difference });
  });
  onRead?.(name, rows);
  const ownerValues = new Map(differences.map(({ key, owner: value }) => [key, new Set([value])]));
  return {
    name,
    differences,
    async again(left) {
      const keys = left.map(({ key }) => key);
      const [owned, copied] = [await readKeys(pools, owner, keys), await readKeys(pools, copy, keys)];
      return keys.flatMap((key) => {
        const value = copied.get(key);
        const isReached = ownerValues.get(key)?.add(owned.get(key)).has(value) === true;
        const isExtra = ownerRowsOnly === true && !owned.has(key);
        return isReached || isExtra ? [] : [{ name, key, owner: owned.get(key), copy: value }];
      });
    },
  };
}

async function readState(pools: Pools, { name, rows }: PassingState): Promise<OpenCheck> {
  const toDifference = ([key, copy]: readonly [string, string]): Difference => ({ name, key, copy });
  const sql = `SELECT key, value FROM (${rows.sql}) AS one LIMIT ${DIFFERENCES_MAX}`;
  const found = (await pools[rows.service].query<Row>(sql)).rows;
  return {
    name,
    differences: found.map(({ key, value }) => toDifference([key, value])),
    async again(left) {
      const keys = left.map(({ key }) => key);
      return [...(await readKeys(pools, rows, keys))].map(toDifference);
    },
  };
}

interface Row {
  readonly key: string;
  readonly value: string;
}

async function readKeys(
  pools: Pools,
  { service, sql }: KeyedRows,
  keys: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const text = `SELECT key, value FROM (${sql}) AS one WHERE key = ANY($1::text[])`;
  const { rows } = await pools[service].query<Row>(text, [keys]);
  return new Map(rows.map(({ key, value }) => [key, value]));
}

/** Reads both sides once, in the order of their keys, and reports each key whose values differ. Returns the rows of the owner. */
async function mergeRows(
  pools: Pools,
  { owner, copy }: Comparison,
  report: (difference: Omit<Difference, 'name'>) => void,
): Promise<number> {
  const [owned, copied] = [sortedRows(pools, owner), sortedRows(pools, copy)];
  try {
    let [left, right] = [await readNext(owned), await readNext(copied)];
    let rows = 0;
    while (left !== undefined || right !== undefined) {
      const order = compareKeys(left, right);
      if (order !== 0 || left?.value !== right?.value) {
        const key = (order > 0 ? right?.key : left?.key) ?? '';
        report({ key, owner: order > 0 ? undefined : left?.value, copy: order < 0 ? undefined : right?.value });
      }
      if (order <= 0) rows += 1;
      if (order <= 0) left = await readNext(owned);
      if (order >= 0) right = await readNext(copied);
    }
    return rows;
  } finally {
    await Promise.all([owned.return(undefined), copied.return(undefined)]);
  }
}

/** Less than 0: the left row comes first, or only it is there. */
function compareKeys(left: Row | undefined, right: Row | undefined): number {
  if (left === undefined) return 1;
  if (right === undefined || left.key < right.key) return -1;
  return left.key === right.key ? 0 : 1;
}

async function readNext(rows: AsyncGenerator<Row, void>): Promise<Row | undefined> {
  const { value } = await rows.next();
  return value ?? undefined;
}

/** The rows in the order of the bytes of their keys, by a cursor: a table may be larger than the memory. */
async function* sortedRows(pools: Pools, { service, sql }: KeyedRows): AsyncGenerator<Row, void> {
  const client = await pools[service].connect();
  try {
    await client.query('BEGIN READ ONLY');
    const ordered = `SELECT key, value FROM (${sql}) AS one ORDER BY key COLLATE "C"`;
    await client.query(`DECLARE sorted NO SCROLL CURSOR FOR ${ordered}`);
    for (;;) {
      const { rows } = await client.query<Row>(`FETCH ${FETCH_ROWS} FROM sorted`);
      if (rows.length === 0) return;
      yield* rows;
    }
  } finally {
    // Ends the transaction, and the cursor with it.
    await client.query('ROLLBACK').catch(() => undefined);
    client.release();
  }
}

/** One line for a difference. */
export function describeDifference({ name, key, owner, copy }: Difference): string {
  if (copy === undefined) return `${name}: ${key} is missing (${owner})`;
  if (owner === undefined) return `${name}: ${key} should not be there (${copy})`;
  return `${name}: ${key} is ${copy}, and its owner has ${owner}`;
}
