import { userInfo } from 'node:os';
import type pg from 'pg';
import type { Logger } from '../runtime/log.ts';
import { secureIds, sha256Hex } from '../runtime/ids.ts';
import { namedStatement } from './named-statement.ts';

/** What a privileged caller or an operator does, made once for each request or command (decision 0071). */
export interface AuditAct {
  /** UUID. One act may change several objects. */
  readonly id: string;
  /** Name of the API key, or of the operator's account. */
  readonly actor: string;
  /** Group of the API key; `operator` for a command. */
  readonly group: string;
  /** HTTP method; `COMMAND` for a command. */
  readonly method: string;
  /** Route with the names of its parameters, or the command. */
  readonly route: string;
  /** Ids in the path, by parameter; arguments of a command. */
  readonly objects: Readonly<Record<string, string>>;
  readonly requestId: string;
}

/** One object that an act has changed. */
export interface AuditedChange {
  readonly id: string;
  /** The stored text or bytes before; absent for a new object. */
  readonly before?: string | Uint8Array | undefined;
  /** The same after; absent for a removed object. */
  readonly after?: string | Uint8Array | undefined;
}

/**
 * `changed`: written with the change. `answered`: answered without a change that has a document. `read`: a read of what may be
 * sealed. `refused`: changed nothing. `begun`: a command, before its first effect.
 */
export type AuditOutcome = 'changed' | 'answered' | 'read' | 'refused' | 'begun';

/** A row of the table `audit`. Hashes are SHA-256 in hex. */
export interface AuditRow extends Omit<AuditAct, 'id' | 'objects'> {
  /** A bigint, which pg reads as text. */
  readonly number: string;
  readonly act: string;
  readonly at: Date;
  /** JSON text of the ids. */
  readonly objects: string;
  readonly outcome: string;
  /** Status of the answer; null in rows that were written before it. */
  readonly status: number | null;
  readonly beforeHash: string | null;
  readonly afterHash: string | null;
}

const COLUMNS = `id AS number, act, at, actor, actor_group AS "group", method, route, objects, request_id AS "requestId", outcome,
  status, before_hash AS "beforeHash", after_hash AS "afterHash"`;
const INSERT =
  'INSERT INTO kit.audit (act, actor, actor_group, method, route, objects, request_id, outcome, status, before_hash, after_hash)';
const ACT = `:id::uuid, :actor::text, :group::text, :method::text, :route::text, :objects::text, :requestId::text, :outcome::text,
  :status::int`;
const APPEND = namedStatement(`${INSERT} VALUES (${ACT}, :beforeHash, :afterHash) RETURNING ${COLUMNS}`);
// The rows that the act has left, or a new one when it has left none.
const COMPLETE = namedStatement(`WITH stored AS (SELECT ${COLUMNS} FROM kit.audit WHERE act = :id::uuid),
  added AS (${INSERT} SELECT ${ACT}, NULL, NULL WHERE NOT EXISTS (SELECT FROM stored) RETURNING ${COLUMNS})
  SELECT * FROM stored UNION ALL SELECT * FROM added`);
const LIST = `SELECT ${COLUMNS} FROM kit.audit WHERE id > $1::bigint AND at >= $2::timestamptz ORDER BY id LIMIT 500`;

/** Writes a change of an act, in the transaction that makes it. Returns the row. */
export async function appendAudit(
  tx: Pick<pg.PoolClient, 'query'>,
  act: AuditAct,
  { id, before, after }: AuditedChange,
): Promise<readonly AuditRow[]> {
  const [beforeHash, afterHash] = [before, after].map((text) => (text === undefined ? null : sha256Hex(text)));
  const objects = JSON.stringify({ ...act.objects, changed: id });
  const statement = APPEND({ ...act, objects, outcome: 'changed', status: null, beforeHash, afterHash });
  return (await tx.query<AuditRow>({ name: 'audit-append', ...statement })).rows;
}

/**
 * The text that is stored now, for its hash: what a row is read into may order members anew. `sql` selects it as `text` by the id
 * of its object. Undefined for a new object.
 */
export async function readStoredText<T extends string | Uint8Array = string>(
  tx: Pick<pg.PoolClient, 'query'>,
  sql: string,
  id: string,
): Promise<T | undefined> {
  return (await tx.query<{ text: T }>(sql, [id])).rows[0]?.text;
}

/** Writes how an act ended, unless its changes have been written, and logs one line for each of its rows. */
export async function completeAudit(
  pool: Pick<pg.Pool, 'query'>,
  log: Logger,
  act: AuditAct,
  ending: { readonly outcome: AuditOutcome; readonly status?: number },
): Promise<void> {
  const { outcome, status } = ending;
  const statement = COMPLETE({ ...act, objects: JSON.stringify(act.objects), outcome, status });
  const { rows } = await pool.query<AuditRow>({ name: 'audit-complete', ...statement });
  logAudit(log, rows, ending.status);
}

/** One line for each row, also where the service logs errors only. `status`: of the answer. */
export function logAudit(log: Logger, rows: readonly AuditRow[], status?: number): void {
  const auditLog = log.child({}, { level: 'info' });
  for (const row of rows) auditLog.info({ audit: row, status }, 'audit');
}

/** The act of an operator who runs a command on this machine. `command`: its words without secrets. */
export function operatorAct(command: string, objects: Readonly<Record<string, string>> = {}): AuditAct {
  const id = secureIds.nextUuid();
  return {
    id,
    actor: accountName(),
    group: 'operator',
    method: 'COMMAND',
    route: command,
    objects,
    requestId: `cmd-${id}`,
  };
}

/** Containers may run under a user id without a name. */
function accountName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? ''}`;
  }
}

/** Rows since an instant (ISO time), oldest first, in pages. */
export async function* listAudit(pool: pg.Pool, since: string): AsyncGenerator<AuditRow> {
  let last = '0';
  for (;;) {
    const { rows } = await pool.query<AuditRow>(LIST, [last, since]);
    yield* rows;
    const next = rows.at(-1)?.number;
    if (next === undefined) return;
    last = next;
  }
}
