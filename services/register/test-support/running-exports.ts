import type { FileStorage } from '@procurement/kit/files/file-storage';
import { secureIds } from '@procurement/kit/runtime/ids';
import { makeMetrics } from '@procurement/kit/runtime/metrics';
import type { ExportsCommandDeps } from '../src/clock/exports-command.ts';
import { startExports } from '../src/clock/make-exports.ts';
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
    pauseMs: 20,
    fileLinesMax: 1,
  });
}

/** Exports without test tenders. */
export function exportsCommandDeps({ database }: RunningService, files: FileStorage): ExportsCommandDeps {
  return { pool: database.pool, files, withTests: () => false, isOcdsOn: true };
}
