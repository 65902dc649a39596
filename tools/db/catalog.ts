import type pg from 'pg';

/** The objects of a database: names such as `column tender.title` with their definitions by PostgreSQL. */
export type Catalog = ReadonlyMap<string, string>;

// Without members of extensions and the bookkeeping table of the migration runner, which no migration makes.
const QUERIES: readonly string[] = [
  `SELECT 'column ' || c.relname || '.' || a.attname AS name,
     format_type(a.atttypid, a.atttypmod) || CASE WHEN a.attnotnull THEN ' not null' ELSE '' END
       || coalesce(' default ' || pg_get_expr(d.adbin, d.adrelid), '')
       || CASE WHEN a.attidentity <> '' THEN ' identity ' || a.attidentity::text ELSE '' END
       || CASE WHEN a.attgenerated <> '' THEN ' generated' ELSE '' END AS definition
   FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
     LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
   WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND a.attnum > 0 AND NOT a.attisdropped`,
  `SELECT 'index ' || tablename || '.' || indexname AS name, indexdef AS definition
   FROM pg_indexes WHERE schemaname = 'public'`,
  // contype n: "not null", in the definitions of columns; t: constraint triggers, in those of triggers.
  `SELECT 'constraint ' || c.relname || '.' || k.conname AS name, pg_get_constraintdef(k.oid) AS definition
   FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid
   WHERE k.connamespace = 'public'::regnamespace AND k.contype NOT IN ('n', 't')`,
  `SELECT 'trigger ' || c.relname || '.' || t.tgname AS name, pg_get_triggerdef(t.oid) AS definition
   FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
   WHERE c.relnamespace = 'public'::regnamespace AND NOT t.tgisinternal`,
  // One entry for each name, with all overloads.
  `SELECT 'function ' || p.proname AS name, string_agg(pg_get_functiondef(p.oid), E'\\n' ORDER BY p.oid) AS definition
   FROM pg_proc p WHERE p.pronamespace = 'public'::regnamespace AND p.prokind IN ('f', 'p')
     AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e') GROUP BY p.proname`,
  `SELECT 'sequence ' || sequencename AS name,
     data_type || ' start ' || start_value || ' increment ' || increment_by AS definition
   FROM pg_sequences WHERE schemaname = 'public'`,
  `SELECT 'view ' || viewname AS name, definition FROM pg_views WHERE schemaname = 'public'`,
  `SELECT 'enum ' || t.typname AS name, string_agg(e.enumlabel, ',' ORDER BY e.enumsortorder) AS definition
   FROM pg_enum e JOIN pg_type t ON t.oid = e.enumtypid WHERE t.typnamespace = 'public'::regnamespace GROUP BY t.typname`,
  `SELECT 'extension ' || extname AS name, extname AS definition FROM pg_extension WHERE extname <> 'plpgsql'`,
];

const MIGRATIONS_TABLE_OBJECT = /^(column|index|constraint) _prisma_migrations\./;

/** Reads columns, indexes, constraints, triggers, functions, sequences, views, enums and extensions of schema public. */
export async function readCatalog(client: pg.Client): Promise<Catalog> {
  const catalog = new Map<string, string>();
  for (const query of QUERIES) {
    const { rows } = await client.query<{ name: string; definition: string }>(query);
    for (const row of rows) if (!MIGRATIONS_TABLE_OBJECT.test(row.name)) catalog.set(row.name, row.definition);
  }
  return catalog;
}
