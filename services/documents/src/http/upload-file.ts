import { problem } from '@procurement/contracts/problems';
import type { Handler } from '@procurement/kit/mount';
import { ProblemError } from '@procurement/kit/problem-error';
import { mediaType } from '@procurement/kit/request-body';
import { sendJson } from '@procurement/kit/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../deps.ts';
import { ANY_FORMAT, cleanName, formatOfName, formatOfType } from '../domain/file-name.ts';
import { openForm, type FormFile } from '../files/form.ts';
import type { Digest } from '../files/file-store.ts';
import { queryOf } from './read-routes.ts';
import { bodyOf } from './sent.ts';
import { fileBringer, fileIdOf } from './service-caller.ts';
import { drained, FORM_BYTES_MAX, receive, tooLong } from './uploading.ts';

/** How long the download address in the answer is good for. */
const GET_SECONDS = 300;

/** `POST /upload`: a file that nobody had registered; 200 with its addresses (http.md 2.8). */
export function uploadFile(deps: Deps): Handler {
  return answering(async (request, reply) => {
    const owner = fileBringer(request);
    const file = await fileOf(deps, request);
    const id = deps.mint.id();
    await deps.files.begin({ id, origin: 'service', owner });
    const kept = await keep(deps, id, file);
    reply.header('location', kept.get_url);
    return kept;
  });
}

/**
 * `POST /upload/{doc_id}`: the file that was registered, once; 200 with its addresses (http.md 2.8). Refusals: 403 of the
 * address, 404 `file.unknown`, 403 `file.uploaded`, 403 `file.checksum`, after which it may be tried again.
 */
export function uploadRegistered(deps: Deps): Handler {
  return answering(async (request) => {
    fileBringer(request);
    const file = await fileOf(deps, request);
    const id = fileIdOf(request);
    const refused = deps.addresses.readUpload(id, queryOf(request));
    if (refused !== undefined) throw new ProblemError(refused);
    const known = await deps.files.find(id);
    if (known === undefined || known.state === 'dropped') throw new ProblemError(problem('file.unknown'));
    if (!(await deps.files.claim(id))) throw new ProblemError(problem('file.uploaded'));
    return keep(deps, id, file, (digest) => {
      if (digest.md5 !== known.expectedMd5) throw new ProblemError(problem('file.checksum'));
    });
  });
}

interface Kept {
  readonly data: Readonly<Record<string, string>>;
  readonly get_url: string;
}

interface NamedFormFile extends FormFile {
  readonly title: string;
}

/** The part `file` of the form, before its bytes. Throws 404 `file.missing`, 413 `file.too-large`. */
async function fileOf(deps: Deps, request: FastifyRequest): Promise<NamedFormFile> {
  const contentType = request.headers['content-type'];
  if (mediaType(contentType) !== 'multipart/form-data') throw new ProblemError(problem('file.missing'));
  const long = tooLong(deps, request.headers['content-length'], FORM_BYTES_MAX);
  if (long !== undefined) throw new ProblemError(long);
  const { file } = await openForm(bodyOf(request), contentType ?? '', ['file']);
  const title = cleanName(file?.name ?? '');
  if (file === undefined || title === undefined) throw new ProblemError(problem('file.missing'));
  return { ...file, title };
}

async function keep(deps: Deps, id: string, file: NamedFormFile, check?: (digest: Digest) => void): Promise<Kept> {
  const { title, bytes } = file;
  const format = formatOfType(file.contentType) ?? formatOfName(title) ?? ANY_FORMAT;
  const digest = await receive(deps, { fileId: id, format, bytes, ...(check === undefined ? {} : { check }) });
  await deps.files.kept({ id, digest, format, title });
  const url = deps.addresses.registration(id, digest.md5);
  const expires = Math.floor(deps.clock.now() / 1_000_000) + GET_SECONDS;
  return { data: { url, hash: `md5:${digest.md5}`, format, title }, get_url: deps.addresses.temporary(id, expires) };
}

/** Kept for brokers: this answer of the document service has neither location nor name (http.md 2.8). */
const NOT_STORED = '{"status":"error","errors":[{"description":"Upload failed, please try again later"}]}';

function answering(upload: (request: FastifyRequest, reply: FastifyReply) => Promise<Kept>): Handler {
  return async (request, reply) => {
    try {
      return sendJson(reply, 200, JSON.stringify(await upload(request, reply)));
    } catch (error) {
      await drained(bodyOf(request), request.headers['content-length'], error);
      if (!(error instanceof ProblemError) || error.problem.code !== 'file.not-stored') throw error;
      return sendJson(reply, 502, NOT_STORED);
    }
  };
}
