/**
 * A parameter whose value the plan of a named statement does not depend on. PostgreSQL plans a statement anew for each execution as long as
 * plans for given values look cheaper than one for any value: always with an array, which has fewer elements than are presumed, and with a
 * limit. Use it where one plan fits all values (docs/decisions/0005-use-of-postgresql.md).
 */
export function anyValue(parameter: `$${number}`, type: string): string {
  return `(SELECT ${parameter}::${type})::${type}`;
}

export interface KeySearch {
  readonly columns: string;
  readonly table: string;
  /** A unique column. */
  readonly key: string;
}

/**
 * The rows of the texts in the array `$1`, each found in the index, also by a plan from when the table was empty
 * (docs/decisions/0005-use-of-postgresql.md). Planned once.
 */
export function searchByKeys({ columns, table, key }: KeySearch): string {
  return `SELECT found.* FROM unnest(${anyValue('$1', 'text[]')}) AS asked (key)
    CROSS JOIN LATERAL (SELECT ${columns} FROM ${table} WHERE ${table}.${key} = asked.key LIMIT 1) AS found`;
}
