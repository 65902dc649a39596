import { RedactionsQuestion, type RedactionRow } from '@procurement/contracts/events/redactions';
import type pg from 'pg';

const ROWS = `SELECT id, replace(tender::text, '-', '') AS tender, rev, position, member, encode(sha256, 'hex') AS sha256, bytes
  FROM redaction_text WHERE id > $1 ORDER BY id LIMIT $2`;

interface StoredRow {
  readonly id: string;
  readonly tender: string;
  readonly rev: string;
  readonly position: string;
  readonly member: string;
  readonly sha256: string;
  readonly bytes: number;
}

/** Responds to the ledger with the texts that have lost a member by law, after an id (proof.md 3.2). */
export function respondRedactions(pool: pg.Pool): (question: unknown) => Promise<readonly string[]> {
  return async (question) => {
    const { after, rowsMax } = RedactionsQuestion.parse(question);
    const { rows } = await pool.query<StoredRow>({ name: 'redactions-page', text: ROWS, values: [after, rowsMax] });
    return rows.map(({ id, rev, ...row }) =>
      JSON.stringify({ id: Number(id), ...row, rev: Number(rev) } satisfies RedactionRow),
    );
  };
}
