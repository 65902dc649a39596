import type { Actor } from '@procurement/contracts/api/actor';
import { problem } from '@procurement/contracts/problems/problems';
import { tenderTime } from '@procurement/domain/tender-time';
import { actorOf } from '@procurement/kit/http/actor';
import { readJsonBody } from '@procurement/kit/http/body';
import { decideWithRefresh } from '@procurement/kit/http/decide-with-refresh';
import { askForBody } from '@procurement/kit/http/expect-continue';
import { ProblemError } from '@procurement/kit/runtime/problem-error';
import { sha256Hex } from '@procurement/kit/runtime/ids';
import type { FastifyRequest } from 'fastify';
import type { Readable } from 'node:stream';
import type { Deps } from '../deps.ts';
import { placeRefusal } from '../domain/document.budget.ts';
import { titleRefusal, uploadRefusal } from '../domain/document.decide.ts';
import { dependsOnFacts } from '../domain/document.guards.ts';
import type { WriteKind } from '../domain/document.permissions.ts';
import type { DocumentVersion, RegisteredFile, UploadedFile } from '../domain/document.ts';
import { isPublic } from '../domain/document.visibility.ts';
import { DEFAULT_FORMAT, cleanName, formatOfName, formatOfType } from '../domain/file-name.ts';
import type { Digest } from '@procurement/kit/files/file-storage';
import { openForm } from '../files/multipart-form.ts';
import { resolveRegistration } from '../files/registration.ts';
import { parseFileName } from '../files/part-file-name.ts';
import type { StoredFile } from '../store/file-records.store.ts';
import { bodyKindOf, bodyStream, requestedBody } from './body-kind.ts';
import { documentPrecondition } from './document.etag.ts';
import type { ParentRef } from './path.ts';
import { bodyTimeouts, fileTimeouts, readBodyBytes } from './read-body-bytes.ts';
import { digestUpload, drainBody, FORM_BYTES_MAX, lengthRefusal, storeUpload } from './store-upload.ts';
import { writeDocument, type WrittenDocument } from './write-document.ts';

/** The command that a file completes. Its ids are the same again for a repeat of the request. */
type FileCommand =
  | { readonly type: 'AddDocument'; readonly id: string; readonly versionId: string }
  | { readonly type: 'AddVersion'; readonly versionId: string };

/** A request that brings a document, or a version of one. */
export interface IncomingDocument {
  readonly parentRef: ParentRef;
  readonly command: FileCommand;
  /** Newest version of the document of the path. */
  readonly newest?: DocumentVersion;
}

/**
 * Takes a document by any of the ways of http.md 2.3 and returns the version that it became. Refuses what it can before
 * it reads a byte of a file; stores the file before it records the document. Throws the refusal.
 */
export async function takeDocument(
  deps: Deps,
  request: FastifyRequest,
  incoming: IncomingDocument,
): Promise<WrittenDocument> {
  try {
    return await (bodyKindOf(request) === 'json' ? takeRegistered : takeUploaded)(deps, request, incoming);
  } catch (error) {
    await drainBody(request, error);
    throw error;
  }
}

async function takeRegistered(
  deps: Deps,
  request: FastifyRequest,
  incoming: IncomingDocument,
): Promise<WrittenDocument> {
  const bytes = await readBodyBytes(requestedBody(request), bodyTimeouts(deps));
  const body = readJsonBody(request.headers['content-type'], bytes);
  const data = body.kind === 'data' ? body.data : {};
  const actor = actorOf(request.identity);
  // A caller without a name is refused before the address is looked at.
  const registration = await resolveRegistration(deps, data, actor.broker ?? '');
  const file: RegisteredFile = { kind: 'registered', body, registration };
  return storeDocument(deps, request, { ...incoming, actor, file });
}

async function takeUploaded(deps: Deps, request: FastifyRequest, incoming: IncomingDocument): Promise<WrittenDocument> {
  const { newest } = incoming;
  const write = writeKindOf(incoming.command);
  const actor = actorOf(request.identity);
  const isForm = bodyKindOf(request) === 'form';
  // A token may stand in the form before its file: then the caller is known only there (http.md 2.9).
  const tokenMayFollow = isForm && actor.broker !== undefined && actor.tokenHash === undefined;
  if (!tokenMayFollow) await requirePermission(deps, request, incoming, actor);
  const lengthProblem = lengthRefusal(deps, request.headers['content-length'], isForm ? FORM_BYTES_MAX : 0);
  if (lengthProblem !== undefined) throw new ProblemError(lengthProblem);
  const sent = isForm ? await readFormFile(deps, request) : readRawFile(request, write);
  const caller = tokenMayFollow && sent.token !== undefined ? { ...actor, tokenHash: sha256Hex(sent.token) } : actor;
  if (tokenMayFollow) await requirePermission(deps, request, incoming, caller);
  const title = sent.name === undefined ? newest?.record.title : cleanName(sent.name);
  if (sent.bytes === undefined || title === undefined) throw new ProblemError(problem('file.missing'));
  const titleProblem = titleRefusal(title);
  if (titleProblem !== undefined) throw new ProblemError(titleProblem);
  const format = formatOfType(sent.contentType) ?? formatOfName(sent.name ?? '') ?? DEFAULT_FORMAT;
  const fileId = deps.ids.next();
  // A caller with permission has a name.
  const store = async (bytes: Readable): Promise<Digest> => {
    await deps.fileRecords.beginUpload({ id: fileId, origin: 'api', owner: actor.broker ?? '' });
    askForBody(request.raw);
    return storeUpload(deps, { fileId, format, bytes });
  };
  const digest = await (request.isDryRun ? digestUpload(deps, request, sent.bytes) : store(sent.bytes));
  const file: UploadedFile = {
    kind: 'uploaded',
    fileId,
    format,
    hash: `md5:${digest.md5}`,
    sha256: digest.sha256,
    title,
  };
  const storedFile = request.isDryRun ? undefined : { id: fileId, digest, format, title };
  return storeDocument(deps, request, { ...incoming, actor: caller, file, storedFile });
}

function writeKindOf({ type }: FileCommand): WriteKind {
  return type === 'AddDocument' ? 'add' : 'update';
}

/** Throws the refusal of an upload that can be given before its bytes are read (http.md 2.9). */
async function requirePermission(
  deps: Deps,
  request: FastifyRequest,
  { parentRef, command, newest }: IncomingDocument,
  actor: Actor,
): Promise<void> {
  // Of a write: a copy must not refuse it while an owner is away (decision 0029).
  const source = { facts: parentRef.facts, refresh: parentRef.current };
  await decideWithRefresh(source, dependsOnFacts, async (parentState) => {
    const meta = { now: tenderTime(deps.clock.now(), parentState.tender), actor, settings: deps.settings };
    const { tender, parent } = parentState;
    const refused =
      uploadRefusal(writeKindOf(command), { parentState, newest }, meta) ??
      // A full place is refused again under the lock, but then a file of any size was read.
      placeRefusal(parent.kind, await deps.documents.usage({ tenderId: tender.id, parent, broker: actor.broker })) ??
      (newest === undefined ? undefined : documentPrecondition(deps, request)(newest, isPublic(parentState)));
    return refused === undefined ? {} : { refused };
  });
}

interface SentFile {
  readonly name?: string | undefined;
  readonly contentType?: string | undefined;
  readonly bytes?: Readable;
  readonly token?: string | undefined;
}

async function readFormFile(deps: Deps, request: FastifyRequest): Promise<SentFile> {
  // Kept for brokers: the oldest segment called the part `upload` (http.md 2.3).
  const fileNames = request.identity.segment === '0.1' ? ['file', 'upload'] : ['file'];
  const contentType = request.headers['content-type'];
  const options = { contentType, fileNames, timeouts: fileTimeouts(deps) };
  const { fields, file } = await openForm(requestedBody(request), options);
  const token = fields.get('acc_token');
  return { ...file, ...(token === undefined || token === '' ? {} : { token }) };
}

/**
 * The body itself is the file. A new version keeps the title. A new document needs a name in the `Content-Disposition` of the
 * request; without one there is no file (http.md 2.3).
 */
function readRawFile(request: FastifyRequest, write: WriteKind): SentFile {
  const contentType = request.headers['content-type'];
  if (write === 'update') return { contentType, bytes: bodyStream(request) };
  const name = parseFileName(request.headers['content-disposition'] ?? '');
  if (name === null) throw new ProblemError(problem('body.undecodable'));
  return name === undefined ? {} : { name, contentType, bytes: bodyStream(request) };
}

interface StoreDocumentInput extends IncomingDocument {
  readonly actor: Actor;
  readonly file: UploadedFile | RegisteredFile;
  readonly storedFile?: StoredFile | undefined;
}

async function storeDocument(deps: Deps, request: FastifyRequest, input: StoreDocumentInput): Promise<WrittenDocument> {
  const { parentRef, command, newest, storedFile, file, actor } = input;
  return writeDocument(deps, parentRef, {
    correlationId: request.id,
    audit: request.audit,
    isDryRun: request.isDryRun,
    precondition: documentPrecondition(deps, request),
    newest,
    storedFile,
    request: { ...command, file, meta: { actor, settings: deps.settings } },
  });
}
