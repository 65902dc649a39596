import { problem, type Problem } from '@procurement/contracts/problems/problems';
import { ProblemError } from '@procurement/kit/http/problem-error';
import type { Readable } from 'node:stream';
import type { Deps } from '../deps.ts';
import { digestSource } from '../files/digest-source.ts';
import { keyOf, StorageError, type Digest } from '../files/file-storage.ts';
import { withTimeouts } from '../files/stream-timeouts.ts';

/** A file whose row is there, and whose bytes now come. */
export interface Upload {
  readonly fileId: string;
  readonly format: string;
  readonly bytes: Readable;
  /** Sees what came before the store lets anybody read it; throws when it is another file than promised. */
  readonly check?: (digest: Digest) => void;
}

/** More often than an upload without a sign is taken for a dead one. */
const TOUCH_INTERVAL_MS = 60_000;

/**
 * Carries a file from the socket into the store, in the pace of the slower of the two and without holding it (http.md 2.9).
 * When it fails, nothing is readable and the row is released. Throws 413 `file.too-large`, 408 `request.timeout`, 422
 * `body.undecodable`, 502 `file.not-stored`, and what `check` throws.
 */
export async function storeUpload(deps: Deps, { fileId, format, bytes, check }: Upload): Promise<Digest> {
  const { MAX_FILE_BYTES, UPLOAD_IDLE_MS, UPLOAD_MS_MAX } = deps.config;
  const source = withTimeouts(bytes, { idleMs: UPLOAD_IDLE_MS, totalMs: UPLOAD_MS_MAX });
  const touchTimer = setInterval(() => {
    deps.fileRecords.touchUpload(fileId).catch((error: unknown) => deps.log.warn({ err: error }, 'upload not touched'));
  }, TOUCH_INTERVAL_MS);
  try {
    return await deps.fileStorage.put(keyOf(fileId), format, digestSource(source, MAX_FILE_BYTES, check));
  } catch (error) {
    await deps.fileRecords.releaseUpload(fileId, error instanceof StorageError).catch((failure: unknown) => {
      // Its row says that it is on its way, which the next claim or the clean-up finds to be old.
      deps.log.warn({ err: failure, fileId }, 'upload not released');
    });
    if (!(error instanceof StorageError)) throw error;
    deps.log.error({ err: error, fileId }, 'file not stored');
    throw new ProblemError(problem('file.not-stored'));
  } finally {
    clearInterval(touchTimer);
  }
}

/** 413 where the length is told, before a byte is read. */
export function lengthRefusal(deps: Deps, contentLength: string | undefined, extraBytes = 0): Problem | undefined {
  return Number(contentLength ?? 0) > deps.config.MAX_FILE_BYTES + extraBytes ? problem('file.too-large') : undefined;
}

/** What a form has beside its file: part headers and texts. */
export const FORM_BYTES_MAX = 512 * 1024;

/** Up to so much of a refused body is read and thrown away, so that its sender, who is still sending, hears the refusal. */
const DRAINED_BYTES_MAX = 64 * 1024 * 1024;
const DRAINED_MS_MAX = 10_000;

/** Refusals of senders who stall, or have gone: nothing more is to be waited for. */
const ABORTED_CODES: ReadonlySet<string> = new Set(['request.timeout', 'request.bad']);

/**
 * Lets a sender finish, within bounds, before it is refused: a proxy that hears an answer in the middle of its sending breaks
 * the connection to its own client, who then never hears why.
 */
export async function drainBody(body: Readable, contentLength: string | undefined, refusal: unknown): Promise<void> {
  if (refusal instanceof ProblemError && ABORTED_CODES.has(refusal.problem.code)) return;
  if (body.readableEnded || body.destroyed || Number(contentLength ?? 0) > DRAINED_BYTES_MAX) return;
  // A form that is still attached would fill the memory with what nobody reads from it.
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
