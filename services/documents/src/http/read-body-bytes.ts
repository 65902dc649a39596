import { problem } from '@procurement/contracts/problems/problems';
import { ProblemError } from '@procurement/kit/runtime/problem-error';
import { JSON_BYTES_MAX } from '@procurement/kit/http/body';
import type { Readable } from 'node:stream';
import type { Deps } from '../deps.ts';
import { withTimeouts, type StreamTimeouts } from '../files/stream-timeouts.ts';

/** Time limits for bodies that are no files. */
export function bodyTimeouts({ config }: Pick<Deps, 'config'>): StreamTimeouts {
  return { idleMs: config.UPLOAD_IDLE_MS, totalMs: config.UPLOAD_IDLE_MS };
}

/** Time limits for files, and for the forms around them. */
export function fileTimeouts({ config }: Pick<Deps, 'config'>): StreamTimeouts {
  return { idleMs: config.UPLOAD_IDLE_MS, totalMs: config.UPLOAD_MS_MAX };
}

/** Reads a body that is no file. Throws 413 `request.too-large` beyond 4 MiB (http.md 4.5). */
export async function readBodyBytes(body: Readable | undefined | null, timeouts: StreamTimeouts): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  if (body === undefined || body === null) return Buffer.alloc(0);
  for await (const chunk of withTimeouts(body, timeouts)) {
    size += chunk.length;
    if (size > JSON_BYTES_MAX) throw new ProblemError(problem('request.too-large'));
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}
