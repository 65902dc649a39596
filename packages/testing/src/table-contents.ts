import type pg from 'pg';

const TABLES = `SELECT table_name AS name FROM information_schema.tables
  WHERE table_schema = current_schema() AND table_type = 'BASE TABLE' ORDER BY table_name`;

/** All rows of all tables, as a hash by table: equal before and after what must change nothing. */
export async function tableContents(pool: pg.Pool): Promise<Readonly<Record<string, string>>> {
  const { rows } = await pool.query<{ name: string }>(TABLES);
  const contents: Record<string, string> = {};
  for (const { name } of rows) {
    // The name comes from the catalogue of the test's own database.
    const text = `SELECT count(*) || md5(coalesce(string_agg(t::text, '' ORDER BY t::text), '')) AS content FROM "${name}" t`;
    const found = await pool.query<{ content: string }>(text);
    contents[name] = found.rows[0]?.content ?? '';
  }
  return contents;
}
