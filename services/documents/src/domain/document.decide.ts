import { admitWrite } from '@procurement/domain/admission';
import { commandAt } from '@procurement/domain/command';
import { tenderTime } from '@procurement/domain/tender-time';
import { deepEqual } from '@procurement/domain/equality';
import { formatServerDate, type Instant } from '@procurement/contracts/reading/instant';
import { invalid, problem, type Problem } from '@procurement/contracts/problems/problems';
import { parseWith } from '@procurement/contracts/reading/parse-with';
import { TEXT_CHARACTERS_MAX } from '@procurement/contracts/limits';
import { contractDocumentBodies, documentBodies } from '@procurement/contracts/api/documents.api';
import { relatedItemError, type DocumentRecord } from '@procurement/contracts/resources/document';
import type { Decision } from '@procurement/domain/decision';
import { budgetRefusal } from './document.budget.ts';
import { mayEverWrite, ownedParent, permissionRefusal, RELATED_UNKNOWN, stateRefusal } from './document.guards.ts';
import { DOCUMENT_RULES, type WriteKind } from './document.permissions.ts';
import { documentRoleOf } from './document.roles.ts';
import type {
  FileOfAddress,
  UploadedFile,
  DocumentCommand,
  DocumentEvent,
  DocumentMeta,
  DocumentRequest,
  DocumentState,
  RegisteredFile,
  ParentState,
  StoredRecord,
} from './document.ts';

type Refused = { readonly refused: Problem };
type JsonObject = Readonly<Record<string, unknown>>;

/** Decides one command about documents. Refusals in the order of http.md 0.2, those of the address last (http.md 2.6). */
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

/** Decides a request at an instant of real time, which is converted to the time of the tender. */
export function decideDocumentAt(
  state: DocumentState,
  request: DocumentRequest,
  realNow: Instant,
): Decision<DocumentEvent> {
  return decideDocument(state, commandAt<DocumentCommand>(request, tenderTime(realNow, state.parentState.tender)));
}

/** The refusal of an upload by permission or state, given before its body is read (http.md 2.9). */
export function uploadRefusal(write: WriteKind, state: DocumentState, meta: DocumentMeta): Problem | undefined {
  return (
    permissionRefusal(write, state.parentState, meta) ??
    stateRefusal(write, state.parentState, meta, state.newest) ??
    changeRefusal(state.parentState, state.newest?.record)
  );
}

/** 422 when a file name is too long for a title. */
export function titleRefusal(title: string): Problem | undefined {
  if (title.length <= TEXT_CHARACTERS_MAX.fileName) return undefined;
  return invalid([{ location: 'body', name: 'title', description: ['String value is too long.'] }]);
}

function addDocument(
  state: DocumentState,
  { id, versionId, file, meta }: Extract<DocumentCommand, { type: 'AddDocument' }>,
): Decision<DocumentEvent> {
  const { parentState } = state;
  const content =
    file.kind === 'uploaded'
      ? contentOfUploaded('add', state, file, meta)
      : contentOfRegistered('add', state, file, {}, meta);
  if ('refused' in content) return content;
  const now = formatServerDate(meta.now);
  const author = DOCUMENT_RULES[parentState.parent.kind].authorOnly
    ? { author: documentRoleOf(parentState, meta.actor) }
    : {};
  // Members of the body that the service assigns were ignored.
  const record: StoredRecord = { ...content.record, id, datePublished: now, dateModified: now, ...author };
  const { tender, parent } = parentState;
  const { broker = '' } = meta.actor;
  return withinBudget(state, undefined, {
    type: 'VersionAdded',
    version: { id: versionId, tenderId: tender.id, parent, ...content.file, record, broker },
  });
}

function addVersion(
  state: DocumentState,
  { versionId, file, meta }: Extract<DocumentCommand, { type: 'AddVersion' }>,
): Decision<DocumentEvent> {
  const { newest } = state;
  if (newest === undefined) return { refused: problem('object.not-found', { kind: 'document' }) };
  const content =
    file.kind === 'uploaded'
      ? contentOfUploaded('update', state, file, meta)
      : contentOfRegistered('update', state, file, { ...newest.record }, meta);
  if ('refused' in content) return content;
  const record: StoredRecord = {
    ...content.record,
    ...immutableMembers(newest.record),
    dateModified: formatServerDate(meta.now),
  };
  const { broker = '' } = meta.actor;
  return withinBudget(state, undefined, {
    type: 'VersionAdded',
    version: { ...newest, id: versionId, ...content.file, record, broker },
  });
}

/** Accepts the event, unless its record exceeds the byte budget. `before` is the record that it replaces. */
function withinBudget(
  { parentState, usage }: DocumentState,
  before: StoredRecord | undefined,
  event: DocumentEvent,
): Decision<DocumentEvent> {
  const refused = budgetRefusal(parentState.parent.kind, before, event.version.record, usage);
  return refused === undefined ? { accepted: [event] } : { refused };
}

interface VersionContent {
  readonly file: FileOfAddress;
  readonly record: Omit<DocumentRecord, 'sha256'>;
}

/** The record of an uploaded file: its title, format and hash over the members of the previous version (http.md 2.4). */
function contentOfUploaded(
  write: WriteKind,
  state: DocumentState,
  { fileId, sha256, format, hash, title = state.newest?.record.title ?? '' }: UploadedFile,
  meta: DocumentMeta,
): VersionContent | Refused {
  const refused = uploadRefusal(write, state, meta) ?? titleRefusal(title);
  if (refused !== undefined) return { refused };
  const before = state.newest?.record ?? { documentOf: defaultDocumentOf(state) };
  return { file: { fileId, sha256 }, record: { ...before, title, format, hash } };
}

/** The record of a registered file. Checks the body, then the state, then the address (http.md 2.6). */
function contentOfRegistered(
  write: WriteKind,
  state: DocumentState,
  { body, registration }: RegisteredFile,
  previous: JsonObject,
  meta: DocumentMeta,
): VersionContent | Refused {
  const refused = permissionRefusal(write, state.parentState, meta);
  if (refused !== undefined) return { refused };
  if (body.kind === 'refused') return { refused: body.problem };
  const { url: _former, ...former } = previous;
  const schema = selectBodies(state)[write === 'add' ? 'create' : 'put'];
  const reading = parseWith(schema, { ...former, hash: undefined, ...body.data }, previous);
  if (!reading.ok) return { refused: invalid(reading.errors) };
  const { url: _url, id: _id, author: _author, sha256: _sha256, ...record } = reading.value;
  const stateProblem =
    relationRefusal(record, state.parentState) ??
    stateRefusal(write, state.parentState, meta, state.newest) ??
    changeRefusal(state.parentState, record, state.newest?.record);
  if (stateProblem !== undefined) return { refused: stateProblem };
  if ('refused' in registration) return registration;
  return {
    file: registration,
    record: { ...record, documentOf: record.documentOf ?? defaultDocumentOf(state) },
  };
}

/** Members that stay the same in all versions. */
function immutableMembers({
  id,
  datePublished,
  author,
}: StoredRecord): Pick<StoredRecord, 'id' | 'datePublished' | 'author'> {
  return { id, datePublished, ...(author === undefined ? {} : { author }) };
}

/** Members that a client may change without a new file (http.md 2.3). */
export const WRITABLE_MEMBERS: ReadonlySet<string> = new Set([
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
/** Members that are read and ignored. */
const IGNORED_MEMBERS: ReadonlySet<string> = new Set([
  'id',
  'url',
  'hash',
  'sha256',
  'author',
  'datePublished',
  'dateModified',
]);

function changeDocument(
  state: DocumentState,
  { body, meta }: Extract<DocumentCommand, { type: 'ChangeDocument' }>,
): Decision<DocumentEvent> {
  const { parentState, newest } = state;
  if (newest === undefined) return { refused: problem('object.not-found', { kind: 'document' }) };
  const admission = admitWrite(body, meta.actor, mayEverWrite('update', parentState, meta.actor), {
    owned: ownedParent(parentState, meta.actor),
  });
  if ('refused' in admission) return admission;
  // A null removes a member, at the top level as well (http.md 0.3). Unknown members stay, so that the schema refuses them.
  const merged = new Map<string, unknown>(Object.entries(newest.record));
  for (const [name, value] of Object.entries(admission.data)) if (!IGNORED_MEMBERS.has(name)) merged.set(name, value);
  const reading = parseWith(selectBodies(state).patch, Object.fromEntries(merged), newest.record);
  if (!reading.ok) return { refused: invalid(reading.errors) };
  const stateProblem =
    relationRefusal(reading.value, parentState) ??
    stateRefusal('update', parentState, meta, newest) ??
    changeRefusal(parentState, reading.value, newest.record);
  if (stateProblem !== undefined) return { refused: stateProblem };
  const writable = Object.entries(reading.value).filter(([name]) => WRITABLE_MEMBERS.has(name));
  const rest = Object.entries(newest.record).filter(([name]) => !WRITABLE_MEMBERS.has(name));
  // Stored members of a record, and members that DocumentRecord has just validated.
  const record = {
    documentOf: defaultDocumentOf(state),
    ...Object.fromEntries([...rest, ...writable]),
  } as unknown as StoredRecord;
  if (deepEqual(record, newest.record)) return { accepted: [] };
  return withinBudget(state, newest.record, { type: 'DocumentChanged', version: { ...newest, record } });
}

/** The bodies of an address. A document that has come by a contract's own address keeps what it is about at the other one. */
function selectBodies({ parentState, newest }: DocumentState): typeof documentBodies | typeof contractDocumentBodies {
  const { documentOf = 'tender' } = newest?.record ?? {};
  const isOfContract = documentOf === 'contract' || documentOf === 'change';
  return isOfContract || parentState.standalone !== undefined ? contractDocumentBodies : documentBodies;
}

function defaultDocumentOf({ parentState }: DocumentState): 'contract' | 'tender' {
  return parentState.standalone === undefined ? 'tender' : 'contract';
}

/** `relatedItem` must name an object of its kind (http.md 2.1, contracting.md 6). */
function relationRefusal(
  record: Pick<DocumentRecord, 'documentOf' | 'relatedItem'>,
  { tender, items = tender.items, changes }: ParentState,
): Problem | undefined {
  const fault = relatedItemError(record, { items, lots: tender.lots, changes });
  if (fault === undefined) return undefined;
  return { ...invalid([{ location: 'body', name: 'relatedItem', description: [fault] }]), code: RELATED_UNKNOWN };
}

/** Documents of a change, which are the amendment, are written while it is pending, at either address (contracting.md 6). */
function changeRefusal(
  { changes = [] }: ParentState,
  ...records: readonly (Pick<DocumentRecord, 'documentOf' | 'relatedItem'> | undefined)[]
): Problem | undefined {
  for (const record of records) {
    if (record?.documentOf !== 'change') continue;
    const status = changes.find(({ id }) => id === record.relatedItem)?.status;
    if (status !== undefined && status !== 'pending') return problem('document.change-closed', { status });
  }
  return undefined;
}
