import type { Logger } from '../runtime/log.ts';
import { makeSignal, type Signal } from '../runtime/signal.ts';
import type { FileStorage } from './file-storage.ts';

/** The storage may start later than this process. */
const RETRY_MS = 5_000;

export interface PrepareDeps {
  readonly fileStorage: FileStorage;
  readonly log: Logger;
  readonly retryMs?: number;
}

/** Prepares the storage, again and again until it responds or `isStopped`. `signal` ends a pause. */
export async function prepareStorage(
  { fileStorage, log, retryMs = RETRY_MS }: PrepareDeps,
  isStopped: () => boolean,
  signal: Signal = makeSignal(),
): Promise<void> {
  while (!isStopped()) {
    try {
      return await fileStorage.prepare();
    } catch (error) {
      log.warn({ err: error }, 'storage of files not ready');
      await signal.wait(retryMs);
    }
  }
}
