import { problem } from '@procurement/contracts/problems/problems';
import type { Handler } from '@procurement/kit/http/mount';
import { ProblemError } from '@procurement/kit/runtime/problem-error';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../deps.ts';
import { DEFAULT_FORMAT, contentDisposition } from '../domain/file-name.ts';
import { fileKeyOf } from '../files/file-key.ts';
import { StorageError } from '@procurement/kit/files/file-storage';
import { readUrl, type ByteRange } from '@procurement/kit/files/read-file-url';
import type { FileRecord } from '../store/file-records.store.ts';
import { byteRange } from '@procurement/kit/files/byte-range';
import { parseQuery } from './path.ts';
import { fileIdOf } from './uploader.ts';

/**
 * `GET /get/{doc_id}`: the bytes of a file to any caller with a signed address (http.md 2.8, 2.9), or one range of them. 204 when
 * the file is registered but not uploaded yet, and when it is empty. The headers make a browser save any file instead of
 * displaying it.
 */
export function getFile(deps: Deps): Handler {
  return async (request, reply) => {
    const id = fileIdOf(request);
    const nowSeconds = Math.floor(deps.clock.now() / 1_000_000);
    const access = deps.signedUrls.verifyDownload(id, parseQuery(request), nowSeconds);
    if ('refused' in access) throw new ProblemError(access.refused);
    const file = await deps.fileRecords.find(id);
    if (file === undefined || file.state === 'dropped') throw new ProblemError(problem('file.unknown'));
    const bytes = file.state === 'stored' ? (file.bytes ?? 0) : 0;
    reply.header('cache-control', access.permanent && bytes > 0 ? CACHE_IMMUTABLE : 'private, no-store');
    if (bytes === 0) return reply.code(204).send();
    reply.headers({
      'content-type': file.format ?? DEFAULT_FORMAT,
      'content-disposition': contentDisposition(file.title ?? file.id),
      'accept-ranges': 'bytes',
      etag: `"${file.md5}"`,
      'x-content-type-options': 'nosniff',
      'content-security-policy': 'sandbox',
    });
    return sendBytes(deps, request, reply, file, bytes);
  };
}

const CACHE_IMMUTABLE = 'public, max-age=31536000, immutable';

async function sendBytes(
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  file: FileRecord,
  bytes: number,
): Promise<FastifyReply> {
  const isOtherEtag = request.headers['if-range'] !== undefined && request.headers['if-range'] !== `"${file.md5}"`;
  const range = isOtherEtag ? undefined : byteRange(request.headers.range, bytes);
  if (range === 'unsatisfiable') return reply.code(416).header('content-range', `bytes */${bytes}`).send();
  const part: ByteRange = range ?? { from: 0, to: bytes - 1 };
  if (range !== undefined) reply.code(206).header('content-range', `bytes ${part.from}-${part.to}/${bytes}`);
  reply.header('content-length', part.to - part.from + 1);
  if (request.method === 'HEAD') return reply.send();
  try {
    return reply.send(await readUrl(await deps.fileStorage.url(fileKeyOf(file.id)), { range }));
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    deps.log.error({ err: error, fileId: file.id }, 'cannot read file');
    for (const name of Object.keys(reply.getHeaders())) reply.removeHeader(name);
    throw new ProblemError(problem('service.bad-gateway'));
  }
}
