import type pg from 'pg';

/** The objects of a database: names such as `column tender.title` with their definitions by PostgreSQL. */
export type Catalog = ReadonlyMap<string, string>;

const NAMESPACE = `$1::regnamespace`;
const OF_TABLES = `c.relnamespace = ${NAMESPACE} AND c.relkind IN ('r', 'p') AND c.relname <> '_prisma_migrations'`;

// Without members of extensions and the bookkeeping table of the migration runner, which no migration makes.
const QUERIES: readonly string[] = [
  `SELECT 'table ' || c.relname AS name, concat_ws(' ', array_to_string(c.reloptions, ', '), c.relacl::text) AS definition
   FROM pg_class c WHERE ${OF_TABLES}`,
  `SELECT 'column ' || c.relname || '.' || a.attname AS name,
     format_type(a.atttypid, a.atttypmod) || CASE WHEN a.attnotnull THEN ' not null' ELSE '' END
       || coalesce(' default ' || pg_get_expr(d.adbin, d.adrelid), '')
       || CASE WHEN a.attidentity <> '' THEN ' identity ' || a.attidentity::text ELSE '' END
       || CASE WHEN a.attgenerated <> '' THEN ' generated' ELSE '' END
       || CASE WHEN a.attstorage <> t.typstorage THEN ' storage ' || CASE a.attstorage WHEN 'e' THEN 'external' ELSE a.attstorage::text END ELSE '' END AS definition
   FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_type t ON t.oid = a.atttypid
     LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
   WHERE ${OF_TABLES} AND a.attnum > 0 AND NOT a.attisdropped`,
  // Primary keys and unique constraints are constraints.
  `SELECT 'index ' || c.relname || '.' || i.relname AS name,
     regexp_replace(pg_get_indexdef(i.oid), '^CREATE (UNIQUE )?INDEX \\S+ ON \\S+ USING ', '\\1') AS definition
   FROM pg_index x JOIN pg_class c ON c.oid = x.indrelid JOIN pg_class i ON i.oid = x.indexrelid
   WHERE ${OF_TABLES} AND NOT EXISTS (SELECT FROM pg_constraint k WHERE k.conindid = i.oid AND k.conrelid = c.oid)`,
  // contype n: "not null", in the definitions of columns; t: constraint triggers, in those of triggers.
  `SELECT 'constraint ' || c.relname || '.' || k.conname AS name, pg_get_constraintdef(k.oid) AS definition
   FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid WHERE ${OF_TABLES} AND k.contype NOT IN ('n', 't')`,
  `SELECT 'trigger ' || c.relname || '.' || t.tgname AS name, pg_get_triggerdef(t.oid) AS definition
   FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid WHERE ${OF_TABLES} AND NOT t.tgisinternal`,
  `SELECT 'function ' || p.proname || '(' || pg_get_function_arguments(p.oid) || ') returns ' || pg_get_function_result(p.oid) AS name,
     concat_ws(' ', pg_get_functiondef(p.oid), p.proacl::text) AS definition
   FROM pg_proc p WHERE p.pronamespace = ${NAMESPACE} AND p.prokind = 'f'
     AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')`,
  `SELECT 'sequence ' || sequencename AS name,
     data_type || ' start ' || start_value || ' min ' || min_value || ' increment ' || increment_by AS definition
   FROM pg_sequences WHERE schemaname = $1::text`,
  `SELECT 'view ' || viewname AS name, definition FROM pg_views WHERE schemaname = $1::text`,
  `SELECT 'enum ' || t.typname AS name, string_agg(e.enumlabel, ',' ORDER BY e.enumsortorder) AS definition
   FROM pg_enum e JOIN pg_type t ON t.oid = e.enumtypid WHERE t.typnamespace = ${NAMESPACE} GROUP BY t.typname`,
  `SELECT 'extension ' || extname AS name, '' AS definition
   FROM pg_extension WHERE extnamespace = ${NAMESPACE} AND extname <> 'plpgsql'`,
];

/** Reads what a PostgreSQL schema contains: tables with all that belongs to them, functions, sequences, views, enums, extensions. */
export async function readCatalog(client: pg.ClientBase | pg.Pool, namespace: string): Promise<Catalog> {
  const catalog = new Map<string, string>();
  for (const query of QUERIES) {
    const { rows } = await client.query<{ name: string; definition: string }>(query, [namespace]);
    for (const row of rows) catalog.set(row.name, row.definition);
  }
  return catalog;
}

const MEMBERS = ['column', 'constraint', 'index', 'trigger'];

/** Writes a catalog for readers: each table with its members, then all else by name. A function is its signature, without its text. */
export function formatCatalog(catalog: Catalog): string {
  const formatLine = (object: string): string => {
    const definition = object.startsWith('function ') ? '' : (catalog.get(object) ?? '');
    return definition === '' ? object : `${object}: ${definition}`;
  };
  const objects = [...catalog.keys()].toSorted();
  const isMember = (object: string): boolean => MEMBERS.some((kind) => object.startsWith(`${kind} `));
  const lines = objects
    .filter((object) => !isMember(object))
    .flatMap((object) => {
      if (!object.startsWith('table ')) return [formatLine(object)];
      const table = object.slice('table '.length);
      const members = MEMBERS.flatMap((kind) => objects.filter((member) => member.startsWith(`${kind} ${table}.`)));
      return [formatLine(object), ...members.map((member) => `  ${formatLine(member).replace(`${table}.`, '')}`)];
    });
  return `${lines.join('\n')}\n`;
}
