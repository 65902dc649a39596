import { visitRootMembers } from '../json/root-members.ts';

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
 * is not a JSON object, is returned untouched; the service refuses it in its turn. Of repeated members the last one counts, as it
 * does for a parser (http.md 4.5). Takes time linear in the size of the body, and under 100 ms for any body of 4 MiB.
 */
export function extractBodyExtras(body: Buffer): BodyExtras {
  // latin1 reads one character per byte, so that positions in the text are positions in the bytes.
  const text = body.toString('latin1');
  // An escaped name (`"\u0061ccess"`) is the same name.
  if (!text.includes('"access"') && !text.includes('"options"') && !text.includes('\\u00')) return { body };
  let withoutTokens: Buffer | undefined;
  let [access, options]: (ValueRange | undefined)[] = [];
  const isReadable = visitRootMembers(text, ['access', 'options'], (name, start, end) => {
    if (name === 'options') {
      options = { start, end };
      return;
    }
    access = { start, end };
    withoutTokens ??= Buffer.from(body);
    blankValue(withoutTokens, start, end);
  });
  if (!isReadable) return { body };
  return { body: withoutTokens ?? body, ...parseToken(body, access), ...parsePretty(body, options) };
}

/** Positions of a value: its first byte and its exclusive end. */
interface ValueRange {
  readonly start: number;
  readonly end: number;
}

function parseToken(body: Buffer, access: ValueRange | undefined): { token?: string } {
  const token = readMember(parseValue(body, access), 'token');
  return typeof token === 'string' && token !== '' ? { token } : {};
}

function parsePretty(body: Buffer, options: ValueRange | undefined): { pretty?: boolean } {
  const pretty = readMember(parseValue(body, options), 'pretty');
  return pretty === undefined ? {} : { pretty: Boolean(pretty) };
}

/** A longer value is not parsed: 4 MiB of small members take 0.3 s. A token has 32 characters. */
const VALUE_BYTES_MAX = 16 * 1024;

/** Undefined when there is no value, or it is too long or not JSON. */
function parseValue(body: Buffer, range: ValueRange | undefined): unknown {
  if (range === undefined || range.end - range.start > VALUE_BYTES_MAX) return undefined;
  try {
    return JSON.parse(body.subarray(range.start, range.end).toString('utf8'));
  } catch {
    return undefined;
  }
}

function readMember(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  // An object that has this member.
  return (value as Readonly<Record<string, unknown>>)[name];
}

/** Writes `0` and blanks in the place of a value: still JSON, of the same length, without a token. */
function blankValue(body: Buffer, start: number, end: number): void {
  body.fill(0x20, start, end);
  body[start] = 0x30;
}
