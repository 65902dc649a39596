import { problem, type Problem } from '@procurement/contracts/problems/problems';
import { askForBody, waitsToSend } from '@procurement/kit/http/expect-continue';
import { ProblemError } from '@procurement/kit/runtime/problem-error';
import type { FastifyRequest } from 'fastify';
import type { Readable } from 'node:stream';
import type { Deps } from '../deps.ts';
import { digestSource } from '@procurement/kit/files/digest-source';
import { fileKeyOf } from '../files/file-key.ts';
import { StorageError, type Digest } from '@procurement/kit/files/file-storage';
import { withTimeouts } from '../files/stream-timeouts.ts';
import { bodyStream } from './body-kind.ts';
import { fileTimeouts } from './read-body-bytes.ts';

/** A file whose row exists and whose bytes are arriving. */
export interface Upload {
  readonly fileId: string;
  readonly format: string;
  readonly bytes: Readable;
  /** Checks the digest before the file becomes readable; throws when it is not the registered file. */
  readonly check?: (digest: Digest) => void;
}

/** Must be well below the 15 minutes after which an untouched upload counts as dead (http.md 2.9). */
const TOUCH_INTERVAL_MS = 60_000;

/**
 * Streams a file from the socket into the file storage with backpressure, without buffering it whole (http.md 2.9). When it
 * fails, no file is readable and the row is released. Throws 413 `file.too-large`, 408 `request.timeout`, 422
 * `body.undecodable`, 422 `file.not-stored`, and the errors of `check`.
 */
export async function storeUpload(deps: Deps, { fileId, format, bytes, check }: Upload): Promise<Digest> {
  const { MAX_FILE_BYTES } = deps.config;
  const source = withTimeouts(bytes, fileTimeouts(deps));
  const touchTimer = setInterval(() => {
    deps.fileRecords
      .touchUpload(fileId)
      .catch((error: unknown) => deps.log.warn({ err: error }, 'cannot update upload claim'));
  }, TOUCH_INTERVAL_MS);
  try {
    return await deps.fileStorage.put(fileKeyOf(fileId), format, digestSource(source, MAX_FILE_BYTES, check));
  } catch (error) {
    await deps.fileRecords.releaseUpload(fileId, error instanceof StorageError).catch((failure: unknown) => {
      // The row stays `uploading`, which the next claim or the clean-up treats as stale after 15 minutes.
      deps.log.warn({ err: failure, fileId }, 'cannot release upload claim');
    });
    if (!(error instanceof StorageError)) throw error;
    deps.log.error({ err: error, fileId }, 'cannot store file');
    throw new ProblemError(problem('file.not-stored'));
  } finally {
    clearInterval(touchTimer);
  }
}

/** Reads a file for a dry run: nothing of it is kept. Throws as `storeUpload`, but for failures of the storage. */
export async function digestUpload(deps: Deps, request: FastifyRequest, bytes: Readable): Promise<Digest> {
  askForBody(request.raw);
  const source = digestSource(withTimeouts(bytes, fileTimeouts(deps)), deps.config.MAX_FILE_BYTES);
  for await (const _chunk of source.bytes);
  return source.finish();
}

/** 413 by the announced length, before a byte is read. */
export function lengthRefusal(deps: Deps, contentLength: string | undefined, extraBytes = 0): Problem | undefined {
  return Number(contentLength ?? 0) > deps.config.MAX_FILE_BYTES + extraBytes ? problem('file.too-large') : undefined;
}

/** Bytes of a form beside its file: part headers and text parts. */
export const FORM_BYTES_MAX = 512 * 1024;

/** Bytes of a refused body that are read and discarded, so that its sender receives the refusal (http.md 2.3). */
const DRAINED_BYTES_MAX = 64 * 1024 * 1024;
const DRAINED_MS_MAX = 10_000;

/** Refusals of senders that stalled or disconnected: draining would wait for nothing. */
const ABORTED_CODES: ReadonlySet<string> = new Set(['request.timeout', 'request.bad']);

/**
 * Reads the rest of a refused body, within bounds, before the refusal is sent: a proxy that receives a response while it is
 * still sending breaks the connection to its client, who then never sees the refusal (http.md 2.3).
 */
export async function drainBody(request: FastifyRequest, refusal: unknown): Promise<void> {
  const body = bodyStream(request);
  // Not sent yet, and the refusal answers the question whether to send it.
  if (waitsToSend(request.raw)) return;
  if (refusal instanceof ProblemError && ABORTED_CODES.has(refusal.problem.code)) return;
  if (body.readableEnded || body.destroyed || Number(request.headers['content-length'] ?? 0) > DRAINED_BYTES_MAX)
    return;
  // A form parser that is still attached would buffer parts that no reader consumes.
  body.unpipe();
  await new Promise<void>((resolve) => {
    let bytes = 0;
    const timer = setTimeout(end, DRAINED_MS_MAX);
    function end(): void {
      clearTimeout(timer);
      body.off('data', count).off('end', end).off('close', end).off('error', end);
      resolve();
    }
    function count(chunk: Buffer): void {
      bytes += chunk.length;
      if (bytes > DRAINED_BYTES_MAX) end();
    }
    body.on('data', count).once('end', end).once('close', end).once('error', end);
    body.resume();
  });
}
