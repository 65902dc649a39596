import { completeAudit, operatorAct } from '@procurement/kit/database/audit';
import { transact } from '@procurement/kit/database/transaction';
import { commandLine, RefusedCommandError, runCommandLine } from '@procurement/kit/runtime/command-line';
import { KEY_ID_BYTES } from '@procurement/kit/runtime/secret-box';
import type { Logger } from '@procurement/kit/runtime/log';
import type pg from 'pg';
import { z } from 'zod';
import type { BidBox, BidIdentity, SaltedText } from './bid-box.ts';
import { UnreadableBidError, type BidTexts } from './bid-texts.ts';
import { CLOSED_COLUMNS, ClosedRow, DELETED } from './bid.row.ts';
import { lockBiddingsExclusive } from './bidding-locks.ts';

export interface EncryptionDeps {
  readonly pool: pg.Pool;
  readonly log: Logger;
  /** Undefined without BIDS_KEYS. */
  readonly box: BidBox | undefined;
  readonly texts: BidTexts;
}

/** Bids of tenders that are not opened, and deleted bids of all tenders, in clear text. */
const IN_CLEAR = `(document IS NOT NULL AND (status = '${DELETED}' OR phase <> 'opened'))`;
// The id of the key is hex of a hash of our own.
const underOtherKeys = ({ keyId }: BidBox): string =>
  // A column that is null is under no key.
  `(${['sealed', 'closed'].map((name) => `coalesce(substring(${name} FOR ${KEY_ID_BYTES}) <> '\\x${keyId.toString('hex')}', false)`).join(' OR ')})`;

/**
 * The command `rekey`: encrypts the bids of tenders that are not opened under the first of BIDS_KEYS, also those that were stored with
 * SEAL_BIDS=off. Opened bids are public. Returns the exit code: 1 while another key is needed.
 */
export async function rekey(
  args: readonly string[],
  deps: EncryptionDeps,
  print: (line: string) => void,
): Promise<number> {
  const program = commandLine('node dist/main.js rekey', print)
    .description('encrypt the bids of unopened tenders under the first of BIDS_KEYS')
    .action(async () => {
      const { pool, log, box } = deps;
      if (box === undefined) throw new RefusedCommandError('BIDS_KEYS is not set');
      await completeAudit(pool, log, operatorAct('rekey'), { outcome: 'begun' });
      const { open, deleted } = await encryptAll({ ...deps, box });
      const line = `${open} rows of open tenders, ${deleted} rows of deleted bids under other keys`;
      if (open > 0) throw new RefusedCommandError(line);
      print(line);
    });
  return runCommandLine(program, args, print);
}

/** Counts the rows that are not encrypted under the first key after that. */
async function encryptAll(
  deps: EncryptionDeps & { readonly box: BidBox },
): Promise<{ readonly open: number; readonly deleted: number }> {
  const otherKeys = underOtherKeys(deps.box);
  // Deleted bids are never decrypted: without their key they are forgotten.
  await encryptRows(deps, `(${IN_CLEAR} OR status <> '${DELETED}' AND ${otherKeys})`);
  let [open, deleted] = [0, 0];
  for await (const rows of matchingRows(deps.pool, `(${IN_CLEAR} OR ${otherKeys})`))
    for (const { status } of rows)
      if (status === DELETED) deleted += 1;
      else open += 1;
  return { open, deleted };
}

/** Rows that one statement looks at: less than a second, however many there are. */
const LOOKED_AT_MAX = 1_000;
/** Rows of one transaction. It holds up bids of their tenders, and 50 of the largest need 50 MB. */
const ENCRYPTED_MAX = 50;

const Row = z.object({ id: z.string(), tenderId: z.string(), status: z.string() });
const LAST_ID = `SELECT max(id) AS last FROM (SELECT id FROM bid WHERE id > $1 ORDER BY id LIMIT ${LOOKED_AT_MAX}) AS page`;
const UPDATE = `UPDATE bid SET document = NULL, sealed = changed.sealed, closed = changed.closed
  FROM unnest($1::text[], $2::bytea[], $3::bytea[]) AS changed (id, sealed, closed) WHERE bid.id = changed.id`;

/** The rows for which a condition holds, in the order of their ids. */
async function* matchingRows(pool: pg.Pool, condition: string): AsyncGenerator<readonly z.infer<typeof Row>[]> {
  const select = `SELECT id, tender_id AS "tenderId", status FROM bid JOIN bidding USING (tender_id)
    WHERE id > $1 AND id <= $2 AND ${condition} ORDER BY id`;
  for (let after = ''; ;) {
    const last = (await pool.query<{ last: string | null }>(LAST_ID, [after])).rows[0]?.last ?? undefined;
    if (last === undefined) return;
    yield z.array(Row).parse((await pool.query(select, [after, last])).rows);
    after = last;
  }
}

/** Encrypts the rows under the first key. A row that cannot be decrypted stays. */
async function encryptRows(
  { pool, box, texts }: EncryptionDeps & { readonly box: BidBox },
  condition: string,
): Promise<void> {
  // Read again under the locks: a bid may have been changed, opened or encrypted meanwhile.
  const selectTexts = `SELECT ${CLOSED_COLUMNS} FROM bid JOIN bidding USING (tender_id) WHERE id = ANY($1::text[]) AND ${condition}`;
  for await (const found of matchingRows(pool, condition)) {
    for (let n = 0; n < found.length; n += ENCRYPTED_MAX) {
      const chosen = found.slice(n, n + ENCRYPTED_MAX);
      await transact(pool, async (tx) => {
        await lockBiddingsExclusive(
          tx,
          chosen.map(({ tenderId }) => tenderId),
        );
        const { rows } = await tx.query(selectTexts, [chosen.map(({ id }) => id)]);
        const changed = z
          .array(ClosedRow)
          .parse(rows)
          .flatMap((row) => encryptIfPossible(texts, box, row) ?? []);
        const columns = (['id', 'sealed', 'closed'] as const).map((name) => changed.map((row) => row[name]));
        await tx.query(UPDATE, columns);
      });
    }
  }
}

/** Undefined: a text cannot be decrypted, which was logged. */
function encryptIfPossible(
  texts: BidTexts,
  box: BidBox,
  { closed, closedVersion, ...row }: z.infer<typeof ClosedRow>,
): { readonly id: string; readonly sealed: Buffer; readonly closed: Buffer | null } | undefined {
  const { id, tenderId } = row;
  const again = (bid: BidIdentity, { text, salt }: SaltedText) => box.seal(bid, text, salt);
  const version = closedVersion ?? row.version;
  try {
    const sealed = again(row, texts.close(row));
    if (closed === null) return { id, sealed, closed };
    return {
      id,
      sealed,
      closed: again({ id, tenderId, version }, texts.readSealed({ id, tenderId, version }, closed)),
    };
  } catch (error) {
    if (!(error instanceof UnreadableBidError)) throw error;
    return undefined;
  }
}
