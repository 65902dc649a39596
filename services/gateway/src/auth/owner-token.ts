import { rootMembers, type RootMember } from '../json/root-members.ts';

/** Query parameters that are never logged: the owner token and the signature of a document address. */
const LOG_SECRETS: ReadonlySet<string> = new Set(['acc_token', 'Signature']);
const TOKEN_NAMES: ReadonlySet<string> = new Set(['acc_token']);

/** A query without the extracted parameters, and their values in order. */
export interface SplitQuery {
  readonly query: string;
  readonly taken: readonly string[];
}

/** Extracts `acc_token` from a query (without its `?`). The other parameters keep their text and order. */
export function extractTokenParameter(query: string): SplitQuery {
  return query.includes('acc') ? splitQuery(query, TOKEN_NAMES) : { query, taken: [] };
}

/** The query without secrets, for the log. */
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
 * The owner token of a request: the first non-empty one of query, header and body (http.md 3.3). The others are not tried when
 * it does not match. Of a repeated `acc_token` the last one counts.
 */
export function selectOwnerToken(
  fromQuery: readonly string[],
  fromHeader: string | undefined,
  fromBody: string | undefined,
): string | undefined {
  return [fromQuery.at(-1), fromHeader, fromBody].find((token) => token !== undefined && token !== '');
}

/** Members of the root of a JSON body beside `data`, and the body without the token. */
export interface BodyExtras {
  readonly body: Buffer;
  readonly token?: string;
  readonly pretty?: boolean;
}

/**
 * Reads `access.token` and `options.pretty` from the root of a JSON body, and blanks `access` out of it (decision 0013). The
 * rest keeps its bytes: numbers and escapes reach the service as the client wrote them. A body without these members, or that
 * is not a JSON object, is returned untouched; the service refuses it in its turn. Takes time linear in the size of the body.
 */
export function extractBodyExtras(body: Buffer): BodyExtras {
  // latin1 reads one character per byte, so that positions in the text are positions in the bytes.
  const text = body.toString('latin1');
  // An escaped name (`"\u0061ccess"`) is the same name.
  if (!text.includes('"access"') && !text.includes('"options"') && !text.includes('\\u00')) return { body };
  const members = rootMembers(text);
  if (members === undefined) return { body };
  const access = members.filter(({ name }) => name === 'access');
  const options = members.filter(({ name }) => name === 'options');
  return {
    body: access.length === 0 ? body : blankValues(body, access),
    ...tokenOf(body, access.at(-1)),
    ...prettyOf(body, options),
  };
}

/** Of several `access` members the last one counts, as it does for a parser. */
function tokenOf(body: Buffer, access: RootMember | undefined): { token?: string } {
  const token = access === undefined ? undefined : memberOf(parseValue(body, access), 'token');
  return typeof token === 'string' && token !== '' ? { token } : {};
}

/** Of several `options` members the last one with `pretty` counts. */
function prettyOf(body: Buffer, options: readonly RootMember[]): { pretty?: boolean } {
  for (const member of options.toReversed()) {
    const value = parseValue(body, member);
    // Not JSON, so the body is refused. Ends here, because a failed parse costs 4 µs and a body has room for 300,000.
    if (value === undefined) return {};
    const pretty = memberOf(value, 'pretty');
    if (pretty !== undefined) return { pretty: Boolean(pretty) };
  }
  return {};
}

/** Undefined when the value is not JSON. */
function parseValue(body: Buffer, { start, end }: RootMember): unknown {
  try {
    return JSON.parse(body.subarray(start, end).toString('utf8'));
  } catch {
    return undefined;
  }
}

function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  // An object that has this member.
  return (value as Readonly<Record<string, unknown>>)[name];
}

/** One copy of the body in which each of these values is `0` and blanks: still JSON, of the same length, without a token. */
function blankValues(body: Buffer, members: readonly RootMember[]): Buffer {
  const copy = Buffer.from(body);
  for (const { start, end } of members) {
    copy.fill(0x20, start, end);
    copy[start] = 0x30;
  }
  return copy;
}
