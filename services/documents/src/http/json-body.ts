import { problem } from '@procurement/contracts/problems';
import { ProblemError } from '@procurement/kit/problem-error';
import { JSON_BYTES_MAX } from '@procurement/kit/request-body';
import type { Readable } from 'node:stream';
import { watched, type Patience } from '../files/watched.ts';

/** The bytes of a body that is no file. Throws 413 `request.too-large` beyond 4 MiB (http.md 4.5). */
export async function jsonBytes(body: Readable | undefined | null, patience: Patience): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  if (body === undefined || body === null) return Buffer.alloc(0);
  for await (const chunk of watched(body, patience)) {
    size += chunk.length;
    if (size > JSON_BYTES_MAX) throw new ProblemError(problem('request.too-large'));
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}
