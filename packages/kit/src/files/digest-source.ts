import { createHash } from 'node:crypto';
import { problem } from '@procurement/contracts/problems/problems';
import { ProblemError } from '../runtime/problem-error.ts';
import type { FileSource, Digest } from './file-storage.ts';

/**
 * Counts and hashes bytes as they pass, without buffering. Throws 413 `file.too-large` at the first byte beyond the limit.
 * `check` gets the digest before the file is accepted and throws when it is not the expected one.
 */
export function digestSource(
  source: AsyncIterable<Buffer>,
  fileBytesMax: number,
  check: (digest: Digest) => void = () => undefined,
): FileSource {
  const [md5, sha256] = [createHash('md5'), createHash('sha256')];
  let bytes = 0;
  async function* counted(): AsyncGenerator<Buffer> {
    for await (const chunk of source) {
      bytes += chunk.length;
      if (bytes > fileBytesMax) throw new ProblemError(problem('file.too-large'));
      md5.update(chunk);
      sha256.update(chunk);
      yield chunk;
    }
  }
  return {
    bytes: counted(),
    finish() {
      const digest = { bytes, md5: md5.digest('hex'), sha256: sha256.digest('hex') };
      check(digest);
      return digest;
    },
  };
}
