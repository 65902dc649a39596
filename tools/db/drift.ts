import type { Catalog } from './catalog.ts';

/** Something written in SQL by hand because Prisma's schema cannot say it. `why` is for the reader. */
export interface AllowedDrift {
  /** `index tender.tender_waiting`, `function feed_text`; `table outbox` stands for all that hangs off a table. */
  readonly object: string;
  readonly why: string;
}

/** Bodies of functions are long; their first line says which one it is. */
function firstLine(definition: string): string {
  const [first = ''] = definition.split('\n');
  return first === definition ? first : `${first} …`;
}

function covers(allowed: string, object: string): boolean {
  if (allowed === object) return true;
  if (!allowed.startsWith('table ')) return false;
  const table = allowed.slice('table '.length);
  const [, owner] = object.split(' ', 2);
  return owner !== undefined && (owner.startsWith(`${table}.`) || object.startsWith(`sequence ${table}_`));
}

/**
 * How the database made by the migrations differs from the one that the schema describes, one sentence a difference.
 * What the allow-list covers may exist in the migrations only; an entry that covers nothing is itself a difference, so
 * that the list cannot outlive its reasons.
 */
export function findDrift(migrated: Catalog, described: Catalog, allowed: readonly AllowedDrift[]): readonly string[] {
  const drift: string[] = [];
  const used = new Set<string>();
  for (const [object, definition] of migrated) {
    const expected = described.get(object);
    if (expected === definition) continue;
    const entries = allowed.filter((entry) => covers(entry.object, object));
    for (const entry of entries) used.add(entry.object);
    if (entries.length > 0) continue;
    if (expected === undefined) drift.push(`${object} is in the migrations only: ${firstLine(definition)}`);
    else
      drift.push(
        `${object} is "${firstLine(definition)}" in the migrations and "${firstLine(expected)}" in schema.prisma`,
      );
  }
  for (const [object, definition] of described) {
    if (!migrated.has(object)) drift.push(`${object} is in schema.prisma only: ${firstLine(definition)}`);
  }
  for (const entry of allowed) {
    if (!used.has(entry.object))
      drift.push(`allowed-drift.json allows "${entry.object}", which is no difference (any more)`);
  }
  return drift.toSorted();
}
