/** An operation of a JSON Patch (RFC 6902), as the register answers it. */
export interface PatchOperation {
  readonly op: 'add' | 'remove' | 'replace';
  readonly path: string;
  readonly value?: unknown;
}

/** A value that differs between two states. */
export interface DifferenceRow {
  /** Names of members, and numbers of elements from 1: `['questions', 1, 'answer']`. */
  readonly where: readonly (string | number)[];
  /** Undefined: there was none. */
  readonly old: unknown;
  /** Undefined: there is none any more. */
  readonly new: unknown;
}

export interface Differences {
  readonly rows: readonly DifferenceRow[];
  /** Moves of the service's own times, which say nothing about the tender. */
  readonly folded: readonly DifferenceRow[];
}

type Json = Readonly<Record<string, unknown>>;

/** The link of one bidder to the auction. The API shows it once the auction is over; the portal never does (portal.md 12). */
const SECRET_LINK = 'participationUrl';
const SERVICE_TIMES: ReadonlySet<unknown> = new Set(['dateModified', 'next_check']);

/** What a patch changes in a state, value by value. The patch is applied step by step: positions in lists move. */
export function differenceRows(state: object, patch: readonly PatchOperation[]): Differences {
  const copy: unknown = structuredClone(state);
  const changed = patch.flatMap((operation) => {
    const keys = parsePointer(operation.path);
    const old = valueAt(copy, keys);
    apply(copy, keys, operation);
    const isInserted = operation.op === 'add' && Array.isArray(valueAt(copy, keys.slice(0, -1)));
    return leafDifferences(
      keys.map((key) => (/^\d+$/.test(key) ? Number(key) + 1 : key)),
      isInserted ? undefined : old,
      operation.op === 'remove' ? undefined : operation.value,
    );
  });
  const all = changed.filter(({ where }) => where.at(-1) !== SECRET_LINK);
  const isService = ({ where }: DifferenceRow): boolean => where.length === 1 && SERVICE_TIMES.has(where[0]);
  return { rows: all.filter((row) => !isService(row)), folded: all.filter(isService) };
}

function parsePointer(pointer: string): readonly string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function valueAt(state: unknown, keys: readonly string[]): unknown {
  let at = state;
  // Safe cast: only own members of objects and lists are read.
  for (const key of keys) at = isNode(at) && Object.hasOwn(at, key) ? (at as Json)[key] : undefined;
  return at;
}

const isNode = (value: unknown): value is object => typeof value === 'object' && value !== null;

function apply(state: unknown, keys: readonly string[], { op, value }: PatchOperation): void {
  const key = keys.at(-1) ?? '';
  const parent = valueAt(state, keys.slice(0, -1));
  if (Array.isArray(parent)) {
    const index = key === '-' ? parent.length : Number(key);
    parent.splice(index, op === 'add' ? 0 : 1, ...(op === 'remove' ? [] : [structuredClone(value)]));
  } else if (isNode(parent)) {
    if (op === 'remove') Reflect.deleteProperty(parent, key);
    else
      Object.defineProperty(parent, key, {
        value: structuredClone(value),
        configurable: true,
        enumerable: true,
        writable: true,
      });
  }
}

/** An id that the system gave says nothing to a reader; that of a company or of a classification does. */
const isSystemId = (where: DifferenceRow['where'], value: unknown): boolean =>
  where.at(-1) === 'id' && typeof value === 'string' && /^[0-9a-f]{32}$/.test(value);

/** Rows for the texts, numbers and truths of two values. */
function leafDifferences(where: DifferenceRow['where'], old: unknown, fresh: unknown): readonly DifferenceRow[] {
  if (!isNode(old) && !isNode(fresh))
    return old === fresh || isSystemId(where, old ?? fresh) ? [] : [{ where, old, new: fresh }];
  const isList = Array.isArray(old) || Array.isArray(fresh);
  const keys = new Set([...memberNames(old), ...memberNames(fresh)]);
  return [...keys].flatMap((key) =>
    leafDifferences([...where, isList ? Number(key) + 1 : key], valueAt(old, [key]), valueAt(fresh, [key])),
  );
}

const memberNames = (value: unknown): readonly string[] => (isNode(value) ? Object.keys(value) : []);

/** A line of a long text: in both, in the old one only, or in the new one only. */
export interface DifferenceLine {
  readonly kind: 'same' | 'old' | 'new';
  readonly text: string;
}

const COMPARED_MAX = 250_000;

/** Two texts line by line, with the longest common part. Texts of very many lines are shown whole. */
export function differenceLines(old: string, fresh: string): readonly DifferenceLine[] {
  const [a, b] = [old.split('\n'), fresh.split('\n')];
  if (a.length * b.length > COMPARED_MAX)
    return [
      { kind: 'old', text: old },
      { kind: 'new', text: fresh },
    ];
  // common[i][j]: how many lines the rests from i and from j have in common.
  const common = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1));
  const at = (i: number, j: number): number => common[i]?.[j] ?? 0;
  for (let i = a.length - 1; i >= 0; i -= 1)
    for (let j = b.length - 1; j >= 0; j -= 1) {
      const row = common[i];
      if (row !== undefined) row[j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  const lines: DifferenceLine[] = [];
  for (let i = 0, j = 0; i < a.length || j < b.length;) {
    const [mine, theirs] = [a[i], b[j]];
    const isSame = mine !== undefined && mine === theirs;
    const isOld = !isSame && mine !== undefined && (theirs === undefined || at(i + 1, j) >= at(i, j + 1));
    lines.push({ kind: isSame ? 'same' : isOld ? 'old' : 'new', text: (isSame || isOld ? mine : theirs) ?? '' });
    if (isSame || isOld) i += 1;
    if (!isOld) j += 1;
  }
  return lines;
}
