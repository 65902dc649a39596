import type pg from 'pg';

type Queryable = Pick<pg.Pool, 'query'>;

/** A request to another service whose answer is not there yet. */
export interface FlowWait {
  readonly flow: string;
  readonly id: string;
  /** Version of the state that the answer must have reached. */
  readonly version: number;
}

/** A wait whose time to ask again has come. */
export interface DueWait extends FlowWait {
  /** How often it was asked again, this time included. */
  readonly asked: number;
}

/** The waits of one flow that are older than a minute. */
export interface OverdueFlow {
  readonly flow: string;
  readonly waiting: number;
  readonly oldestSeconds: number;
}

/** Seconds before each repetition of a request; the last one repeats. 15 repetitions in the first hour. */
export const ASK_AGAIN_SECONDS: readonly number[] = [10, 30, 60, 120, 300];

/** A wait older than this is counted and reported. */
export const OVERDUE_SECONDS = 60;

const BEGIN = `INSERT INTO kit.flow_wait (flow, id, version, ask_at)
  SELECT *, now() + make_interval(secs => $4) FROM unnest($1::text[], $2::text[], $3::bigint[])
  ON CONFLICT (flow, id) DO UPDATE SET version = greatest(flow_wait.version, excluded.version)`;
const END = `DELETE FROM kit.flow_wait USING unnest($1::text[], $2::text[], $3::bigint[]) AS reached (flow, id, version)
  WHERE flow_wait.flow = reached.flow AND flow_wait.id = reached.id AND flow_wait.version <= reached.version`;
// `asked` is the number of repetitions before this one; lists of PostgreSQL begin with 1.
const TAKE_DUE = `UPDATE kit.flow_wait SET asked = asked + 1,
    ask_at = now() + make_interval(secs => ($2::float8[])[least(asked + 2, cardinality($2::float8[]))])
  WHERE (flow, id) IN (
    SELECT flow, id FROM kit.flow_wait WHERE ask_at <= now() AND flow = ANY($3::text[]) ORDER BY ask_at LIMIT $1
    FOR UPDATE SKIP LOCKED
  )
  RETURNING flow, id, version, asked`;
// Rows of all flows count as `any`, also of those that this release does not have.
const NEXT = `SELECT EXISTS (SELECT FROM kit.flow_wait) AS any,
    (SELECT extract(epoch FROM min(ask_at) - clock_timestamp()) * 1000 FROM kit.flow_wait WHERE flow = ANY($1::text[]))::float8 AS "dueInMs"`;
const OVERDUE = `SELECT flow, count(*)::int AS waiting,
    extract(epoch FROM now() - min(waiting_since))::float8 AS "oldestSeconds"
  FROM kit.flow_wait WHERE waiting_since < now() - make_interval(secs => $1) GROUP BY flow`;

/** Ends every wait of objects that are void. $1: their ids, which waits may have followed by `/` and a part. */
export const END_WAITS_OF_VOID = `DELETE FROM kit.flow_wait WHERE split_part(id, '/', 1) = ANY($1::text[])`;

/** Rows without duplicates, in one order, so that two transactions with the same rows cannot deadlock. */
function buildColumns(waits: readonly FlowWait[]): [string[], string[], number[]] {
  const byKey = new Map<string, FlowWait>();
  for (const wait of waits) {
    const key = `${wait.flow} ${wait.id}`;
    if ((byKey.get(key)?.version ?? -1) < wait.version) byKey.set(key, wait);
  }
  const rows = [...byKey.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, wait]) => wait);
  return [rows.map(({ flow }) => flow), rows.map(({ id }) => id), rows.map(({ version }) => version)];
}

/**
 * Records waits, in the transaction that stores the request. A wait that exists keeps its age and its next repetition, and
 * needs the greater version from now on.
 */
export async function beginWaits(tx: Queryable, waits: readonly FlowWait[]): Promise<void> {
  if (waits.length === 0) return;
  const [askAfterSeconds] = ASK_AGAIN_SECONDS;
  await tx.query({ name: 'flow-waits-begin', text: BEGIN, values: [...buildColumns(waits), askAfterSeconds] });
}

/** Ends waits that need no greater version than these. */
export async function endWaits(db: Queryable, reached: readonly FlowWait[]): Promise<void> {
  if (reached.length === 0) return;
  await db.query({ name: 'flow-waits-end', text: END, values: buildColumns(reached) });
}

/** Takes at most `max` due waits of these flows, and sets the time of their next repetition. Replicas share them. */
export async function takeDueWaits(db: Queryable, flows: readonly string[], max: number): Promise<readonly DueWait[]> {
  const { rows } = await db.query<Omit<DueWait, 'version'> & { readonly version: string }>({
    name: 'flow-waits-take',
    text: TAKE_DUE,
    values: [max, ASK_AGAIN_SECONDS, flows],
  });
  return rows.map((row) => ({ ...row, version: Number(row.version) }));
}

/** Whether there are waits, and milliseconds until the next of these flows has to be asked again; negative when that is over. */
export async function nextWait(
  db: Queryable,
  flows: readonly string[],
): Promise<{ readonly any: boolean; readonly dueInMs: number | undefined }> {
  const { rows } = await db.query<{ any: boolean; dueInMs: number | null }>({
    name: 'flow-waits-next',
    text: NEXT,
    values: [flows],
  });
  return { any: rows[0]?.any === true, dueInMs: rows[0]?.dueInMs ?? undefined };
}

/** The flows with waits older than a minute. */
export async function overdueFlows(db: Queryable): Promise<readonly OverdueFlow[]> {
  return (await db.query<OverdueFlow>({ name: 'flow-waits-overdue', text: OVERDUE, values: [OVERDUE_SECONDS] })).rows;
}
