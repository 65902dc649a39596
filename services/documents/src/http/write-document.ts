import { problem } from '@procurement/contracts/problems/problems';
import { actorOf } from '@procurement/kit/http/actor';
import { sha256Hex } from '@procurement/kit/runtime/ids';
import { decideWithRefresh } from '@procurement/kit/http/decide-with-refresh';
import { ProblemError } from '@procurement/kit/http/problem-error';
import { readJsonBody } from '@procurement/kit/http/body';
import type { FastifyRequest } from 'fastify';
import type { Readable } from 'node:stream';
import type { Actor } from '@procurement/contracts/api/actor';
import type { Instant } from '@procurement/contracts/reading/instant';
import type { Deps } from '../deps.ts';
import { decideDocument, titleRefusal, uploadRefusal } from '../domain/document.decide.ts';
import { dependsOnFacts } from '../domain/document.guards.ts';
import type { WriteKind } from '../domain/document.permissions.ts';
import { isPublic } from '../domain/document.visibility.ts';
import type {
  UploadedFile,
  DocumentCommand,
  DocumentMeta,
  DocumentVersion,
  RegisteredFile,
  ParentState,
} from '../domain/document.ts';
import { DEFAULT_FORMAT, cleanName, formatOfName, formatOfType } from '../domain/file-name.ts';
import { tenderTime } from '@procurement/domain/tender-time';
import { openForm } from '../files/multipart-form.ts';
import { fileNameOf } from '../files/part-file-name.ts';
import type { StoredFile } from '../store/file-records.store.ts';
import { readBodyBytes } from './read-body-bytes.ts';
import type { ParentRef } from './path.ts';
import { bodyStream, bodyKindOf } from './body-kind.ts';
import { drainBody, FORM_BYTES_MAX, storeUpload, lengthRefusal } from './store-upload.ts';

/** A request that brings a document, or a version of one. */
export interface DocumentUpload {
  readonly parentRef: ParentRef;
  readonly write: WriteKind;
  /** Newest version of the document of the path. */
  readonly newest?: DocumentVersion;
  /** What the request makes; the same again for a repeat of it. */
  readonly versionId: string;
  /** The command that the file becomes. */
  toCommand(file: UploadedFile | RegisteredFile, meta: DocumentMeta): DocumentCommand;
}

/**
 * Takes a document in whichever way it is sent, and gives the version that it became. What must be refused is refused before
 * a byte of a file is read; a file is in the store before anything is on record of its document. Throws the refusal.
 */
export async function takeDocument(
  deps: Deps,
  request: FastifyRequest,
  upload: DocumentUpload,
): Promise<DocumentVersion> {
  const body = bodyStream(request);
  try {
    return await (bodyKindOf(request) === 'json' ? takeRegistered : takeUploaded)(deps, request, upload);
  } catch (error) {
    await drainBody(body, request.headers['content-length'], error);
    throw error;
  }
}

async function takeRegistered(deps: Deps, request: FastifyRequest, upload: DocumentUpload): Promise<DocumentVersion> {
  const bytes = await readBodyBytes(bodyStream(request), bodyTimeouts(deps));
  const body = readJsonBody(request.headers['content-type'], bytes);
  const data = body.kind === 'data' ? body.data : {};
  const registration = deps.signedUrls.verifyRegistration(data['url'], data['hash'] ?? undefined);
  const file: RegisteredFile = { kind: 'named', body, registration };
  return storeDocument(deps, request, { ...upload, actor: actorOf(request.identity), file });
}

async function takeUploaded(deps: Deps, request: FastifyRequest, upload: DocumentUpload): Promise<DocumentVersion> {
  const { parentRef, write, newest } = upload;
  const actor = actorOf(request.identity);
  const isForm = bodyKindOf(request) === 'form';
  const requirePermission = async (caller: Actor): Promise<unknown> =>
    decideWithRefresh(parentRef, dependsOnFacts, async (parentState) => {
      const refused = uploadRefusal(
        write,
        { parentState, newest },
        metaOf(deps, parentState, caller, deps.clock.now()),
      );
      return refused === undefined ? {} : { refused };
    });
  // A token may stand in the form, before its file: then who calls is only known there (http.md 2.9).
  const tokenMayFollow = isForm && actor.broker !== undefined && actor.tokenHash === undefined;
  if (!tokenMayFollow) await requirePermission(actor);
  const lengthProblem = lengthRefusal(deps, request.headers['content-length'], isForm ? FORM_BYTES_MAX : 0);
  if (lengthProblem !== undefined) throw new ProblemError(lengthProblem);
  const incoming = isForm ? await readFormFile(request) : readRawFile(request, write);
  const caller =
    tokenMayFollow && incoming.token !== undefined ? { ...actor, tokenHash: sha256Hex(incoming.token) } : actor;
  if (tokenMayFollow) await requirePermission(caller);
  const title = incoming.name === undefined ? newest?.record.title : cleanName(incoming.name);
  if (incoming.bytes === undefined || title === undefined) throw new ProblemError(problem('file.missing'));
  const titleProblem = titleRefusal(title);
  if (titleProblem !== undefined) throw new ProblemError(titleProblem);
  const format = formatOfType(incoming.contentType) ?? formatOfName(incoming.name ?? '') ?? DEFAULT_FORMAT;
  const fileId = deps.ids.next();
  // Who passed the admission has a name.
  await deps.fileRecords.beginUpload({ id: fileId, origin: 'api', owner: actor.broker ?? '' });
  const digest = await storeUpload(deps, { fileId, format, bytes: incoming.bytes });
  const file: UploadedFile = { kind: 'file', fileId, format, hash: `md5:${digest.md5}`, title };
  const storedFile = { id: fileId, digest, format, title };
  return storeDocument(deps, request, {
    ...upload,
    parentRef: await parentRef.reload(),
    actor: caller,
    file,
    storedFile,
  });
}

interface IncomingFile {
  readonly name?: string | undefined;
  readonly contentType?: string | undefined;
  readonly bytes?: Readable;
  readonly token?: string | undefined;
}

async function readFormFile(request: FastifyRequest): Promise<IncomingFile> {
  // Kept for brokers: the oldest segment called the part `upload` (http.md 2.3).
  const names = request.identity.segment === '0.1' ? ['file', 'upload'] : ['file'];
  const { fields, file } = await openForm(bodyStream(request), request.headers['content-type'] ?? '', names);
  const token = fields.get('acc_token');
  return { ...file, ...(token === undefined || token === '' ? {} : { token }) };
}

/**
 * The body itself is the file. A new version keeps the title. Decision: a new document may come this way too, named by the
 * `Content-Disposition` of the request; without that it is no file at all, as http.md 2.3 says.
 */
function readRawFile(request: FastifyRequest, write: WriteKind): IncomingFile {
  const contentType = request.headers['content-type'];
  if (write === 'update') return { contentType, bytes: bodyStream(request) };
  const name = fileNameOf(request.headers['content-disposition'] ?? '');
  if (name === null) throw new ProblemError(problem('body.undecodable'));
  return name === undefined ? {} : { name, contentType, bytes: bodyStream(request) };
}

interface StoreDocumentInput extends DocumentUpload {
  readonly actor: Actor;
  readonly file: UploadedFile | RegisteredFile;
  readonly storedFile?: StoredFile;
}

/** Decides about a document that is taken, and waits until the tender shows it. */
async function storeDocument(deps: Deps, request: FastifyRequest, input: StoreDocumentInput): Promise<DocumentVersion> {
  const { parentRef, versionId, newest, storedFile, file, actor, toCommand } = input;
  return writeDocument(deps, parentRef, {
    requestId: request.id,
    newest,
    versionId,
    storedFile,
    commandAt: (parentState, now) => toCommand(file, metaOf(deps, parentState, actor, now)),
  });
}

export interface WriteDocumentInput {
  readonly requestId: string;
  readonly newest?: DocumentVersion | undefined;
  readonly versionId?: string | undefined;
  readonly storedFile?: StoredFile | undefined;
  /** The command as it stands at that time. */
  commandAt(place: ParentState, now: Instant): DocumentCommand;
}

/**
 * Carries out one command and gives the version after it; throws its refusal. Decided twice: outside, so that what is refused
 * holds no lock, then for good, under the lock of the tender's shelf.
 */
export async function writeDocument(
  deps: Deps,
  parentRef: ParentRef,
  input: WriteDocumentInput,
): Promise<DocumentVersion> {
  const { requestId, newest, versionId, storedFile, commandAt } = input;
  const { version } = await decideWithRefresh(parentRef, dependsOnFacts, async (parentState) => {
    const preliminary = decideDocument({ parentState, newest }, commandAt(parentState, deps.clock.now()));
    if ('refused' in preliminary) return preliminary;
    return deps.documents.write(
      {
        tenderId: parentState.tender.id,
        documentId: newest?.record.id,
        requestId,
        ...(versionId === undefined ? {} : { versionId }),
        ...(storedFile === undefined ? {} : { storedFile }),
        isPublic: (bidsOpened) => isPublic({ ...parentState, bidsOpened }),
      },
      ({ newest: found, bidsOpened, now }) =>
        decideDocument({ parentState: { ...parentState, bidsOpened }, newest: found }, commandAt(parentState, now)),
    );
  });
  return version;
}

/** The circumstances of a command at one moment, in the time of its tender. */
export function metaOf(deps: Deps, parentState: ParentState, actor: Actor, now: Instant): DocumentMeta {
  return { now: tenderTime(now, parentState.tender), actor, settings: deps.settings };
}

/** How long a sender may take over a body that is no file. */
export function bodyTimeouts({ config }: Pick<Deps, 'config'>): { idleMs: number; totalMs: number } {
  return { idleMs: config.UPLOAD_IDLE_MS, totalMs: config.UPLOAD_IDLE_MS };
}
