import { formatTable, type Cell } from './output.ts';
import type { Session } from './session.ts';

type Shown = Pick<Session, 'output' | 'format'>;

/** Prints an object: `title` and `members` are for the table. A member may be one of a member: `value.amount`. */
export function showObject(
  { output, format }: Shown,
  object: object,
  [title, members]: readonly [string, readonly string[]],
): void {
  const rows = members.flatMap((path) => {
    const value = cellAt(object, path);
    return value === undefined ? [] : [[path, value] as const];
  });
  const texts = {
    json: () => JSON.stringify(object),
    id: () => idsOf(object).join('\n'),
    table: () => formatTable([title, ''], rows),
  };
  output.print(texts[format]());
}

/** Prints objects, one a line, without the columns that are empty. People are told when there are none. */
export function showList(
  { output, format }: Shown,
  objects: readonly object[],
  columns: readonly string[],
  none: string,
): void {
  if (objects.length === 0) {
    if (format === 'table') output.note(none);
    return;
  }
  const filled = columns.filter((path) => objects.some((object) => cellAt(object, path) !== undefined));
  const texts = {
    json: () => objects.map((object) => JSON.stringify(object)).join('\n'),
    id: () => idsOf(objects).join('\n'),
    table: () =>
      formatTable(
        filled,
        objects.map((object) => filled.map((path) => cellAt(object, path))),
      ),
  };
  output.print(texts[format]());
}

/** Ids of an object, or of each of a list. */
export function idsOf(data: unknown): readonly string[] {
  const objects: readonly unknown[] = Array.isArray(data) ? data : [data];
  return objects.flatMap((object) =>
    typeof object === 'object' && object !== null && 'id' in object ? [String(object.id)] : [],
  );
}

function cellAt(object: unknown, path: string): Cell {
  let value = object;
  for (const name of path.split('.')) {
    value = typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
  }
  return typeof value === 'string' || typeof value === 'number' || value === undefined ? value : JSON.stringify(value);
}
