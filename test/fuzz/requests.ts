import fc from 'fast-check';
import type { Operation } from './operations.ts';
import { HOSTILE_VALUES, valuesLike, arbitraryOf } from './values.ts';

/** A request before the ids and tokens of the objects that it is about are known. */
export interface PlannedRequest {
  readonly operation: Operation;
  readonly method: string;
  /** A value for each parameter of the path: the number of an id that exists, or a text. */
  readonly parameters: readonly (number | string)[];
  readonly query: readonly (readonly [string, string])[];
  readonly key: string | undefined;
  /** The number of a token that exists, or a text. */
  readonly token: number | string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | undefined;
}

/** Bodies that stories have sent, by method and path without the segment. */
export type RecordedBodies = ReadonlyMap<string, readonly unknown[]>;

// One callback name, so that answers stay scripts that the test can read.
const FORMATS = [
  ['opt_pretty', '1'],
  ['opt_jsonp', 'show'],
  ['opt_dry_run', '1'],
] as const;

const KEYS = ['broker2', 'auction', 'administrator', 'reviewer', 'bot', 'chronograph', 'unknown', undefined];

const HOSTILE_TEXTS = HOSTILE_VALUES.filter((value) => typeof value === 'string').map((value) => value.slice(0, 3_000));

/** Headers as programs send them by mistake or on purpose. Values of headers have no line ends: `fetch` refuses them. */
const HOSTILE_HEADERS: readonly Readonly<Record<string, string>>[] = [
  { 'content-type': 'text/plain' },
  { 'content-type': 'application/json; charset=utf-16' },
  { 'content-type': 'multipart/form-data' },
  { 'content-type': 'application/x-www-form-urlencoded' },
  { 'content-encoding': 'gzip' },
  { 'if-match': '*' },
  { 'if-match': '"x", W/"y"' },
  { 'if-none-match': '*' },
  { range: 'bytes=9-1,0-0' },
  { accept: 'application/json; generation=earliest' },
  { accept: 'text/html;q=x' },
  { 'idempotency-key': 'x'.repeat(255) },
  { 'idempotency-key': 'x'.repeat(256) },
  { 'x-client-request-id': '"}{"level":"fatal"' },
  { traceparent: '00-xyz' },
  { cookie: 'Path=/; __proto__=1' },
  { 'accept-encoding': 'br;q=nonsense, gzip' },
  { 'last-event-id': '-1' },
  { authorization: 'Basic !!!' },
  { authorization: 'Bearer ' },
];

const RAW_CHANGES: readonly ((text: string) => string | Uint8Array)[] = [
  (text) => text.slice(0, -2),
  (text) => text + text,
  (text) => `\uFEFF${text}`,
  (text) => text.replace(':', ':1e999,"x":'),
  (text) => text.replace('{"data":', '{"data":{},"data":'),
  (text) => text.replaceAll('"', "'"),
  (text) => `[${text}]`,
  () => '',
  () => `{"data":${'['.repeat(50_000)}`,
  () => `{"data":${'{"a":'.repeat(90)}1${'}'.repeat(91)}`,
  (text) => Buffer.concat([Buffer.from(text), Buffer.from([0xff, 0xc0, 0x80])]),
];

const FORM = '--b\r\nContent-Disposition: form-data; name="file"; filename="a\u0000../x.pdf"\r\n\r\nx\r\n--b--\r\n';
const FORM_TYPE = { 'content-type': 'multipart/form-data; boundary=b' };

/** Requests to one operation: most are nearly right, so that they come far. */
export function requestsTo(operation: Operation, recorded: RecordedBodies): fc.Arbitrary<PlannedRequest> {
  const names = [...operation.path.matchAll(/\{/g)];
  const parameter = fc.oneof({ weight: 24, arbitrary: fc.nat(20) }, fc.constantFrom(...HOSTILE_TEXTS));
  const described = operation.query.map(({ name, schema }) =>
    fc.tuple(fc.constant(name), fc.oneof(arbitraryOf(schema, operation.document), fc.constantFrom(...HOSTILE_TEXTS))),
  );
  const query = fc
    .tuple(
      described.length === 0
        ? fc.constant([])
        : fc.subarray(described, { maxLength: Math.min(3, described.length) }).chain((few) => fc.tuple(...few)),
      fc.option(fc.constantFrom(...FORMATS), { freq: 5 }),
    )
    .map(([own, format]) => [
      ...own.map(([name, value]) => [name, formatValue(value)] as const),
      ...(format === null ? [] : [format]),
    ]);
  return fc
    .record({
      operation: fc.constant(operation),
      method: operation.method === 'GET' ? fc.constantFrom('GET', 'GET', 'GET', 'HEAD') : fc.constant(operation.method),
      parameters: fc.tuple(...names.map(() => parameter)),
      query,
      key: fc.oneof({ weight: 8, arbitrary: fc.constant('broker1') }, fc.constantFrom(...KEYS)),
      token: fc.oneof({ weight: 8, arbitrary: fc.nat(20) }, fc.constantFrom(undefined, 'f'.repeat(32), "' OR '1'='1")),
      headers: fc.oneof({ weight: 6, arbitrary: fc.constant({}) }, fc.constantFrom(...HOSTILE_HEADERS)),
      body: bodies(operation, recorded),
    })
    .chain((planned) =>
      operation.takesFile
        ? fc.constantFrom(planned, { ...planned, body: FORM, headers: FORM_TYPE })
        : fc.constant(planned),
    );
}

function formatValue(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function bodies(operation: Operation, recorded: RecordedBodies): fc.Arbitrary<string | Uint8Array | undefined> {
  const { method, path, body, document } = operation;
  if (method === 'GET' || method === 'DELETE') return fc.constant(undefined);
  const stories = recorded.get(`${method} ${path.replace(/^\/api\/[\d.]+/, '')}`) ?? [];
  const made = arbitraryOf(body ?? {}, document);
  const values = stories.length === 0 ? made : fc.oneof(made, fc.constantFrom(...stories).chain(valuesLike));
  const texts = values.map((value) => JSON.stringify(value));
  const changed = fc.tuple(texts, fc.constantFrom(...RAW_CHANGES)).map(([text, change]) => change(text));
  return fc.oneof({ weight: 7, arbitrary: texts }, { weight: 1, arbitrary: changed });
}
