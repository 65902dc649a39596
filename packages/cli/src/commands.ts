import { randomUUID } from 'node:crypto';
import {
  isProblem,
  type Bid,
  type BidInput,
  type Documents,
  type ProcurementClient,
  type RequestOptions,
  type Tender,
  type TenderInput,
} from '@procurement/client';
import { openFile } from '@procurement/client/node';
import { downloadTo } from './download.ts';
import { UsageError } from './failures.ts';
import { printable, progressText, tableOf, type Output } from './output.ts';
import { textOf, writePrivately } from './profiles.ts';

/** `id`: of the object only, for scripts. */
export type Format = 'table' | 'json' | 'id';

/** What a command has to work with. */
export interface Session {
  readonly client: ProcurementClient;
  readonly output: Output;
  readonly format: Format;
  readonly signal: AbortSignal;
  readInput(file: string): Promise<string>;
}

const FINAL: ReadonlySet<string> = new Set(['complete', 'cancelled', 'unsuccessful']);

/** The data of a body in a file, or on stdin for `-`: `{"data": {...}}`, or the object alone. */
async function bodyOf(session: Session, file: string): Promise<unknown> {
  const text = await session.readInput(file);
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw new UsageError(`${file} is not JSON`);
  }
  return typeof body === 'object' && body !== null && 'data' in body ? body.data : body;
}

function show({ output, format }: Session, object: { readonly id: string }, table: () => string): void {
  const texts = { json: () => JSON.stringify(object), id: () => object.id, table };
  output.print(texts[format]());
}

function tenderTable({ id, tenderID, status, title, dateModified, next_check: nextCheck }: Tender): string {
  const rows = Object.entries({ id, tenderID, status, title, dateModified, next_check: nextCheck });
  return tableOf(['tender', ''], rows);
}

/** The idempotency key that the user gave, or none. */
interface CreateOptions {
  readonly idempotencyKey?: string;
}

/** Creates with an idempotency key that the user can give again when the outcome is unknown, or when the token could not be stored. */
async function creating<T>(
  { output, signal }: Session,
  { idempotencyKey = randomUUID() }: CreateOptions,
  create: (how: RequestOptions) => Promise<T>,
): Promise<T> {
  try {
    return await create({ idempotencyKey, signal });
  } catch (error) {
    if (!isProblem(error) || isProblem(error, 'unavailable')) {
      output.note(`It may have been created. Repeat the command with: --idempotency-key ${idempotencyKey}`);
    }
    throw error;
  }
}

export async function createTender(session: Session, file: string, options: CreateOptions): Promise<void> {
  // The API validates the body.
  const data = (await bodyOf(session, file)) as TenderInput;
  const tender = await creating(session, options, async (how) => session.client.createTender(data, how));
  show(session, tender, () => tenderTable(tender));
}

export async function getTender(session: Session, id: string): Promise<void> {
  const tender = await session.client.tender(id).get({ signal: session.signal });
  show(session, tender, () => tenderTable(tender));
}

/** Prints each change until the tender has ended. */
export async function watchTender(session: Session, id: string, options: { readonly poll: number }): Promise<void> {
  const { client, signal } = session;
  for await (const tender of client.tender(id).watch({ pollMs: options.poll * 1_000, signal })) {
    const { dateModified, status, next_check: nextCheck = '' } = tender;
    show(session, tender, () => `${dateModified}  ${status}  ${nextCheck}`.trimEnd());
    if (FINAL.has(status)) return;
  }
}

/** Sandbox only: moves the clock of a tender, to its next transition or by a duration. */
export async function moveClock(
  session: Session,
  id: string,
  { to, advance }: { readonly to?: 'next_check'; readonly advance?: string },
): Promise<void> {
  if ((to === undefined) === (advance === undefined)) throw new UsageError('one of --to next_check and --advance');
  const tender = await session.client.moveClock(id, to === undefined ? { advance: advance ?? '' } : { to });
  show(session, tender, () => tenderTable(tender));
}

export async function createBid(
  session: Session,
  tenderId: string,
  file: string,
  options: CreateOptions,
): Promise<void> {
  // The API validates the body.
  const data = (await bodyOf(session, file)) as BidInput;
  const { bids } = session.client.tender(tenderId);
  const bid: Bid = await creating(session, options, async (how) => bids.create(data, how));
  show(session, bid, () => tableOf(['bid', ''], Object.entries({ id: bid.id, status: bid.status, date: bid.date })));
}

/** Documents of the tender, or of the object at a path below it: `bids/<id>`, `awards/<id>/complaints/<id>`. */
function documentsAt(client: ProcurementClient, tenderId: string, path: string | undefined): Documents {
  const tender = client.tender(tenderId);
  const [collection = '', id = '', inner, innerId = ''] = path?.split('/') ?? [];
  if (path === undefined) return tender.documents;
  if (collection === 'awards' && inner === 'complaints') return tender.award(id).complaint(innerId).documents;
  const item = PARENTS[collection]?.(client, tenderId, id);
  if (item === undefined || id === '' || inner !== undefined) {
    throw new UsageError(`--to is <collection>/<id>; collections: ${Object.keys(PARENTS).join(', ')}`);
  }
  return item.documents;
}

type ParentOf = (client: ProcurementClient, tenderId: string, id: string) => { readonly documents: Documents };

const PARENTS: Readonly<Record<string, ParentOf>> = {
  bids: (client, tenderId, id) => client.tender(tenderId).bid(id),
  awards: (client, tenderId, id) => client.tender(tenderId).award(id),
  contracts: (client, tenderId, id) => client.tender(tenderId).contract(id),
  complaints: (client, tenderId, id) => client.tender(tenderId).complaint(id),
  cancellations: (client, tenderId, id) => client.tender(tenderId).cancellation(id),
};

export async function uploadDocuments(
  session: Session,
  tenderId: string,
  files: readonly string[],
  options: { readonly to?: string },
): Promise<void> {
  const { client, output, signal } = session;
  const documents = documentsAt(client, tenderId, options.to);
  for (const path of files) {
    const file = await openFile(path).catch(() => {
      throw new UsageError(`${path} cannot be read`);
    });
    const { progress } = output;
    const onProgress = (sentBytes: number, totalBytes: number): void =>
      progress?.(progressText(file.name, sentBytes, totalBytes));
    const document = await documents.upload(file, { signal, ...(progress === undefined ? {} : { onProgress }) });
    const { id, title, format, hash } = document;
    show(session, document, () => tableOf(['document', ''], Object.entries({ id, title, format, hash })));
  }
}

export interface FollowOptions {
  readonly after?: string;
  readonly state?: string;
  readonly mode?: 'test' | '_all_';
  readonly fields?: string;
  readonly once?: boolean;
  readonly expand?: boolean;
}

/** With `state`, goes on where the last run stopped: the position is stored after each entry is printed. */
export async function followFeed(session: Session, options: FollowOptions): Promise<void> {
  const { client, output, signal } = session;
  const { after, state, mode, fields, once = false } = options;
  const stored = state === undefined ? undefined : textOf(state)?.trim();
  const where = { signal, ...(mode === undefined ? {} : { mode }) };
  const start = stored ?? after ?? (once ? '' : await client.feedEnd(where));
  const names = fields?.split(',') ?? [];
  for await (const { entry, position } of client.feed({ ...where, after: start, fields: names, follow: !once })) {
    const cells = [entry.dateModified, entry.id, ...names.map((name) => textOfMember(entry[name]))];
    output.print(session.format === 'json' ? JSON.stringify(entry) : printable(cells.join('  ')));
    if (state !== undefined) writePrivately(state, position);
  }
}

/** Prints every change as it happens; with `state`, goes on where the last run stopped. */
export async function followStream(
  session: Session,
  { after, state, mode, expand = false }: Pick<FollowOptions, 'after' | 'state' | 'mode' | 'expand'>,
): Promise<void> {
  const { client, output, signal, format } = session;
  const start = (state === undefined ? undefined : textOf(state)?.trim()) ?? after;
  const where = {
    signal,
    ...(mode === undefined ? {} : { mode }),
    ...(start === undefined ? {} : { after: start }),
    ...(expand ? { expand: '1' as const } : {}),
  };
  for await (const item of client.stream(where)) {
    if (item.event !== 'change') output.print(JSON.stringify(item));
    else if (format === 'json') output.print(JSON.stringify(item.change));
    else {
      const { dateModified, id, status, causes } = item.change;
      output.print(printable([dateModified, id, status, causes.join(',')].join('  ')));
    }
    if (state !== undefined) writePrivately(state, item.position);
  }
}

export async function listExports(session: Session): Promise<void> {
  const rows: (readonly [string, string, number, number])[] = [];
  for await (const entry of session.client.exports({}, { signal: session.signal })) {
    if (session.format === 'json') session.output.print(JSON.stringify(entry));
    rows.push([entry.name, entry.created, entry.lines, entry.bytes]);
  }
  if (session.format !== 'json') session.output.print(tableOf(['export', 'created', 'lines', 'bytes'], rows));
}

/** Brings the files of an export into a folder. A file that is there in part is completed; each is checked by its SHA-256. */
export async function downloadExport(session: Session, name: string, { to }: { readonly to: string }): Promise<void> {
  const { client, output, signal } = session;
  const item = client.export(name);
  const { files } = await item.manifest({ signal });
  for (const file of files) {
    const path = await downloadTo(to, file, {
      open: async (fromByte) => (await item.download(file, { fromByte, signal })).stream,
      progress: (bytes) => output.progress?.(progressText(file.name, bytes, file.bytes)),
    });
    output.print(session.format === 'json' ? JSON.stringify({ ...file, path }) : path);
  }
}

function textOfMember(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

/** Any request of segment 2.5. Prints the answer as JSON, or the ids of its objects. */
export async function sendRequest(
  session: Session,
  method: string,
  path: string,
  file: string | undefined,
  options: CreateOptions & { readonly as?: string },
): Promise<void> {
  const verb = METHODS.find((one) => one === method.toUpperCase());
  if (verb === undefined) throw new UsageError(`methods: ${METHODS.join(', ')}`);
  const ids = path.split('/').filter((part) => /^[0-9a-f]{32}$/.test(part));
  const { body } = await session.client.send({
    method: verb,
    path: path.startsWith('/sandbox/') ? path : `/api/2.5${path}`,
    owners: ids.toReversed(),
    ...(file === undefined ? {} : { data: await bodyOf(session, file) }),
    options: { ...options, signal: session.signal },
  });
  const texts: Readonly<Record<Format, () => string>> = {
    json: () => JSON.stringify(body.data),
    table: () => JSON.stringify(body.data, null, 2),
    id: () => idsOf(body.data).join('\n'),
  };
  session.output.print(texts[session.format]());
}

function idsOf(data: unknown): readonly string[] {
  const objects: readonly unknown[] = Array.isArray(data) ? data : [data];
  return objects.flatMap((object) =>
    typeof object === 'object' && object !== null && 'id' in object ? [String(object.id)] : [],
  );
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
