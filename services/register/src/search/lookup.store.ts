import type pg from 'pg';
import { contractLexeme, isHexId, quoteLexeme } from './domain/search-terms.ts';

/** A listed tender. `body` is its public text, when it was asked for and fits. */
export interface FoundTender {
  readonly id: string;
  /** `tenderID`. */
  readonly number: string;
  readonly position: bigint;
  readonly isTest: boolean;
  readonly status: string;
  readonly body?: string;
  /** Id of the contract of the tender that was asked for; absent where the tender itself was. */
  readonly contract?: string;
  /** Places of its keys among those asked for, from 0. */
  readonly places: readonly number[];
}

export interface LookupStore {
  /**
   * The listed tenders among the keys and those whose contracts are among them, in the order of the keys, each once. Keys are ids, or values of
   * `tenderID` and `contractID` in lower case.
   */
  find(keys: readonly string[], options: { readonly expand: boolean }): Promise<readonly FoundTender[]>;
}

/** Texts of one answer. The first is always in it. */
export const LOOKUP_BYTES_MAX = 8 * 1024 * 1024;

interface Row extends Omit<FoundTender, 'position' | 'body' | 'contract'> {
  readonly position: string;
  readonly body: string | null;
  readonly contract: string | null;
}

export function lookupStore(pool: pg.Pool): LookupStore {
  return {
    async find(keys, { expand }) {
      const { rows } = await pool.query<Row>({
        name: `lookup-${expand}`,
        text: statement(expand),
        values: [
          keys.map((key) => (isHexId(key) ? key : null)),
          keys.map((key) => (isHexId(key) ? null : key)),
          keys.map(contractQuery),
        ],
      });
      return rows.map(({ position, body, contract, ...row }) => ({
        ...row,
        position: BigInt(position),
        ...(body === null ? {} : { body }),
        ...(contract === null ? {} : { contract }),
      }));
    },
  };
}

function contractQuery(idOrNumber: string): string {
  const { lexeme, isPrefix } = contractLexeme(idOrNumber);
  return quoteLexeme(lexeme) + (isPrefix ? ':*' : '');
}

// A null key matches nothing. What is no tender is looked for among the terms of search, which have the contracts: the key of a
// contract by its number ends with its id, of 32 characters. Lengths of texts are read without the texts.
function statement(expand: boolean): string {
  const found = `WITH asked AS (SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[]) WITH ORDINALITY AS key (id, number, contract, n)),
      tenders AS (
        SELECT n, tender.id FROM asked JOIN tender ON tender.id = asked.id WHERE listed
        UNION ALL
        SELECT n, tender.id FROM asked JOIN tender ON lower(tender.number) = asked.number WHERE listed
      ),
      contracts AS (
        SELECT n, stored.id, coalesce(replace(asked.id::text, '-', ''), (SELECT right(lexeme, 32) FROM unnest(stored.words)
          WHERE starts_with(lexeme, '=contract:' || asked.number || ' ') LIMIT 1)) AS contract
        FROM asked CROSS JOIN LATERAL (SELECT id, words FROM tender_words WHERE words @@ asked.contract::tsquery LIMIT 1) AS stored
        WHERE n NOT IN (SELECT n FROM tenders)
      ),
      found AS (SELECT id, contract, min(n) AS n, array_agg(n::int - 1) AS places
        FROM (SELECT n, id, NULL AS contract FROM tenders UNION ALL SELECT * FROM contracts) AS matches GROUP BY id, contract)`;
  const columns = `replace(id::text, '-', '') AS id, number, position, is_test AS "isTest", status, contract, places`;
  if (!expand) return `${found} SELECT ${columns}, NULL AS body FROM found JOIN tender USING (id) ORDER BY n`;
  return `${found} SELECT ${columns}, CASE WHEN n = first OR bytes_until <= ${LOOKUP_BYTES_MAX} THEN body END AS body
    FROM (SELECT tender.*, n, contract, places, body, min(n) OVER () AS first, sum(octet_length(body)) OVER (ORDER BY n) AS bytes_until
      FROM found JOIN tender USING (id) JOIN tender_body USING (id)) AS sized ORDER BY n`;
}
