import { problem, type Problem } from '@procurement/contracts/problems/problems';
import { invalidParameter } from '../../requests/domain/parameters.ts';

/** What the pages of `/api/ocds` show: releases, or records. Their cursors differ. */
export type OcdsKind = 'releases' | 'records';

/** Parameters of a page or a download (ocds.md 4.1). */
export interface OcdsQuery {
  readonly limit?: number;
  /** Exclusive bound from below, of `seq`. */
  readonly after?: bigint;
  /** Exclusive bound from above: the page that ends before it. */
  readonly before?: bigint;
  /** Exclusive bound from below, of the date of a release. */
  readonly since?: Date;
  /** Inclusive bound from above. */
  readonly until?: Date;
  readonly embed: boolean;
  /** The parameters that were given and have an effect, in the order in which addresses have them. */
  readonly given: readonly (readonly [name: string, value: string])[];
}

const LIMIT_MAX = 1_000;
const MARK = { releases: 'r', records: 'c' } as const;
const CURSOR = /^([rc])([0-9a-z]{1,12})$/;
/** A date or time (ocds.md 4.1). */
const DATE = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})?)?$/;

/** Reads a query as ocds.md 4.1 and 4.4 say: unknown parameters and empty values are ignored. */
export function readOcdsQuery(query: string, kind: OcdsKind): OcdsQuery | { readonly refused: Problem } {
  const parameters = new URLSearchParams(query);
  const given = ['limit', 'cursor', 'before', 'since', 'until', 'embed'].flatMap((name) => {
    const value = parameters.getAll(name).at(-1) ?? '';
    return value === '' ? [] : [[name, value] as const];
  });
  const values = new Map(given);
  if (values.has('cursor') && values.has('before'))
    return { refused: invalidParameter('before', { allowed: ['before without cursor'] }) };
  for (const name of ['cursor', 'before']) {
    const cursor = values.get(name);
    if (cursor !== undefined && readCursor(cursor, kind) === undefined)
      return { refused: problem('params.expired', { name }) };
  }
  for (const name of ['since', 'until']) {
    const date = values.get(name);
    if (date !== undefined && readDate(date) === undefined) {
      return { refused: invalidParameter(name, { allowed: ['a date or time in ISO 8601'] }) };
    }
  }
  const limit = readLimit(values.get('limit'));
  if (values.has('limit') && limit === undefined) {
    return { refused: problem('feed.limit', { max: String(LIMIT_MAX) }) };
  }
  return {
    ...present('limit', limit),
    ...present('after', readCursor(values.get('cursor') ?? '', kind)),
    ...present('before', readCursor(values.get('before') ?? '', kind)),
    ...present('since', readDate(values.get('since') ?? '')),
    ...present('until', readDate(values.get('until') ?? '')),
    embed: values.get('embed') === '1',
    given: given.flatMap(([name, value]) => {
      if (name === 'limit') return limit === undefined ? [] : [[name, String(limit)] as const];
      return name === 'embed' && value !== '1' ? [] : [[name, value] as const];
    }),
  };
}

/** A cursor is opaque for clients: the mark of the kind and a `seq`. */
export function ocdsCursor(kind: OcdsKind, seq: bigint): string {
  return MARK[kind] + seq.toString(36);
}

function present<K extends string, V>(name: K, value: V | undefined): { readonly [P in K]?: V } {
  // Safe cast: the member has the name and the type that are declared.
  return (value === undefined ? {} : { [name]: value }) as { readonly [P in K]?: V };
}

function readLimit(text: string | undefined): number | undefined {
  if (text === undefined || !/^\d+$/.test(text) || Number(text) === 0) return undefined;
  return Math.min(Number(text), LIMIT_MAX);
}

function readCursor(text: string, kind: OcdsKind): bigint | undefined {
  const [, mark, digits = ''] = CURSOR.exec(text) ?? [];
  if (mark !== MARK[kind]) return undefined;
  const seq = Number.parseInt(digits, 36);
  return Number.isSafeInteger(seq) ? BigInt(seq) : undefined;
}

/** A date is midnight UTC, and so is a time without an offset. A plus that was not escaped is a space here. */
function readDate(text: string): Date | undefined {
  const iso = text.replace(' ', '+');
  if (!DATE.test(iso)) return undefined;
  const date = new Date(/T.*(?:Z|[+-]\d{2}:\d{2})$/.test(iso) || !iso.includes('T') ? iso : `${iso}Z`);
  return Number.isNaN(date.getTime()) ? undefined : date;
}
