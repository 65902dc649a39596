import type pg from 'pg';

/** A listed tender. `body` is its public text, when it was asked for and fits. */
export interface FoundTender {
  readonly id: string;
  /** `tenderID`. */
  readonly number: string;
  readonly position: bigint;
  readonly isTest: boolean;
  readonly status: string;
  readonly body?: string;
}

/** What identifies a tender: `id`, or `tenderID` in lower case. */
export type TenderKey = { readonly id: string } | { readonly number: string };

export interface LookupStore {
  /** The listed tenders among the keys, in their order, each once. */
  find(keys: readonly TenderKey[], options: { readonly expand: boolean }): Promise<readonly FoundTender[]>;
}

/** Texts of one answer. The first is always in it. */
export const LOOKUP_BYTES_MAX = 8 * 1024 * 1024;

interface Row extends Omit<FoundTender, 'position' | 'body'> {
  readonly position: string;
  readonly body: string | null;
}

export function lookupStore(pool: pg.Pool): LookupStore {
  return {
    async find(keys, { expand }) {
      const { rows } = await pool.query<Row>({
        name: `lookup-${expand}`,
        text: statement(expand),
        values: [
          keys.map((key) => ('id' in key ? key.id : null)),
          keys.map((key) => ('number' in key ? key.number : null)),
        ],
      });
      return rows.map(({ position, body, ...row }) => ({
        ...row,
        position: BigInt(position),
        ...(body === null ? {} : { body }),
      }));
    },
  };
}

/** A null key matches nothing. Lengths of texts are read without the texts. */
function statement(expand: boolean): string {
  const found = `WITH asked AS (SELECT * FROM unnest($1::uuid[], $2::text[]) WITH ORDINALITY AS key (id, number, n)),
      found AS (SELECT id, min(n) AS n FROM (
        SELECT tender.id, n FROM asked JOIN tender ON tender.id = asked.id WHERE listed
        UNION ALL
        SELECT tender.id, n FROM asked JOIN tender ON lower(tender.number) = asked.number WHERE listed
      ) AS matches GROUP BY id)`;
  const columns = `replace(id::text, '-', '') AS id, number, position, is_test AS "isTest", status`;
  if (!expand) return `${found} SELECT ${columns}, NULL AS body FROM found JOIN tender USING (id) ORDER BY n`;
  return `${found} SELECT ${columns}, CASE WHEN n = first OR bytes_until <= ${LOOKUP_BYTES_MAX} THEN body END AS body
    FROM (SELECT tender.*, n, body, min(n) OVER () AS first, sum(octet_length(body)) OVER (ORDER BY n) AS bytes_until
      FROM found JOIN tender USING (id) JOIN tender_body USING (id)) AS sized ORDER BY n`;
}
