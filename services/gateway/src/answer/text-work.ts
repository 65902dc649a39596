import { makeWorkerPool } from '@procurement/kit/runtime/worker-pool';
import type { FastifyRequest } from 'fastify';
import { clientKey } from '../request/client-key.ts';
import type { TextJob } from './text-job.ts';

/** Work on a longer text takes more than 2 ms, for which all other requests would wait. */
export const LONG_TEXT_BYTES = 64 * 1024;

/** Work on long answers, in threads that clients share in turns. Not for answers to writes, which must not be refused any more. */
export interface TextWork {
  /** Rejects with QueueFullError when the client has too many in work. */
  run(request: FastifyRequest, bytes: Buffer, work: Omit<TextJob, 'bytes'>): Promise<Buffer>;
  stop(): Promise<void>;
}

/** `script`: the program of the threads (worker.ts). */
export function makeTextWork(script: URL): TextWork {
  const pool = makeWorkerPool<TextJob, Uint8Array>({
    script,
    waitingMax: 128,
    clientsRest: true,
    waitMsMax: 5_000,
  });
  return {
    run: async ({ context }, bytes, work) =>
      pool.run(clientKey(context.caller, context.address), async (doJob) => {
        // A copy: several clients may share the answer, or it may be a part of a larger buffer.
        const given = new Uint8Array(bytes);
        const { buffer, byteOffset, byteLength } = await doJob({ ...work, bytes: given }, [given.buffer]);
        return Buffer.from(buffer, byteOffset, byteLength);
      }),
    stop: async () => pool.stop(),
  };
}
