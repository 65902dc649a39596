import { problem } from '@procurement/contracts/problems/problems';
import { mediaType } from '@procurement/kit/http/body';
import type { Handler } from '@procurement/kit/http/mount';
import { ProblemError } from '@procurement/kit/runtime/problem-error';
import { sendJson } from '@procurement/kit/http/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../deps.ts';
import { DEFAULT_FORMAT, cleanName, formatOfName, formatOfType } from '../domain/file-name.ts';
import type { Digest } from '@procurement/kit/files/file-storage';
import { openForm, type FormFile } from '../files/multipart-form.ts';
import { requestedBody } from './body-kind.ts';
import { fileTimeouts } from './read-body-bytes.ts';
import { drainBody, FORM_BYTES_MAX, lengthRefusal, storeUpload } from './store-upload.ts';

/** Seconds for which the download address in the response is valid. */
const DOWNLOAD_VALID_SECONDS = 300;

export interface UploadResponse {
  readonly data: Readonly<Record<string, string>>;
  readonly get_url: string;
}

export interface NamedFormFile extends FormFile {
  readonly title: string;
}

/** The part `file` of the form, before its bytes. Throws 404 `file.missing`, 413 `file.too-large`. */
export async function openFilePart(deps: Deps, request: FastifyRequest): Promise<NamedFormFile> {
  const contentType = request.headers['content-type'];
  if (mediaType(contentType) !== 'multipart/form-data') throw new ProblemError(problem('file.missing'));
  const lengthProblem = lengthRefusal(deps, request.headers['content-length'], FORM_BYTES_MAX);
  if (lengthProblem !== undefined) throw new ProblemError(lengthProblem);
  const { file } = await openForm(requestedBody(request), {
    contentType,
    fileNames: ['file'],
    timeouts: fileTimeouts(deps),
  });
  const title = cleanName(file?.name ?? '');
  if (file === undefined || title === undefined) throw new ProblemError(problem('file.missing'));
  return { ...file, title };
}

/** Stores the bytes of a file whose row exists, and records it. `check` throws when it is not the expected file. */
export async function storeFormFile(
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

/** A handler for an upload to the document service: 200 with its response, or the refusal after the body was drained. */
export function uploadHandler(
  upload: (request: FastifyRequest, reply: FastifyReply) => Promise<UploadResponse>,
): Handler {
  return async (request, reply) => {
    try {
      return sendJson(reply, 200, JSON.stringify(await upload(request, reply)));
    } catch (error) {
      await drainBody(request, error);
      if (!(error instanceof ProblemError) || error.problem.code !== 'file.not-stored') throw error;
      return sendJson(reply, 502, NOT_STORED_BODY);
    }
  };
}
