import { formatServerDate } from '@procurement/contracts/instant';
import { invalid, problem, type Problem } from '@procurement/contracts/problems';
import { readBy } from '@procurement/contracts/reading/read-by';
import {
  DocumentInput,
  DocumentRecord,
  relatedFault,
  TITLE_CHARACTERS_MAX,
} from '@procurement/contracts/resources/document';
import type { Decision } from '@procurement/kit/decision';
import { permissionRefusal, RELATED_UNKNOWN, stateRefusal } from './document.guards.ts';
import { DOCUMENT_RULES, type DocumentWrite } from './document.permissions.ts';
import { documentRoleOf } from './document.roles.ts';
import type {
  ArrivedFile,
  DocumentCommand,
  DocumentEvent,
  DocumentMeta,
  DocumentState,
  NamedFile,
  Place,
  StoredRecord,
} from './document.ts';

type Refused = { readonly refused: Problem };
type Members = Readonly<Record<string, unknown>>;

/** Decides one command about documents. Refusals in the order of http.md 0.2, those about the address last (2.6). */
export function decideDocument(state: DocumentState, command: DocumentCommand): Decision<DocumentEvent> {
  switch (command.type) {
    case 'AddDocument':
      return addDocument(state, command);
    case 'AddVersion':
      return addVersion(state, command);
    case 'ChangeDocument':
      return changeDocument(state, command);
    default:
      return command satisfies never;
  }
}

/** Why an upload need not even be read: permission and state (http.md 2.9, "before the body"). */
export function uploadRefusal(write: DocumentWrite, state: DocumentState, meta: DocumentMeta): Problem | undefined {
  return permissionRefusal(write, state.place, meta) ?? stateRefusal(write, state.place, meta, state.newest);
}

/** Why a name cannot be a title: 422 as for any other title that is too long. */
export function titleRefusal(title: string): Problem | undefined {
  if (title.length <= TITLE_CHARACTERS_MAX) return undefined;
  return invalid([{ location: 'body', name: 'title', description: ['String value is too long.'] }]);
}

function addDocument(
  state: DocumentState,
  { id, versionId, file, meta }: Extract<DocumentCommand, { type: 'AddDocument' }>,
): Decision<DocumentEvent> {
  const { place } = state;
  const said = file.kind === 'file' ? arrived('add', state, file, meta) : named('add', state, file, {}, meta);
  if ('refused' in said) return said;
  const now = formatServerDate(meta.now);
  const author = DOCUMENT_RULES[place.parent.kind].author ? { author: documentRoleOf(place, meta.actor) } : {};
  // What a body said of these was passed over.
  const record: StoredRecord = { ...said.record, id, datePublished: now, dateModified: now, ...author };
  const { tender, parent } = place;
  const version = { id: versionId, tenderId: tender.id, parent, fileId: said.fileId, record };
  return { accepted: [{ type: 'VersionAdded', version }] };
}

function addVersion(
  state: DocumentState,
  { versionId, file, meta }: Extract<DocumentCommand, { type: 'AddVersion' }>,
): Decision<DocumentEvent> {
  const { newest } = state;
  if (newest === undefined) return { refused: problem('object.not-found', { kind: 'document' }) };
  const said =
    file.kind === 'file'
      ? arrived('update', state, file, meta)
      : named('update', state, file, { ...newest.record }, meta);
  if ('refused' in said) return said;
  const record: StoredRecord = {
    ...said.record,
    ...kept(newest.record),
    dateModified: formatServerDate(meta.now),
  };
  return { accepted: [{ type: 'VersionAdded', version: { ...newest, id: versionId, fileId: said.fileId, record } }] };
}

interface Said {
  readonly fileId: string;
  readonly record: DocumentRecord;
}

/** A file that is stored: what it says of itself, over what was said before (http.md 2.4). */
function arrived(
  write: DocumentWrite,
  state: DocumentState,
  { fileId, format, hash, title = state.newest?.record.title ?? '' }: ArrivedFile,
  meta: DocumentMeta,
): Said | Refused {
  const refused = uploadRefusal(write, state, meta) ?? titleRefusal(title);
  if (refused !== undefined) return { refused };
  const before = state.newest?.record ?? { documentOf: 'tender' as const };
  return { fileId, record: { ...before, title, format, hash } };
}

/** A file named by its address: body, state, address, in this order. */
function named(
  write: DocumentWrite,
  state: DocumentState,
  { body, address }: NamedFile,
  before: Members,
  meta: DocumentMeta,
): Said | Refused {
  const refused = permissionRefusal(write, state.place, meta);
  if (refused !== undefined) return { refused };
  if (body.kind === 'refused') return { refused: body.problem };
  const { url: _former, ...former } = before;
  const reading = readBy(DocumentInput, { ...former, hash: undefined, ...body.data });
  if (!reading.ok) return { refused: invalid(reading.errors) };
  const { url: _url, id: _id, author: _author, ...record } = reading.value;
  const late = relationRefusal(record, state.place) ?? stateRefusal(write, state.place, meta, state.newest);
  if (late !== undefined) return { refused: late };
  if ('refused' in address) return address;
  return { fileId: address.fileId, record: { ...record, documentOf: record.documentOf ?? 'tender' } };
}

/** What no version and no body changes: whose the document is and since when. */
function kept({ id, datePublished, author }: StoredRecord): Pick<StoredRecord, 'id' | 'datePublished' | 'author'> {
  return { id, datePublished, ...(author === undefined ? {} : { author }) };
}

/** Members that a client may change without a new file (http.md 2.3). */
const WRITABLE: ReadonlySet<string> = new Set([
  'title',
  'title_en',
  'title_ru',
  'description',
  'description_en',
  'description_ru',
  'format',
  'documentType',
  'documentOf',
  'relatedItem',
  'language',
]);
/** Members that are read and passed over. */
const PASSED_OVER: ReadonlySet<string> = new Set(['id', 'url', 'hash', 'author', 'datePublished', 'dateModified']);

function changeDocument(
  state: DocumentState,
  { body, meta }: Extract<DocumentCommand, { type: 'ChangeDocument' }>,
): Decision<DocumentEvent> {
  const { place, newest } = state;
  if (newest === undefined) return { refused: problem('object.not-found', { kind: 'document' }) };
  if (body.kind === 'refused' && body.problem.status === 415) return { refused: body.problem };
  const forbidden = permissionRefusal('update', place, meta);
  if (forbidden !== undefined) return { refused: forbidden };
  if (body.kind === 'refused') return { refused: body.problem };
  // A null returns a member of a document to nothing, at the top as well (http.md 0.3); unknown members stay, to be refused.
  const merged = new Map<string, unknown>(Object.entries(newest.record));
  for (const [name, value] of Object.entries(body.data)) if (!PASSED_OVER.has(name)) merged.set(name, value);
  const reading = readBy(DocumentRecord, Object.fromEntries(merged));
  if (!reading.ok) return { refused: invalid(reading.errors) };
  const late = relationRefusal(reading.value, place) ?? stateRefusal('update', place, meta, newest);
  if (late !== undefined) return { refused: late };
  const said = Object.entries(reading.value).filter(([name]) => WRITABLE.has(name));
  const rest = Object.entries(newest.record).filter(([name]) => !WRITABLE.has(name));
  // The members of a record, some of which were just read as such.
  const record = { documentOf: 'tender', ...Object.fromEntries([...rest, ...said]) } as unknown as StoredRecord;
  if (same(record, newest.record)) return { accepted: [] };
  return { accepted: [{ type: 'DocumentChanged', version: { ...newest, record } }] };
}

/** `relatedItem` has to name an item or lot of the tender (http.md 2.1). */
function relationRefusal(
  record: Pick<DocumentRecord, 'documentOf' | 'relatedItem'>,
  { tender }: Place,
): Problem | undefined {
  const fault = relatedFault(record, tender);
  if (fault === undefined) return undefined;
  return { ...invalid([{ location: 'body', name: 'relatedItem', description: [fault] }]), code: RELATED_UNKNOWN };
}

/** Both are flat, and hold texts only. */
function same(a: StoredRecord, b: StoredRecord): boolean {
  const [left, right] = [new Map(Object.entries(a)), new Map(Object.entries(b))];
  return left.size === right.size && [...left].every(([name, value]) => right.get(name) === value);
}
