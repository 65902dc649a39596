import type pg from 'pg';

const CHECK = `SELECT lower('Ї') = 'ї' AND cardinality(show_trgm('папір')) > 0 AS "isFit", datcollate, datctype
  FROM pg_database WHERE datname = current_database()`;

/**
 * Throws when the locale of the database does not take Cyrillic letters for letters (register.md 6.3): similar words and names of buyers
 * would not be found.
 */
export async function requireLocale(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ isFit: boolean; datcollate: string; datctype: string }>(CHECK);
  const row = rows[0];
  if (row === undefined || row.isFit) return;
  throw new Error(
    `the locale of the database (LC_COLLATE ${row.datcollate}, LC_CTYPE ${row.datctype}) has no Cyrillic letters; make it with LOCALE 'C.UTF-8'`,
  );
}
