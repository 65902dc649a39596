import { problem } from '@procurement/contracts/problems/problems';
import type { Handler } from '@procurement/kit/http/mount';
import { ProblemError } from '@procurement/kit/http/problem-error';
import { mediaType } from '@procurement/kit/http/body';
import { sendJson } from '@procurement/kit/http/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../deps.ts';
import { DEFAULT_FORMAT, cleanName, formatOfName, formatOfType } from '../domain/file-name.ts';
import { openForm, type FormFile } from '../files/multipart-form.ts';
import type { Digest } from '../files/file-storage.ts';
import { queryOf } from './read-routes.ts';
import { bodyStream } from './body-kind.ts';
import { requireUploader, fileIdOf } from './uploader.ts';
import { drainBody, FORM_BYTES_MAX, storeUpload, lengthRefusal } from './store-upload.ts';

/** How long the download address in the answer is good for. */
const DOWNLOAD_VALID_SECONDS = 300;

/** `POST /upload`: a file that nobody had registered; 200 with its addresses (http.md 2.8). */
export function uploadFile(deps: Deps): Handler {
  return uploadHandler(async (request, reply) => {
    const owner = requireUploader(request);
    const file = await openFilePart(deps, request);
    const id = deps.ids.next();
    await deps.fileRecords.beginUpload({ id, origin: 'service', owner });
    const response = await storeFile(deps, id, file);
    reply.header('location', response.get_url);
    return response;
  });
}

/**
 * `POST /upload/{doc_id}`: the file that was registered, once; 200 with its addresses (http.md 2.8). Refusals: 403 of the
 * address, 404 `file.unknown`, 403 `file.uploaded`, 403 `file.checksum`, after which it may be tried again.
 */
export function uploadRegistered(deps: Deps): Handler {
  return uploadHandler(async (request) => {
    requireUploader(request);
    const file = await openFilePart(deps, request);
    const id = fileIdOf(request);
    const refused = deps.signedUrls.verifyUpload(id, queryOf(request));
    if (refused !== undefined) throw new ProblemError(refused);
    const record = await deps.fileRecords.find(id);
    if (record === undefined || record.state === 'dropped') throw new ProblemError(problem('file.unknown'));
    if (!(await deps.fileRecords.claimUpload(id))) throw new ProblemError(problem('file.uploaded'));
    return storeFile(deps, id, file, (digest) => {
      if (digest.md5 !== record.expectedMd5) throw new ProblemError(problem('file.checksum'));
    });
  });
}

interface UploadResponse {
  readonly data: Readonly<Record<string, string>>;
  readonly get_url: string;
}

interface NamedFormFile extends FormFile {
  readonly title: string;
}

/** The part `file` of the form, before its bytes. Throws 404 `file.missing`, 413 `file.too-large`. */
async function openFilePart(deps: Deps, request: FastifyRequest): Promise<NamedFormFile> {
  const contentType = request.headers['content-type'];
  if (mediaType(contentType) !== 'multipart/form-data') throw new ProblemError(problem('file.missing'));
  const lengthProblem = lengthRefusal(deps, request.headers['content-length'], FORM_BYTES_MAX);
  if (lengthProblem !== undefined) throw new ProblemError(lengthProblem);
  const { file } = await openForm(bodyStream(request), contentType ?? '', ['file']);
  const title = cleanName(file?.name ?? '');
  if (file === undefined || title === undefined) throw new ProblemError(problem('file.missing'));
  return { ...file, title };
}

async function storeFile(
  deps: Deps,
  id: string,
  file: NamedFormFile,
  check?: (digest: Digest) => void,
): Promise<UploadResponse> {
  const { title, bytes } = file;
  const format = formatOfType(file.contentType) ?? formatOfName(title) ?? DEFAULT_FORMAT;
  const digest = await storeUpload(deps, { fileId: id, format, bytes, ...(check === undefined ? {} : { check }) });
  await deps.fileRecords.markStored({ id, digest, format, title });
  const url = deps.signedUrls.registration(id, digest.md5);
  const expires = Math.floor(deps.clock.now() / 1_000_000) + DOWNLOAD_VALID_SECONDS;
  return { data: { url, hash: `md5:${digest.md5}`, format, title }, get_url: deps.signedUrls.temporary(id, expires) };
}

/** Kept for brokers: this answer of the document service has neither location nor name (http.md 2.8). */
const NOT_STORED_BODY = '{"status":"error","errors":[{"description":"Upload failed, please try again later"}]}';

function uploadHandler(upload: (request: FastifyRequest, reply: FastifyReply) => Promise<UploadResponse>): Handler {
  return async (request, reply) => {
    try {
      return sendJson(reply, 200, JSON.stringify(await upload(request, reply)));
    } catch (error) {
      await drainBody(bodyStream(request), request.headers['content-length'], error);
      if (!(error instanceof ProblemError) || error.problem.code !== 'file.not-stored') throw error;
      return sendJson(reply, 502, NOT_STORED_BODY);
    }
  };
}
