import { folderStorage } from '@procurement/kit/files/folder-storage';
import type { FileStorage } from '@procurement/kit/files/file-storage';
import { secureIds } from '@procurement/kit/runtime/ids';
import { makeMetrics } from '@procurement/kit/runtime/metrics';
import type { ExportsCommandDeps } from '../src/exports/exports-command.ts';
import { startExports } from '../src/exports/make-exports.ts';
import { makeFileRedaction } from '../src/redaction/redact-files.ts';
import type { RunningService } from './running-service.ts';

/** Makes what is asked for, with one page in each file. */
export function startTestExports(running: RunningService, files: FileStorage): { stop(): Promise<void> } {
  const { deps, database } = running;
  return startExports({
    ...exportsCommandDeps(running, files),
    databaseUrl: database.url,
    publicBaseUrl: deps.config.PUBLIC_BASE_URL,
    history: deps.history,
    ocds: deps.ocds,
    log: deps.log,
    ids: secureIds,
    metrics: makeMetrics('register'),
    isScheduled: false,
    isZstdOn: false,
    redactFiles: makeFileRedaction({ files, log: deps.log }),
    pauseMs: 20,
    expireEveryMs: 20,
    fileLinesMax: 1,
  });
}

/** Exports without test tenders. */
export function exportsCommandDeps({ database }: RunningService, files: FileStorage): ExportsCommandDeps {
  return { pool: database.pool, files, withTests: () => false, isOcdsOn: true };
}

/** Has a finished export made again, as it was planned. Its files stay in the storage. */
export async function makeAgain({ database }: RunningService, name: string): Promise<void> {
  await database.pool.query('DELETE FROM export_file WHERE name = $1', [name]);
  await database.pool.query(`UPDATE export_run SET state = 'open', finished = NULL WHERE name = $1`, [name]);
}

/** A folder in which a test may fail or wait before a file is stored. */
export interface WatchedStorage {
  readonly storage: FileStorage;
  /** Keys of what was stored. */
  readonly stored: string[];
  /** Runs before each file from now on, the first of which has number 1. Without it nothing runs. */
  beforePut(run?: (n: number) => Promise<void>): void;
}

export function watchedStorage(folder: string): WatchedStorage {
  const files = folderStorage(folder);
  const stored: string[] = [];
  let puts = 0;
  let runBefore = async (_n: number): Promise<void> => undefined;
  return {
    stored,
    beforePut(run = async () => undefined) {
      puts = 0;
      runBefore = run;
    },
    storage: {
      ...files,
      put: async (key, type, source) => {
        puts += 1;
        await runBefore(puts);
        stored.push(key);
        return files.put(key, type, source);
      },
    },
  };
}
