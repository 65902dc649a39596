import { completeAudit, operatorAct } from '@procurement/kit/database/audit';
import { transact } from '@procurement/kit/database/transaction';
import type { Logger } from '@procurement/kit/runtime/log';
import type pg from 'pg';
import { z } from 'zod';
import { KEY_ID_BYTES, type BidBox } from './bid-box.ts';
import { UnreadableBidError, type BidTexts } from './bid-texts.ts';
import { DELETED } from './bid.row.ts';
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
  `(sealed IS NOT NULL AND substring(sealed FOR ${KEY_ID_BYTES}) <> '\\x${keyId.toString('hex')}')`;

/**
 * The command `rekey`: encrypts the bids of tenders that are not opened under the first of BIDS_KEYS, also those that were stored with
 * SEAL_BIDS=off. Opened bids are public.
 */
export async function rekey(
  args: readonly string[],
  deps: EncryptionDeps,
  print: (line: string) => void,
): Promise<number> {
  const { pool, box } = deps;
  if (args.length > 0) return refuse(print, 'usage: rekey', 2);
  if (box === undefined) return refuse(print, 'BIDS_KEYS is not set', 1);
  await begin(deps, 'rekey');
  const otherKeys = underOtherKeys(box);
  // Deleted bids are never decrypted: without their key they are forgotten.
  for await (const _ids of encryptRows({ ...deps, box }, `(${IN_CLEAR} OR status <> '${DELETED}' AND ${otherKeys})`));
  let [open, deleted] = [0, 0];
  for await (const rows of matchingRows(pool, `(${IN_CLEAR} OR ${otherKeys})`))
    for (const { status } of rows)
      if (status === DELETED) deleted += 1;
      else open += 1;
  print(`${open} rows of open tenders, ${deleted} rows of deleted bids under other keys`);
  return open === 0 ? 0 : 1;
}

function refuse(print: (line: string) => void, reason: string, code: number): number {
  print(reason);
  return code;
}

async function begin({ pool, log }: EncryptionDeps, command: string): Promise<void> {
  await completeAudit(pool, log, operatorAct(command), { outcome: 'begun' });
}

/** Rows that one statement looks at: less than a second, however many there are. */
const LOOKED_AT_MAX = 1_000;
/** Rows of one transaction. It holds up bids of their tenders, and 50 of the largest need 50 MB. */
const ENCRYPTED_MAX = 50;

const Row = z.object({ id: z.string(), tenderId: z.string(), status: z.string() });
const TextRow = z.object({
  id: z.string(),
  tenderId: z.string(),
  version: z.coerce.number().int(),
  document: z.string().nullable(),
  sealed: z.instanceof(Buffer).nullable(),
});
const LAST_ID = `SELECT max(id) AS last FROM (SELECT id FROM bid WHERE id > $1 ORDER BY id LIMIT ${LOOKED_AT_MAX}) AS page`;
const UPDATE = `UPDATE bid SET document = NULL, sealed = changed.sealed
  FROM unnest($1::text[], $2::bytea[]) AS changed (id, sealed) WHERE bid.id = changed.id`;

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

/** Encrypts the rows under the first key, and yields the ids of each transaction. A row that cannot be decrypted stays. */
async function* encryptRows(
  { pool, box, texts }: EncryptionDeps & { readonly box: BidBox },
  condition: string,
): AsyncGenerator<readonly string[]> {
  // Read again under the locks: a bid may have been changed, opened or encrypted meanwhile.
  const selectTexts = `SELECT id, tender_id AS "tenderId", bid.version, document, sealed
    FROM bid JOIN bidding USING (tender_id) WHERE id = ANY($1::text[]) AND ${condition}`;
  for await (const found of matchingRows(pool, condition)) {
    for (let n = 0; n < found.length; n += ENCRYPTED_MAX) {
      const chosen = found.slice(n, n + ENCRYPTED_MAX);
      yield await transact(pool, async (tx) => {
        await lockBiddingsExclusive(
          tx,
          chosen.map(({ tenderId }) => tenderId),
        );
        const { rows } = await tx.query(selectTexts, [chosen.map(({ id }) => id)]);
        const changed = z
          .array(TextRow)
          .parse(rows)
          .flatMap((row) => {
            const text = readIfPossible(texts, row);
            return text === undefined ? [] : [{ id: row.id, sealed: box.seal(row, text) }];
          });
        const ids = changed.map(({ id }) => id);
        await tx.query(UPDATE, [ids, changed.map(({ sealed }) => sealed)]);
        return ids;
      });
    }
  }
}

/** The failure was logged. */
function readIfPossible(texts: BidTexts, row: z.infer<typeof TextRow>): string | undefined {
  try {
    return texts.read(row);
  } catch (error) {
    if (!(error instanceof UnreadableBidError)) throw error;
    return undefined;
  }
}
