import { problem } from '@procurement/contracts/problems';
import { actorOf } from '@procurement/kit/actor';
import { sha256Hex } from '@procurement/kit/ids';
import { ProblemError } from '@procurement/kit/problem-error';
import { readJsonBody } from '@procurement/kit/request-body';
import type { FastifyRequest } from 'fastify';
import type { Readable } from 'node:stream';
import type { Actor } from '@procurement/contracts/actor';
import type { Instant } from '@procurement/contracts/instant';
import type { Deps } from '../deps.ts';
import { decideDocument, titleRefusal, uploadRefusal } from '../domain/document.decide.ts';
import type { DocumentWrite } from '../domain/document.permissions.ts';
import { isPublic } from '../domain/document.visibility.ts';
import type {
  ArrivedFile,
  DocumentCommand,
  DocumentMeta,
  DocumentVersion,
  NamedFile,
  Place,
} from '../domain/document.ts';
import { ANY_FORMAT, cleanName, formatOfName, formatOfType } from '../domain/file-name.ts';
import { tenderTime } from '../domain/tender-time.ts';
import { openForm } from '../files/form.ts';
import { partName } from '../files/part-name.ts';
import type { KeptFile } from '../store/files.store.ts';
import { decideFreshly } from './decide-freshly.ts';
import { jsonBytes } from './json-body.ts';
import type { Located } from './path.ts';
import { bodyOf, wayOf } from './sent.ts';
import { drained, FORM_BYTES_MAX, receive, tooLong } from './uploading.ts';

/** A request that brings a document, or a version of one. */
export interface DocumentWish {
  readonly located: Located;
  readonly write: DocumentWrite;
  /** Newest version of the document of the path. */
  readonly newest?: DocumentVersion;
  /** What the request makes; the same again for a repeat of it. */
  readonly versionId: string;
  /** The command that the file becomes. */
  command(file: ArrivedFile | NamedFile, meta: DocumentMeta): DocumentCommand;
}

/**
 * Takes a document in whichever way it is sent, and gives the version that it became. What must be refused is refused before
 * a byte of a file is read; a file is in the store before anything is on record of its document. Throws the refusal.
 */
export async function takeDocument(deps: Deps, request: FastifyRequest, wish: DocumentWish): Promise<DocumentVersion> {
  const body = bodyOf(request);
  try {
    return await (wayOf(request) === 'json' ? takeNamed : takeFile)(deps, request, wish);
  } catch (error) {
    await drained(body, request.headers['content-length'], error);
    throw error;
  }
}

async function takeNamed(deps: Deps, request: FastifyRequest, wish: DocumentWish): Promise<DocumentVersion> {
  const bytes = await jsonBytes(bodyOf(request), patienceOf(deps));
  const body = readJsonBody(request.headers['content-type'], bytes);
  const sent = body.kind === 'data' ? body.data : {};
  const address = deps.addresses.readRegistration(sent['url'], sent['hash'] ?? undefined);
  const file: NamedFile = { kind: 'named', body, address };
  return store(deps, request, { ...wish, actor: actorOf(request.identity), file });
}

async function takeFile(deps: Deps, request: FastifyRequest, wish: DocumentWish): Promise<DocumentVersion> {
  const { located, write, newest } = wish;
  const actor = actorOf(request.identity);
  const isForm = wayOf(request) === 'form';
  const admit = async (caller: Actor): Promise<unknown> =>
    decideFreshly(located, async (place) => {
      const refused = uploadRefusal(write, { place, newest }, metaOf(deps, place, caller, deps.clock.now()));
      return refused === undefined ? {} : { refused };
    });
  // A token may stand in the form, before its file: then who calls is only known there (http.md 2.9).
  const mayFollow = isForm && actor.broker !== undefined && actor.tokenHash === undefined;
  if (!mayFollow) await admit(actor);
  const long = tooLong(deps, request.headers['content-length'], isForm ? FORM_BYTES_MAX : 0);
  if (long !== undefined) throw new ProblemError(long);
  const arriving = isForm ? await fromForm(request) : fromBody(request, write);
  const caller = mayFollow && arriving.token !== undefined ? { ...actor, tokenHash: sha256Hex(arriving.token) } : actor;
  if (mayFollow) await admit(caller);
  const title = arriving.name === undefined ? newest?.record.title : cleanName(arriving.name);
  if (arriving.bytes === undefined || title === undefined) throw new ProblemError(problem('file.missing'));
  const tooWide = titleRefusal(title);
  if (tooWide !== undefined) throw new ProblemError(tooWide);
  const format = formatOfType(arriving.contentType) ?? formatOfName(arriving.name ?? '') ?? ANY_FORMAT;
  const fileId = deps.mint.id();
  // Who passed the admission has a name.
  await deps.files.begin({ id: fileId, origin: 'api', owner: actor.broker ?? '' });
  const digest = await receive(deps, { fileId, format, bytes: arriving.bytes });
  const file: ArrivedFile = { kind: 'file', fileId, format, hash: `md5:${digest.md5}`, title };
  const kept = { id: fileId, digest, format, title };
  return store(deps, request, { ...wish, located: await located.later(), actor: caller, file, kept });
}

interface ArrivingFile {
  readonly name?: string | undefined;
  readonly contentType?: string | undefined;
  readonly bytes?: Readable;
  readonly token?: string | undefined;
}

async function fromForm(request: FastifyRequest): Promise<ArrivingFile> {
  // Kept for brokers: the oldest segment called the part `upload` (http.md 2.3).
  const names = request.identity.segment === '0.1' ? ['file', 'upload'] : ['file'];
  const { fields, file } = await openForm(bodyOf(request), request.headers['content-type'] ?? '', names);
  const token = fields.get('acc_token');
  return { ...file, ...(token === undefined || token === '' ? {} : { token }) };
}

/**
 * The body itself is the file. A new version keeps the title. Decision: a new document may come this way too, named by the
 * `Content-Disposition` of the request; without that it is no file at all, as http.md 2.3 says.
 */
function fromBody(request: FastifyRequest, write: DocumentWrite): ArrivingFile {
  const contentType = request.headers['content-type'];
  if (write === 'update') return { contentType, bytes: bodyOf(request) };
  const name = partName(request.headers['content-disposition'] ?? '');
  if (name === null) throw new ProblemError(problem('body.undecodable'));
  return name === undefined ? {} : { name, contentType, bytes: bodyOf(request) };
}

interface StoreWish extends DocumentWish {
  readonly actor: Actor;
  readonly file: ArrivedFile | NamedFile;
  readonly kept?: KeptFile;
}

/** Decides about a document that is taken, and waits until the tender shows it. */
async function store(deps: Deps, request: FastifyRequest, wish: StoreWish): Promise<DocumentVersion> {
  const { located, versionId, newest, kept, file, actor, command } = wish;
  return writeDocument(deps, located, {
    requestId: request.id,
    newest,
    versionId,
    kept,
    commandAt: (place, now) => command(file, metaOf(deps, place, actor, now)),
  });
}

export interface WriteWish {
  readonly requestId: string;
  readonly newest?: DocumentVersion | undefined;
  readonly versionId?: string | undefined;
  readonly kept?: KeptFile | undefined;
  /** The command as it stands at that time. */
  commandAt(place: Place, now: Instant): DocumentCommand;
}

/**
 * Carries out one command and gives the version after it; throws its refusal. Decided twice: outside, so that what is refused
 * holds no lock, then for good, under the lock of the tender's shelf.
 */
export async function writeDocument(deps: Deps, located: Located, wish: WriteWish): Promise<DocumentVersion> {
  const { requestId, newest, versionId, kept, commandAt } = wish;
  const { version } = await decideFreshly(located, async (place) => {
    const outside = decideDocument({ place, newest }, commandAt(place, deps.clock.now()));
    if ('refused' in outside) return outside;
    return deps.documents.write(
      {
        tenderId: place.tender.id,
        documentId: newest?.record.id,
        requestId,
        ...(versionId === undefined ? {} : { versionId }),
        ...(kept === undefined ? {} : { kept }),
        isPublic: (bidsOpened) => isPublic({ ...place, bidsOpened }),
      },
      ({ newest: found, bidsOpened, now }) =>
        decideDocument({ place: { ...place, bidsOpened }, newest: found }, commandAt(place, now)),
    );
  });
  return version;
}

/** The circumstances of a command at one moment, in the time of its tender. */
export function metaOf(deps: Deps, place: Place, actor: Actor, now: Instant): DocumentMeta {
  return { now: tenderTime(now, place.tender), actor, settings: deps.settings };
}

/** How long a sender may take over a body that is no file. */
export function patienceOf({ config }: Pick<Deps, 'config'>): { idleMs: number; wholeMs: number } {
  return { idleMs: config.UPLOAD_IDLE_MS, wholeMs: config.UPLOAD_IDLE_MS };
}
