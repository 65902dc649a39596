import type { Catalog } from './catalog.ts';

/** An object that exists in the migrations only, because schema.prisma cannot express it. `why` is for the reader. */
export interface AllowedDrift {
  /** `index tender.tender_waiting`, `function feed_text`; `table outbox` covers all objects of a table. */
  readonly object: string;
  readonly why: string;
}

/** The first line identifies a function; its body is long. */
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
 * The differences between the database of the migrations and that of the schema, one sentence for each. Objects of the allow list
 * may exist in the migrations only; an entry that matches no difference is reported.
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
    if (!used.has(entry.object)) drift.push(`allowed-drift.json allows "${entry.object}", which is no difference`);
  }
  return drift.toSorted();
}
