import { rootMembers } from '../json/root-members.ts';

/** Names that never reach a log: the owner token, and the signature of a document address. */
const LOG_SECRETS: ReadonlySet<string> = new Set(['acc_token', 'Signature']);
const TOKEN_NAMES: ReadonlySet<string> = new Set(['acc_token']);

/** A query cut in two: what goes on, and the values that were taken out, in order. */
export interface SplitQuery {
  readonly query: string;
  readonly taken: readonly string[];
}

/** Takes `acc_token` out of a query (without its `?`). The other parameters keep their text and order. */
export function extractTokenParameter(query: string): SplitQuery {
  return query.includes('acc') ? splitQuery(query, TOKEN_NAMES) : { query, taken: [] };
}

/** The query as a log may show it. */
export function redactQuery(query: string): string {
  return query === '' ? '' : splitQuery(query, LOG_SECRETS).query;
}

function splitQuery(query: string, names: ReadonlySet<string>): SplitQuery {
  const remaining: string[] = [];
  const taken: string[] = [];
  for (const pair of query.split('&')) {
    const equals = pair.indexOf('=');
    const name = decodeQueryText(equals < 0 ? pair : pair.slice(0, equals));
    if (names.has(name)) taken.push(equals < 0 ? '' : decodeQueryText(pair.slice(equals + 1)));
    else remaining.push(pair);
  }
  return { query: remaining.join('&'), taken };
}

function decodeQueryText(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

/**
 * The token that counts: query, then header, then body; the first that is not empty, with no second try when it does not
 * fit (http.md 3.3). A repeated `acc_token`: the last one.
 */
export function selectOwnerToken(
  fromQuery: readonly string[],
  fromHeader: string | undefined,
  fromBody: string | undefined,
): string | undefined {
  return [fromQuery.at(-1), fromHeader, fromBody].find((token) => token !== undefined && token !== '');
}

/** What the root of a JSON body holds beside `data`, and the body without the token. */
export interface BodyExtras {
  readonly body: Buffer;
  readonly token?: string;
  readonly pretty?: boolean;
}

/**
 * Reads `access.token` and `options.pretty` from the root of a JSON body, and blanks `access` out of it. The rest keeps
 * its bytes: numbers and escapes reach the service as they were written. A body without these words, or that is not a
 * JSON object, is returned untouched; the service says what is wrong with it in its turn.
 */
export function extractBodyExtras(body: Buffer): BodyExtras {
  // latin1 gives one character a byte, so that positions in the text are positions in the bytes.
  const text = body.toString('latin1');
  // An escaped name (`"\u0061ccess"`) is the same name.
  if (!text.includes('"access"') && !text.includes('"options"') && !text.includes('\\u00')) return { body };
  const members = rootMembers(text);
  if (members === undefined) return { body };
  let extras: BodyExtras = { body };
  for (const { name, start, end } of members) {
    if (name === 'options') extras = { ...extras, ...prettyOf(body.subarray(start, end)) };
    if (name !== 'access') continue;
    // Duplicate members: the last one counts, as it does for a parser.
    const { token: _overridden, ...rest } = extras;
    extras = { ...rest, body: blankRange(extras.body, start, end), ...tokenOf(body.subarray(start, end)) };
  }
  return extras;
}

function tokenOf(bytes: Buffer): { token?: string } {
  const token = parsedMember(bytes, 'token');
  return typeof token === 'string' && token !== '' ? { token } : {};
}

function prettyOf(bytes: Buffer): { pretty?: boolean } {
  const pretty = parsedMember(bytes, 'pretty');
  return pretty === undefined ? {} : { pretty: Boolean(pretty) };
}

function parsedMember(bytes: Buffer, name: string): unknown {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'));
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    // Just seen to be an object that has this member.
    return (value as Record<string, unknown>)[name];
  } catch {
    return undefined;
  }
}

/** A copy whose range says `0` and blanks: still JSON, still as long, and nothing of the token is left. */
function blankRange(body: Buffer, start: number, end: number): Buffer {
  const copy = Buffer.from(body);
  copy.fill(0x20, start, end);
  copy[start] = 0x30;
  return copy;
}
