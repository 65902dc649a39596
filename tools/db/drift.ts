import type { Catalog } from './catalog.ts';

/** The first line identifies a function; its body is long. */
function firstLine(definition: string): string {
  const [first = ''] = definition.split('\n');
  return first === definition ? first : `${first} …`;
}

/** The differences between the database of the migrations and the one that the files describe, one sentence for each. */
export function findDrift(migrated: Catalog, described: Catalog): readonly string[] {
  const drift: string[] = [];
  for (const [object, definition] of migrated) {
    const expected = described.get(object);
    if (expected === definition) continue;
    if (expected === undefined) drift.push(`${object} is in the migrations only: ${firstLine(definition)}`);
    else
      drift.push(`${object} is "${firstLine(definition)}" in the migrations and "${firstLine(expected)}" in the files`);
  }
  for (const [object, definition] of described) {
    if (!migrated.has(object)) drift.push(`${object} is in the files only: ${firstLine(definition)}`);
  }
  return drift.toSorted();
}
