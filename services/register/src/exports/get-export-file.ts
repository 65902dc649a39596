import { Readable } from 'node:stream';
import { problem } from '@procurement/contracts/problems/problems';
import { byteRange } from '@procurement/kit/files/byte-range';
import { StorageError } from '@procurement/kit/files/file-storage';
import { readUrl } from '@procurement/kit/files/read-file-url';
import type { Handler } from '@procurement/kit/http/mount';
import { ProblemError } from '@procurement/kit/runtime/problem-error';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ExportsDeps } from './deps.ts';
import { fileNameIn, zstdNameOf, type FinishedFile } from './domain/export-manifest.ts';
import { EXPORT_NAME } from './domain/export-schedule.ts';
import { readQuery } from '../requests/read-query.ts';

const FILE_NUMBER = /-(\d{4,9})(?:-r\d+)?\.jsonl\.(?:gz|zst)$/;
const CACHE = 'public, max-age=31536000, immutable';

/** `GET /exports/{name}/{file}`: the bytes of a file, or one range of them (register.md 8.2). Never with `Content-Encoding`. */
export function getExportFile(deps: ExportsDeps): Handler {
  return async (request, reply) => {
    readQuery(request, {}, { isFormatted: false });
    const { name, file, type } = await fileInPath(deps, request);
    const etag = `"${file.sha256}-2.5"`;
    reply.headers({ etag, 'cache-control': CACHE, 'accept-ranges': 'bytes' });
    if (request.headers['if-none-match'] === etag) return reply.code(304).send();
    const condition = request.headers['if-range'];
    const isOther = condition !== undefined && condition !== etag;
    const range = isOther ? undefined : byteRange(request.headers.range, file.bytes);
    if (range === 'unsatisfiable') return reply.code(416).header('content-range', `bytes */${file.bytes}`).send();
    const { from, to } = range ?? { from: 0, to: file.bytes - 1 };
    reply.headers({
      'content-type': type,
      'content-disposition': `attachment; filename=${name}`,
      'content-length': to - from + 1,
    });
    if (range !== undefined) reply.code(206).header('content-range', `bytes ${from}-${to}/${file.bytes}`);
    // Without a payload Fastify would set a length of 0.
    if (request.method === 'HEAD') return reply.send(Readable.from([]));
    return sendFile(deps, reply, file, range);
  };
}

async function sendFile(
  deps: ExportsDeps,
  reply: FastifyReply,
  { key }: ServedFile,
  range: { readonly from: number; readonly to: number } | undefined,
): Promise<FastifyReply> {
  try {
    return reply.send(await readUrl(await deps.exportFiles.url(key), { range }));
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    deps.log.error({ err: error, key }, 'cannot read a file of an export');
    for (const header of Object.keys(reply.getHeaders())) reply.removeHeader(header);
    throw new ProblemError(problem('service.bad-gateway'));
  }
}

type ServedFile = Pick<FinishedFile, 'key' | 'bytes' | 'sha256'>;

interface NamedFile {
  readonly name: string;
  readonly type: string;
  readonly file: ServedFile;
}

/** Throws 404 for an export or a file that does not exist. */
async function fileInPath(deps: ExportsDeps, request: FastifyRequest): Promise<NamedFile> {
  // Safe cast: the router sets every named parameter of a matched path.
  const { export_id: run, file_id: name } = request.params as { export_id: string; file_id: string };
  const n = Number(FILE_NUMBER.exec(name)?.[1] ?? 0);
  const file = EXPORT_NAME.test(run) && n > 0 ? await deps.exports.file(run, n) : undefined;
  const gzipName = file === undefined ? '' : fileNameIn(file.key);
  if (file !== undefined && name === gzipName) return { name, file, type: 'application/gzip' };
  if (file?.zstd !== undefined && name === zstdNameOf(gzipName)) {
    return { name, file: { key: zstdNameOf(file.key), ...file.zstd }, type: 'application/zstd' };
  }
  throw new ProblemError(problem('object.not-found', { kind: 'file' }));
}
